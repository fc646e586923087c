import Foundation
import GeoChange
import GeoCore
import GeoPipeline
import GeoTree
import GeoVerify
import Synchronization
import TestSupport
import Testing

/// What is written about two states is complete and true.
@Suite struct ComparisonTests {
  private static let cases = 60

  /// Searches for a pair of states in which a test finds a fault, and shrinks it.
  private func check(
    _ name: String, mayFail: Bool = false, _ fault: (StatePair) async throws -> String?
  ) async throws {
    try await StatePair.check(name, cases: Self.cases, mayFail: mayFail, fault)
  }

  @Test func equalStatesHaveNoChanges() async throws {
    try await check("a state with itself", mayFail: true) { pair in
      let nodes = try await written(StatePair(old: pair.new, new: pair.new)).nodes
      return nodes.isEmpty ? nil : "\(nodes.keys.sorted()) are written"
    }
  }

  @Test func swappedStatesSwapChanges() async throws {
    try await check("sides swapped", mayFail: true) { pair in
      let forth = try await written(pair).nodes
      let back = try await written(pair.swapped).nodes
      let opposite = [
        "added": "removed", "removed": "added", "moved": "left", "left": "moved",
        "changed": "changed", "": "",
      ]
      if Set(forth.keys) != Set(back.keys) { return "other nodes are written" }
      for (name, node) in forth {
        guard let other = back[name] else { continue }
        if opposite[node.change] != other.change || node.other != other.other {
          return "\(name) is \(node.change) and \(other.change)"
        }
        if node.place != other.place { return "\(name) is at another place" }
        if node.below["bytes"] ?? 0 != -(other.below["bytes"] ?? 0)
          || node.below["added"] != other.below["removed"]
          || node.below["changed"] != other.below["changed"]
        {
          return "below \(name) there is \(node.below) and \(other.below)"
        }
      }
      return nil
    }
  }

  @Test func changesTurnTheOldStateIntoTheNew() async throws {
    try await check("a comparison applied") { pair in
      var state = pair.old.lines
      for (name, node) in try await written(pair).nodes {
        let path = String(name.path.dropFirst(2))
        if node.change == "removed" || node.change == "left" || node.change == "changed" {
          let old = pair.old.line(path)
          if state.remove(old) == nil { return "\(name) was not there" }
        }
        if node.change == "added" || node.change == "moved" || node.change == "changed" {
          let line =
            name.isFolder
            ? "\(path)/"
            : "\(path) \(node.special ?? "regular") \(node.size ?? -1) \(node.modified ?? -1)"
          state.insert(line)
        }
      }
      // The map leaves out nanoseconds.
      return state == pair.new.lines ? nil : "\(state.sorted()) is not the new state"
    }
  }

  /// The progress counts all entries of both states, even shared ones.
  @Test func progressCountsAllEntries() async throws {
    try await check("entries that were read") { pair in
      let reach = Mutex(ScanReach())
      var comparison = Comparison(
        old: [MemorySource(pair.old).root()], new: [MemorySource(pair.new).root()])
      comparison.scan.listener = { part, _ in reach.withLock { $0 += part } }
      var batches = try await comparison.start().makeAsyncIterator()
      while try await batches.next(isolation: nil) != nil {}
      let (found, all) = (
        reach.withLock { $0.ofStates }, pair.old.entries.count + pair.new.entries.count
      )
      return found == all ? nil : "\(found) entries of \(all) were counted"
    }
  }

  @Test func movesFollowTheDefinition() async throws {
    try await check("moves", mayFail: true) { pair in
      let found = try await written(pair).nodes
      var moves: [String: String] = [:]
      for (name, node) in found where node.change == "left" {
        moves[String(name.path.dropFirst(2))] = String((node.other ?? "").dropFirst(2))
      }
      let expected = pair.moves
      return moves == expected ? nil : "\(moves) are found, \(expected) expected"
    }
  }

  @Test func scratchFilesGiveTheSameResult() async throws {
    try await check("in a scratch file", mayFail: true) { pair in
      for all in [false, true] {
        for since in [nil, 1] as [Int64?] {
          let plain = try await written(pair, all: all, since: since).bytes
          let spilled = try await written(pair, all: all, memory: 0, since: since).bytes
          if spilled != plain {
            return "other bytes are written, all: \(all), since: \(since ?? -1)"
          }
        }
      }
      return nil
    }
  }

