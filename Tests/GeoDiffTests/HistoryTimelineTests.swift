import Foundation
import GeoPath
import GeoPipeline
import GeoProjection
import GeoScan
import TestSupport
import Testing

@testable import GeoDiff

/// A time line tells of each state what `History` knows of it.
@Suite struct HistoryTimelineTests {
  private typealias Files = [String: Int]

  /// Files that come, change and go, in folders that do so with them.
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
        builder.take(
          Array(path.utf8), oldMode: before[path] == nil ? 0 : 0o100644,
          newMode: state[path] == nil ? 0 : 0o100644,
          object: Array(repeating: UInt8(ascii: "0"), count: 40).span)
      }
      before = state
    }
    let (history, _) = builder.finish()
    let roots = try WorldRoots(
      [ScanRoot(label: Array("r".utf8), directory: Array("r".utf8))], .settled, areThere: false)
    return HistorySource(HistoryWorld(history, roots.engine), filter: filter)
  }

  /// The files that a time line has in each of its states, by their times.
  private static func told(_ text: [UInt8]) throws -> [(time: Int, files: Set<String>)] {
    #expect(!text.contains(UInt8(ascii: "<")), "it could end the element that it stands in")
    var paths: [String?] = []
    var there: Set<Int> = []
    var told: [(Int, Set<String>)] = []
    for line in text.split(separator: UInt8(ascii: "\n")).dropFirst() {
      let row = try #require(try JSONSerialization.jsonObject(with: Data(line)) as? [Any])
      if let folder = row[0] as? String {
        paths.append(nil)
        let files = try #require(row[4] as? [Any])
        for index in stride(from: 0, to: files.count, by: 4) {
          paths.append("\(folder)/\(try #require(files[index] as? String))")
        }
        continue
      }
      var node = 0
      for change in try #require(row[4] as? [Int]) {
        node += change >> 2
        if change & 3 == 2 { there.remove(node) } else { there.insert(node) }
      }
      told.append((try #require(row[0] as? Int), Set(there.compactMap { paths[$0] })))
    }
    return told
  }

  @Test(arguments: 1...UInt64(60)) func everyStateIsToldAsItWas(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let states = Self.states(&random)
    let text = HistoryTimeline(try Self.source(states), filter: HistoryFilter()).text()
    let told = try Self.told(text)
    #expect(told.map(\.time) == states.indices.map { 100 * $0 }, "seed \(seed)")
    for (number, state) in states.enumerated() {
      #expect(told[number].files == Set(state.keys.map { "r/\($0)" }), "seed \(seed), \(number)")
    }
  }

  @Test(arguments: 1...UInt64(60)) func aPartBeginsWithWhatWasThere(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let states = Self.states(&random)
    var filter = HistoryFilter()
    filter.since = 50 + 100 * Int64(random.number(in: 0...4))
    filter.until = filter.since.map { $0 + 300 }
    filter.path = Array("a".utf8)
    let source = try Self.source(states, filter: filter)
    let told = try Self.told(HistoryTimeline(source, filter: filter).text())
    for state in told {
      let number = min(states.count - 1, state.time / 100)
      let wanted = states[number].keys.filter { $0.hasPrefix("a/") }.map { "r/\($0)" }
      #expect(state.files == Set(wanted), "seed \(seed), \(state.time)")
      #expect(state.time >= filter.since ?? 0 && state.time <= filter.until ?? 0)
    }
  }

  @Test func anotherHistoryTakesThePlaceOfTheOneAtHand() async throws {
    let source = try Self.source([["a/1": 1]])
    let witness = source.session(FileSystemScanner.Options(), readers: 1)
      .witness(of: .path(root: source.roots[0], path: Array("r".utf8), mark: nil))
    source.replace(by: try Self.source([["a/1": 1, "c/2": 1]]).content.world)
    let session = source.session(FileSystemScanner.Options(), readers: 1)
    let root = FolderReference.path(root: source.roots[0], path: Array("r".utf8), mark: nil)
    #expect(session.witness(of: root) != witness)
    var listing = FolderListing()
    session.makeReader().list(root, into: &listing)
    #expect(listing.folders.count == 2)
  }
}
