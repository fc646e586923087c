import Foundation
import GeoMap
import TestSupport
import Testing

/// Encoding and decoding returns the same nodes, and impossible nodes are refused.
@Suite struct CodingTests {
  private func nodes(_ folder: TemporaryFolder, totals: Bool) async throws -> [GeoNode] {
    try folder.makeFile("world/a/file.txt", "12345")
    try folder.makeFile("world/ü")
    try folder.makeLink("world/link", to: "nowhere")
    try folder.makePipe("world/pipe")
    try folder.makeFile(bytes: Array("world/".utf8) + [0xFF, 0x22, 0x0A], [1])
    var world = GeoWorld(folder: URL(filePath: folder("world")))
    world.includesTotals = totals
    world.scan.countsLinks = totals
    var nodes: [GeoNode] = []
    for try await batch in try await world.nodes() { nodes += batch }
    return nodes
  }

  @Test(arguments: [false, true]) func nodesRoundTrip(totals: Bool) async throws {
    let folder = try TemporaryFolder()
    let nodes = try await nodes(folder, totals: totals)
    #expect(nodes.count == 7)
    let json = try JSONEncoder().encode(nodes)
    #expect(try JSONDecoder().decode([GeoNode].self, from: json) == nodes)
    let list = try PropertyListEncoder().encode(nodes)
    let decoded = try PropertyListDecoder().decode([GeoNode].self, from: list)
    #expect(decoded == nodes)
    #expect(decoded.map(\.fileURL) == nodes.map(\.fileURL))
  }

  @Test func membersAreNamedAfterProperties() async throws {
    let folder = try TemporaryFolder()
    let nodes = try await nodes(folder, totals: false)
    let data = try JSONEncoder().encode(nodes)
    let members = try #require(JSONSerialization.jsonObject(with: data) as? [[String: Any]])
    for (node, members) in zip(nodes, members) {
      #expect(members["path"] as? String == node.path)
      let isText = node.path.utf8.elementsEqual(node.rawPath)
      let raw = (members["rawPath"] as? String).flatMap { Data(base64Encoded: $0) }
      #expect(raw.map { Array($0) } == (isText ? nil : node.rawPath))
      let place = try #require(members["coordinate"] as? [String: Double])
      #expect(
        place == [
          "longitude": node.coordinate.longitude, "latitude": node.coordinate.latitude,
        ])
    }
    #expect(members.map { $0["nodeType"] as? String } == nodes.map { "\($0.nodeType)" })
    #expect(
      Set(members.compactMap { $0["entryKind"] as? String })
        == ["directory", "regular", "symlink", "fifo"])
  }

  @Test(arguments: [
    ("path", "world/../etc"), ("path", ""), ("path", "world//a"), ("path", "world/a\0"),
    ("path", "world/."), ("depth", "7"), ("nodeType", "planet"), ("entryKind", "door"),
  ])
  func invalidNodesAreRefused(member: String, value: String) async throws {
    let folder = try TemporaryFolder()
    let node = try #require(try await nodes(folder, totals: false).last)
    let data = try JSONEncoder().encode(node)
    var members = try #require(JSONSerialization.jsonObject(with: data) as? [String: Any])
    members[member] = Int(value) ?? value
    let changed = try JSONSerialization.data(withJSONObject: members)
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(GeoNode.self, from: changed)
    }
  }

  @Test func datesEqualTheSeconds() async throws {
    let folder = try TemporaryFolder()
    let path = try folder.makeFile("world/old")
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSince1970: -13)], ofItemAtPath: path)
    let world = GeoWorld(folder: URL(filePath: folder("world")))
    let node = try #require(try await world.reader().node(at: "world/old"))
    #expect(node.modified == -13)
    #expect(node.modificationDate == Date(timeIntervalSince1970: -13))

    var selection = Selection()
    #expect(selection.modifiedAfter == nil && selection.modifiedBefore == nil)
    selection.modifiedAfter = Date(timeIntervalSince1970: -12.25)
    #expect(selection.newer == -13)
    #expect(selection.modifiedAfter == Date(timeIntervalSince1970: -13))
    selection.modifiedBefore = Date(timeIntervalSince1970: .infinity)
    #expect(selection.older == .max)
    selection.modifiedBefore = Date(timeIntervalSince1970: -.infinity)
    #expect(selection.older == .min)
    selection.modifiedBefore = nil
    #expect(selection.older == nil)
    _ = try await world.stats(now: Date(timeIntervalSince1970: .infinity))
  }
}