  @Test func sinceLeavesOutOlderFiles() async throws {
    try await check("since", mayFail: true) { pair in
      let whole = try await written(pair).nodes
      for since in 0...3 as ClosedRange<Int64> {
        let found = try await written(pair, since: since).nodes
        for (name, node) in whole where !name.isFolder {
          // A file at its old place has the times of the file at the new place.
          let other = NodeName(path: node.other ?? "", isFolder: false)
          let place = node.change == "left" ? whole[other] : node
          let stays =
            node.change == "removed" || (place?.modified ?? .max) >= since
          if stays != (found[name] != nil) { return "\(name) since \(since): \(!stays)" }
          if stays, found[name]?.change != node.change { return "\(name) is \(node.change)" }
        }
        for (name, node) in found {
          guard name.isFolder else { continue }
          var below: [String: Int] = [:]
          var bytes: Int64 = 0
          for (other, file) in found
          where !other.isFolder && other.path.hasPrefix(name.path + "/") {
            if file.change != "left" { below[file.change, default: 0] += 1 }
            let was = (file.was?["size"]).flatMap { Int64($0) } ?? 0
            switch file.change {
            case "added", "moved": bytes += file.size ?? 0
            case "removed", "left": bytes -= file.size ?? 0
            default: bytes += (file.size ?? 0) - was
            }
          }
          var reported = node.below
          let growth = reported.removeValue(forKey: "bytes")
          if reported != below {
            return "below \(name) since \(since) there is \(reported), not \(below)"
          }
          if let growth, growth != Int(bytes) {
            return "\(name) has grown by \(growth) since \(since), not by \(bytes)"
          }
        }
      }
      return nil
    }
  }

  @Test func totalsAgreeWithBothStates() async throws {
    try await check("below") { pair in
      let nodes = try await written(pair, all: true).nodes
      for (name, node) in nodes where name.isFolder {
        let path = String(name.path.dropFirst(2))
        let start = path.isEmpty ? "" : path + "/"
        var expected: [String: Int] = [:]
        for (other, found) in nodes
        where !other.isFolder && other.path.dropFirst(2).hasPrefix(start) {
          if !found.change.isEmpty, found.change != "left" {
            expected[found.change, default: 0] += 1
          }
        }
        let bytes = pair.new.bytes(below: start) - pair.old.bytes(below: start)
        if bytes != 0 { expected["bytes"] = Int(bytes) }
        if node.below != expected { return "below \(name) there is \(node.below), not \(expected)" }
      }
      return nil
    }
  }

  @Test func placesEqualThoseOfTheUnion() async throws {
    try await check("places of the union", mayFail: true) { pair in
      let roots = UnionSource.roots(
        of: [[MemorySource(pair.old).root("x")], [MemorySource(pair.new).root()]])
      var bytes: [UInt8] = []
      for try await chunk in try await MapPipeline.open(MapRequest(roots: roots)) {
        chunk.withBytes { span in for index in 0..<span.count { bytes.append(span[index]) } }
      }
      let map = try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any] ?? [:]
      var places: [NodeName: String] = [:]
      for feature in map["features"] as? [[String: Any]] ?? [] {
        let properties = feature["properties"] as? [String: Any] ?? [:]
        let geometry = feature["geometry"] as? [String: Any] ?? [:]
        let name = NodeName(
          path: properties["path"] as? String ?? "",
          isFolder: properties["kind"] as? String != "poi")
        places[name] = "\(geometry["coordinates"] ?? "") \(properties["minzoom"] ?? "")"
      }
      let all = try await written(pair, all: true).nodes.mapValues { "\($0.place) \($0.minzoom)" }
      if all != places { return "\(all.count) nodes are not the \(places.count) of the union" }
      for (name, node) in try await written(pair).nodes
      where places[name] != "\(node.place) \(node.minzoom)" {
        return "\(name) is elsewhere"
      }
      return nil
    }
  }

  @Test func mapsAreVerified() async throws {
    try await check("maps verified", mayFail: true) { pair in
      for all in [false, true] {
        let bytes = try await written(pair, all: all).bytes
        do {
          var verifier = MapVerifier()
          try verifier.read(bytes.span)
          var checker = try verifier.startChecking()
          try checker.check(bytes.span)
          let counts = try checker.finish()
          if counts.nodes == 0, pair.old != pair.new { continue }
        } catch let fault as MapFault {
          return "\(fault)"
        }
      }
      return nil
    }
  }

  @Test func anyNumberOfThreadsWritesTheSame() async throws {
    try await check("threads", mayFail: true) { pair in
      let one = try await written(pair, all: true, threads: 1).bytes
      return try await written(pair, all: true, threads: 5).bytes == one ? nil : "bytes differ"
    }
  }

  @Test func timesAreComparedWithCommonPrecision() async throws {
    func state(_ nanoseconds: UInt32) -> MemoryState {
      var state = MemoryState()
      state.entries["f"] = .file(kind: .regular, size: 1, seconds: 2, nanoseconds: nanoseconds)
      return state
    }
    let pair = StatePair(old: state(1), new: state(2))
    let exact = try await written(pair).nodes
    #expect(exact[NodeName(path: "r/f", isFolder: false)]?.change == "changed")
    #expect(
      exact[NodeName(path: "r/f", isFolder: false)]?.was == ["size": "1", "modified": "2"])
    #expect(try await written(pair, knowledge: (.seconds, .nanoseconds)).nodes.isEmpty)
    #expect(try await written(pair, knowledge: (.nanoseconds, .seconds)).nodes.isEmpty)
  }

  @Test func unlistedFoldersAreNotCompared() async throws {
    var old = MemoryState()
    old.entries = ["d": .closed]
    var new = MemoryState()
    new.entries = [
      "d": .folder, "d/e": .folder,
      "d/e/f": .file(kind: .regular, size: 7, seconds: 0, nanoseconds: 0),
      "g": .file(kind: .regular, size: 9, seconds: 0, nanoseconds: 0),
    ]
    let nodes = try await written(StatePair(old: old, new: new), all: true).nodes
    #expect(nodes[NodeName(path: "r/d/e/f", isFolder: false)]?.change == "")
    #expect(nodes[NodeName(path: "r/d/e", isFolder: true)]?.change == "")
    #expect(nodes[NodeName(path: "r/g", isFolder: false)]?.change == "added")
    // The sizes of the files in d were not known before.
    #expect(nodes[NodeName(path: "r", isFolder: true)]?.below == ["added": 1])
  }
}

