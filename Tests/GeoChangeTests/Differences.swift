import Foundation
import GeoChange
import GeoCore
import GeoPipeline
import GeoTree
import GeoWeb

/// What a map says about a node.
struct WrittenNode: Equatable {
  var change = ""
  /// Its path at the other place.
  var other: String?
  var size: Int64?
  var modified: Int64?
  var special: String?
  var below: [String: Int] = [:]
  var was: [String: String]?
  var place: String = ""
  var minzoom = 0
}

/// A node's identity: its path, and whether it is a folder.
struct NodeName: Hashable, Comparable {
  var path: String
  var isFolder: Bool

  static func < (a: Self, b: Self) -> Bool {
    (a.path, a.isFolder ? 1 : 0) < (b.path, b.isFolder ? 1 : 0)
  }
}

/// Compares two states, and parses the written map.
func written(
  _ pair: StatePair, all: Bool = false, threads: Int = 2, memory: Int = .max, since: Int64? = nil,
  knowledge: (ContentKnowledge, ContentKnowledge) = (.nanoseconds, .nanoseconds)
) async throws -> (nodes: [NodeName: WrittenNode], summary: [String: Any], bytes: [UInt8]) {
  var comparison = Comparison(
    old: [MemorySource(pair.old, knowledge.0).root()],
    new: [MemorySource(pair.new, knowledge.1).root()])
  comparison.scan.threads = threads
  comparison.keepsAll = all
  comparison.memory = memory
  comparison.since = since
  let request = ChangeMapRequest(
    comparison, states: [.init(name: Array("a".utf8)), .init(name: Array("b".utf8))],
    frame: StandalonePage.changes.frame)
  var bytes: [UInt8] = []
  for try await chunk in try await request.open() {
    chunk.withBytes { span in for index in 0..<span.count { bytes.append(span[index]) } }
  }
  let map = try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any] ?? [:]
  var nodes: [NodeName: WrittenNode] = [:]
  for feature in map["features"] as? [[String: Any]] ?? [] {
    let properties = feature["properties"] as? [String: Any] ?? [:]
    let name = NodeName(
      path: properties["path"] as? String ?? "",
      isFolder: properties["kind"] as? String != "poi")
    var node = WrittenNode()
    node.change = properties["change"] as? String ?? ""
    node.other = (properties["from"] ?? properties["to"]) as? String
    node.size = properties["size"] as? Int64
    node.modified = properties["modified"] as? Int64
    node.special = properties["special"] as? String
    node.below = properties["below"] as? [String: Int] ?? [:]
    node.was = (properties["was"] as? [String: Any])?.mapValues { "\($0)" }
    node.minzoom = properties["minzoom"] as? Int ?? -1
    let geometry = feature["geometry"] as? [String: Any] ?? [:]
    node.place = "\(geometry["coordinates"] ?? "")"
    nodes[name] = node
  }
  return (nodes, map["summary"] as? [String: Any] ?? [:], bytes)
}
