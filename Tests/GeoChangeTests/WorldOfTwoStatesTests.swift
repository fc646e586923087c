import Foundation
import GeoAtlas
import GeoChange
import GeoCore
import GeoTree
import TestSupport
import Testing

/// A world of two states gives the same answers as a map of both.
@Suite struct WorldOfTwoStatesTests {
  private static let cases = 40

  /// The world of two states, and its differences.
  private struct TwoStates {
    let world: World
    let changes: ChangeTree

    init(_ pair: StatePair) async throws {
      var comparison = Comparison(
        old: [MemorySource(pair.old).root()], new: [MemorySource(pair.new).root()])
      comparison.keepsSums = true
      // For every other pair, all but the last page of each list is in a scratch file.
      if pair.old.entries.count.isMultiple(of: 2) { comparison.memory = 0 }
      var batches = try await comparison.start().makeAsyncIterator()
      while try await batches.next(isolation: nil) != nil {}
      changes = try batches.finish()
      world = try World(
        roots: comparison.union, layout: .settled, cacheLimit: 1 << 20, readsDisk: false)
    }

    /// The contents and bytes of all tiles in which a node first appears.
    func tiles(in format: TileFormat) throws -> [(TileContent, [UInt8])] {
      var found: [(TileContent, [UInt8])] = []
      var descent = TileDescent(through: world, totals: nil, changes: changes) {
        found.append(($0.content, format.encode($0.content)))
      }
      let root = try #require(TileAddress(zoom: 0, x: 0, y: 0))
      try descent.run(from: root, TileDescent.Range(complete: 0, maximumZoom: 30))
      return found
    }
  }