extension MemoryState {
  /// A line for each entry.
  fileprivate var lines: Set<String> { Set(entries.keys.map { line($0) }) }

  fileprivate func line(_ path: String) -> String {
    switch entries[path] {
    case .file(let kind, let size, let seconds, _)?: "\(path) \(kind) \(size) \(seconds)"
    case .unreadable?: "\(path) unreadable"
    case .folder?, .closed?: "\(path)/"
    case nil: ""
    }
  }

  fileprivate func bytes(below start: String) -> Int64 {
    entries.reduce(0) { sum, entry in
      guard entry.key.hasPrefix(start), case .file(_, let size, _, _) = entry.value else {
        return sum
      }
      return sum + size
    }
  }

  /// Whether the contents of a folder are known, as far as the state has that folder.
  fileprivate func knows(_ path: String) -> Bool {
    var folder = path
    while let cut = folder.lastIndex(of: "/") {
      folder = String(folder[..<cut])
      if entries[folder] == .closed { return false }
    }
    return true
  }
}

extension StatePair {
  /// The files that moved, found by comparing all pairs: new paths by old ones.
  var moves: [String: String] {
    struct Key: Hashable {
      let size: Int64
      let seconds: Int64
      let nanoseconds: UInt32
    }
    func keys(_ state: MemoryState) -> [String: Key] {
      state.entries.compactMapValues { entry in
        guard case .file(.regular, let size, let seconds, let nanoseconds) = entry, size > 0 else {
          return nil
        }
        return Key(size: size, seconds: seconds, nanoseconds: nanoseconds)
      }
    }
    func isFile(_ entry: MemoryState.Entry?) -> Bool {
      entry != nil && entry != .folder && entry != .closed
    }
    let (before, after) = (keys(old), keys(new))
    let unchanged = Set(before.filter { after[$0.key] == $0.value }.values)
    let removed = before.filter {
      !isFile(new.entries[$0.key]) && new.knows($0.key) && !unchanged.contains($0.value)
    }
    let added = after.filter {
      !isFile(old.entries[$0.key]) && old.knows($0.key) && !unchanged.contains($0.value)
    }
    func name(_ path: String) -> Substring { path.split(separator: "/").last ?? "" }
    var moves: [String: String] = [:]
    for key in Set(removed.values) {
      let from = removed.filter { $0.value == key }.keys.sorted {
        Array($0.utf8).lexicographicallyPrecedes(Array($1.utf8))
      }
      let to = added.filter { $0.value == key }.keys.sorted {
        Array($0.utf8).lexicographicallyPrecedes(Array($1.utf8))
      }
      if from.count == 1, to.count == 1 {
        moves[from[0]] = to[0]
        continue
      }
      for word in Set(from.map(name)) {
        for (a, b) in zip(from.filter { name($0) == word }, to.filter { name($0) == word }) {
          moves[a] = b
        }
      }
    }
    return moves
  }
}
