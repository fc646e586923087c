import Foundation
import GeoCore
import GeoPipeline
import GeoProjection
import GeoTree
import TestSupport
import Testing

@testable import GeoChange

/// A time line reports for each state what `History` knows of it.
@Suite struct HistoryTimelineTests {
  private typealias Files = [String: Int]

  /// Files that come, change and go; their folders come and go with them.
  private static func states(_ random: inout SeededGenerator) -> [Files] {
    var files: Files = [:]
    return (0..<random.number(in: 1...9)).map { _ in
      for _ in 0..<random.number(in: 0...4) {
        let path = "\(["a", "b<"][random.number(in: 0...1)])/\(random.number(in: 0...5))"
        files[path] = random.number(in: 0...2) == 0 ? nil : random.number(in: 1...3)
      }
      return files
    }
  }

  private static func source(
    _ states: [Files], filter: HistoryFilter = HistoryFilter()
  ) throws -> HistorySource {
    var builder = HistoryBuilder(label: Array("r".utf8), keepsEvents: true)
    var before: Files = [:]
    for (number, state) in states.enumerated() {
      builder.begin(
        time: 100 * Int64(number), author: Array("A".utf8), revision: Array("\(number)".utf8),
        subject: Array("the <b> of \(number)".utf8))
      for path in Set(before.keys).union(state.keys).sorted() where before[path] != state[path] {
        builder.apply(
          Array(path.utf8), oldMode: before[path] == nil ? 0 : 0o100644,
          newMode: state[path] == nil ? 0 : 0o100644,
          object: Array(String(repeating: "\(state[path] ?? 0)", count: 40).utf8).span)
      }
      before = state
    }
    var (history, objects) = builder.finish()
    // Each object's name encodes its size.
    let names = objects.split(separator: UInt8(ascii: "\n"))
    history.setSizes(names.map { Int64($0.first ?? 0) - 0x30 })
    let roots = try WorldRoots(
      [ScanRoot(label: Array("r".utf8), directory: Array("r".utf8))], .settled, areThere: false)
    return HistorySource(HistoryWorld(history, roots.engine), filter: filter)
  }

  /// The files of a time line in each of its states, with their sizes, by time.
  private static func reported(_ text: [UInt8]) throws -> [(time: Int, files: Files)] {
    #expect(!text.contains(UInt8(ascii: "<")), "it could end the element that it stands in")
    var paths: [String?] = []
    var there: Files = [:]
    var reported: [(Int, Files)] = []
    // Sizes of files by the number of their contents, 0 for contents that occur once.
    var marked: [Int: [Int]] = [:]
    for line in text.split(separator: UInt8(ascii: "\n")).dropFirst() {
      let row = try #require(try JSONSerialization.jsonObject(with: Data(line)) as? [Any])
      if let folder = row[0] as? String {
        paths.append(nil)
        let files = try #require(row[4] as? [Any])
        for index in stride(from: 0, to: files.count, by: 3) {
          paths.append("\(folder)/\(try #require(files[index] as? String))")
        }
        continue
      }
      var node = 0
      var sizes = try #require(row[5] as? [Int])[...]
      var marks = [Int](repeating: 0, count: sizes.count)
      let contents = try #require(row[6] as? [Int])
      var place = 0
      for index in stride(from: 0, to: contents.count, by: 2) {
        place += contents[index]
        marks[place] = contents[index + 1] >> 2
        #expect(contents[index + 1] & 3 == 0 && marks[place] > 0)
      }
      for (mark, size) in zip(marks, sizes) { marked[mark, default: []].append(size) }
      for change in try #require(row[4] as? [Int]) {
        node += change >> 2
        guard let path = paths[node] else { continue }
        there[path] = change & 3 == 2 ? nil : sizes.popFirst()
      }
      #expect(sizes.isEmpty)
      reported.append((try #require(row[0] as? Int), there))
    }
    // Here, files have the same contents if and only if they have the same size.
    for (mark, sizes) in marked where mark > 0 {
      #expect(sizes.count > 1 && Set(sizes).count == 1)
      for other in marked where other.key != mark { #expect(!other.value.contains(sizes[0])) }
    }
    let single = marked[0] ?? []
    #expect(Set(single).count == single.count)
    return reported
  }

  @Test(arguments: TestScale.seeds(60)) func restoresEveryState(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let states = Self.states(&random)
    let text = HistoryTimeline(try Self.source(states), filter: HistoryFilter()).text()
    let reported = try Self.reported(text)
    #expect(reported.map(\.time) == states.indices.map { 100 * $0 }, "seed \(seed)")
    for (number, state) in states.enumerated() {
      let wanted = Dictionary(uniqueKeysWithValues: state.map { ("r/\($0)", $1) })
      #expect(reported[number].files == wanted, "seed \(seed), \(number)")
    }
  }

  @Test(arguments: TestScale.seeds(60)) func partsStartWithTheirFirstState(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let states = Self.states(&random)
    var filter = HistoryFilter()
    filter.since = 50 + 100 * Int64(random.number(in: 0...4))
    filter.until = filter.since.map { $0 + 300 }
    filter.path = Array("a".utf8)
    let source = try Self.source(states, filter: filter)
    let reported = try Self.reported(HistoryTimeline(source, filter: filter).text())
    for state in reported {
      let number = min(states.count - 1, state.time / 100)
      let below = states[number].filter { $0.key.hasPrefix("a/") }.map { ("r/\($0)", $1) }
      let wanted = Dictionary(uniqueKeysWithValues: below)
      #expect(state.files == wanted, "seed \(seed), \(state.time)")
      #expect(state.time >= filter.since ?? 0 && state.time <= filter.until ?? 0)
    }
  }

  @Test(arguments: TestScale.seeds(60)) func filesHaveTheSizesOfTheirTime(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let states = Self.states(&random)
    let number = random.number(in: 0...(states.count - 1))
    var filter = HistoryFilter()
    (filter.since, filter.until) = (100 * Int64(number), 100 * Int64(number))
    let content = try Self.source(states, filter: filter).content
    var found: Files = [:]
    for (node, record) in content.world.history.nodes.enumerated()
    where !record.isFolder && content.isShown[node] {
      let path = String(decoding: content.world.history.path(of: node), as: UTF8.self)
      let facts = try #require(content.facts(of: node))
      found[String(path.dropFirst(2))] = Int(facts.size)
      // The last change up to that state.
      let name = String(path.dropFirst(2))
      var last = number
      while last > 0, states[last - 1][name] == states[number][name] { last -= 1 }
      #expect(facts.modified == 100 * Int64(last), "seed \(seed), \(path)")
    }
    #expect(found == states[number], "seed \(seed)")
  }

  @Test func historyCanBeReplaced() async throws {
    let source = try Self.source([["a/1": 1]])
    let stamp = source.session(FileSystemScanner.Options(), readers: 1)
      .stamp(of: .path(root: source.roots[0], path: Array("r".utf8), handle: nil))
    source.replace(by: try Self.source([["a/1": 1, "c/2": 1]]).content.world)
    let session = source.session(FileSystemScanner.Options(), readers: 1)
    let root = FolderReference.path(root: source.roots[0], path: Array("r".utf8), handle: nil)
    #expect(session.stamp(of: root) != stamp)
    var listing = FolderListing()
    session.makeReader().list(root, into: &listing)
    #expect(listing.folders.count == 2)
  }
}