  /// The properties of a map's features, by node.
  private func features(_ bytes: [UInt8]) throws -> [NodeName: NSDictionary] {
    let map = try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any] ?? [:]
    var found: [NodeName: NSDictionary] = [:]
    for feature in map["features"] as? [[String: Any]] ?? [] {
      let properties = feature["properties"] as? [String: Any] ?? [:]
      let name = NodeName(
        path: properties["path"] as? String ?? "",
        isFolder: properties["kind"] as? String != "poi")
      found[name] = properties as NSDictionary
    }
    return found
  }

  @Test(arguments: [false, true]) func tilesSayWhatTheMapSays(mayFail: Bool) async throws {
    try await StatePair.check("tiles", cases: Self.cases, mayFail: mayFail) { pair in
      let expected = try features(try await written(pair, all: true).bytes)
      var found: [NodeName: NSDictionary] = [:]
      for (_, bytes) in try await TwoStates(pair).tiles(in: .geojson) {
        for (name, properties) in try features(bytes) {
          if let other = found[name], !Self.mayReplace(other, properties) {
            return "\(name) differs from tile to tile: \(other), \(properties)"
          }
          // A folder that is shown before its contents has no size yet.
          if found[name]?["size"] == nil { found[name] = properties }
        }
      }
      for (name, properties) in expected {
        guard let other = found[name] else { return "\(name) is in no tile" }
        if !Self.mayReplace(properties, other) || !Self.mayReplace(other, properties) {
          return "\(name) is \(properties), in tiles \(other)"
        }
      }
      return found.count == expected.count ? nil : "tiles have nodes that the map has not"
    }
  }

  /// Whether two features of a node agree, except for what a tile leaves unread in a folder without
  /// visible contents.
  private static func mayReplace(_ one: NSDictionary, _ other: NSDictionary) -> Bool {
    let unread = one["kind"] as? String == "poi" ? [] : ["size", "modified", "unreadable"]
    return one.allKeys.allSatisfy { key in
      (one[key] as? NSObject) == (other[key] as? NSObject)
        || unread.contains(key as? String ?? "") && (one[key] == nil || other[key] == nil)
    }
  }

  @Test func vectorTilesEqualTheMap() async throws {
    var description = TileJSON(name: [], tiles: "", bounds: nil)
    description.hasDifferences = true
    let fields = description.encode()
    try await StatePair.check("vector tiles", cases: Self.cases, mayFail: false) { pair in
      let nodes = try await written(pair, all: true).nodes
      for (_, bytes) in try await TwoStates(pair).tiles(in: .vector) {
        let tile = try DecodedTile(bytes)
        if let fault = try tile.fault(against: fields) { return fault }
        for layer in tile.layers where ["land", "files"].contains(layer.name) {
          for feature in layer.features {
            let fault = Self.fault(in: feature.properties, of: nodes)
            if let fault { return fault }
          }
        }
      }
      return nil
    }
  }

  /// The fault in the properties of a vector tile's feature.
  private static func fault(
    in properties: [String: DecodedTile.Value], of nodes: [NodeName: WrittenNode]
  ) -> String? {
    func text(_ key: String) -> String? {
      if case .text(let text) = properties[key] { text } else { nil }
    }
    func number(_ key: String) -> Int? {
      switch properties[key] {
      case .unsigned(let number): Int(number)
      case .signed(let number): Int(number)
      default: nil
      }
    }
    let path = text("path") ?? "\(text("folder") ?? "")/\(text("name") ?? "")"
    let name = NodeName(path: path, isFolder: text("kind") != "poi")
    guard let node = nodes[name] else { return "\(name) is not on the map" }
    if text("change") ?? "" != node.change { return "\(name) is \(node.change)" }
    if text("from") ?? text("to") != node.other { return "\(name) comes from elsewhere" }
    for word in ["added", "removed", "changed", "moved", "bytes"]
    where number("below_\(word)") != node.below[word] {
      return "below \(name) there is \(node.below), not \(properties)"
    }
    for (key, value) in node.was ?? [:] {
      let found = text("was_\(key)") ?? number("was_\(key)").map { "\($0)" }
      if found != value { return "\(name) was \(node.was ?? [:]), not \(properties)" }
    }
    return nil
  }

  @Test(arguments: [false, true]) func nodesEqualLinesOfTheMap(mayFail: Bool) async throws {
    try await StatePair.check("nodes", cases: Self.cases, mayFail: mayFail) { pair in
      let text = String(decoding: try await written(pair, all: true).bytes, as: UTF8.self)
      let states = try await TwoStates(pair)
      var seen: Set<String> = []
      // Folders come before files here; if a path is both, the answer is the folder.
      let lines = text.split(separator: "\n").filter { $0.hasPrefix("{\"type\":\"Feature\",") }
        .map { $0.hasSuffix(",") ? String($0.dropLast()) : String($0) }
      for line in lines.filter({ !$0.contains("\"kind\":\"poi\"") })
        + lines.filter({ $0.contains("\"kind\":\"poi\"") })
      {
        let json = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
        let path = (json?["properties"] as? [String: Any])?["path"] as? String ?? ""
        guard seen.insert(path).inserted else { continue }
        guard let found = states.world.find(Array(path.utf8)) else { return "\(path) is not found" }
        var writer = NodeWriter(states.world, changes: states.changes)
        let answer = writer.feature(of: found).map { String(decoding: $0, as: UTF8.self) }
        if answer != line {
          // The geometry is long and the same in both.
          return "\(line.suffix(400)) is answered by \((answer ?? "nothing").suffix(400))"
        }
      }
      return nil
    }
  }

  @Test func sumsEqualThoseOfBothStates() async throws {
    try await StatePair.check("sums", cases: Self.cases, mayFail: false) { pair in
      let changes = try await TwoStates(pair).changes
      for (path, entry) in pair.old.entries.merging(pair.new.entries, uniquingKeysWith: { $1 }) {
        guard entry == .folder || pair.old.entries[path] == .folder else { continue }
        let number = changes.number(of: Array("r/\(path)".utf8).components)
        guard let sums = changes.sums(ofFolder: number) else { return "\(path) is not known" }
        for (state, sum) in [(pair.old, sums.old), (pair.new, sums.new)] {
          let sizes = state.entries.filter { $0.key.hasPrefix(path + "/") }.compactMap { entry in
            if case .file(_, let size, _, _) = entry.value { size } else { nil }
          }
          if Int64(sizes.count) != sum.files || sizes.reduce(0, +) != sum.bytes(.bytes) {
            return "below \(path) there is \(sizes), not \(sum)"
          }
        }
      }
      return nil
    }
  }
}
