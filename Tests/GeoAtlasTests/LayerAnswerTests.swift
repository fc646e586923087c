import Foundation
import GeoCore
import GeoFormats
import GeoTree
import TestSupport
import Testing

@testable import GeoAtlas

/// What answers say of layers.
@Suite struct LayerAnswerTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    for (name, size) in [("v/a/x", 30), ("v/a/y", 10), ("v/own", 5), ("v/b/z", 7), ("w/c/x", 9)] {
      try folder.makeFile(name, String(repeating: "x", count: size))
    }
  }

  /// A world whose files have commits, covered parts and teams, in columns.
  private func world(_ labels: [String]) throws -> World {
    var builder = LayerSetBuilder()
    try builder.begin(
      "rows",
      [
        .init(name: "commits"), .init(name: "cov", summary: .ratio), .init(name: "team"),
      ])
    let rows = [
      ("v/a/x", ["3", "1/2", "red"]), ("v/a/y", ["4", "", "blue"]), ("v/own", ["1", "1/4", ""]),
      ("w/c/x", ["2", "1/4", "red"]),
    ]
    for (index, (path, values)) in rows.enumerated() {
      try builder.add(
        path: Array(path.utf8), values.map { Array($0.utf8)[...] }, line: index + 2)
    }
    return try World(
      roots: labels.map { label in
        ScanRoot(label: Array(label.utf8), directory: Array(folder(label).utf8))
      }, layout: .settled, cacheLimit: 1 << 20, layers: builder.finish())
  }

  private func totals(_ world: World) async throws -> TreeTotals {
    try await TreeTotals.all(
      of: world.roots, options: FileSystemScanner.Options(), layers: world.layers)
  }

  /// The members `layers` of a part of an answer, sorted, by the names of the nodes.
  private func said(_ bytes: [UInt8], _ part: String? = nil) throws -> [String] {
    let object = try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any]
    let nodes = part.map { object?[$0] as? [[String: Any]] ?? [] } ?? [object ?? [:]]
    return nodes.map { node in
      let values = (node["layers"] as? [String: Any] ?? [:]).sorted { $0.key < $1.key }
      return ([node["name"] as? String ?? ""] + values.map { "\($0.key)=\($0.value)" })
        .joined(separator: " ")
    }.sorted()
  }

  @Test func summariesHaveValues() async throws {
    let world = try world(["v"])
    let answer = SummaryWriter(world, totals: try await totals(world), measure: .bytes).answer()
    let team = ["team=red", "team_share=0.75"]
    #expect(
      try said(answer) == [
        " "
          + (["commits=8", "cov=0.3333333333333333", "cov_count=2"] + team)
          .joined(separator: " ")
      ])
    #expect(
      try said(answer, "lands") == [
        "a " + (["commits=7", "cov=0.5", "cov_count=1"] + team).joined(separator: " "), "b",
      ])
    #expect(try said(answer, "own") == ["own commits=1 cov=0.25"])
    #expect(
      try said(answer, "largest") == [
        "own commits=1 cov=0.25", "x commits=3 cov=0.5 team=red", "y commits=4 team=blue", "z",
      ])
  }

  /// Files are known before folders.
  @Test func foldersSayNothingWithoutTotals() throws {
    let answer = SummaryWriter(try world(["v"]), totals: nil).answer()
    #expect(try said(answer) + said(answer, "lands") == ["", "a", "b"])
    #expect(try said(answer, "own") == ["own commits=1 cov=0.25"])
  }

  /// Several roots have numbers in common, but no word.
  @Test func severalRootsAddUp() async throws {
    let world = try world(["v", "w"])
    let answer = SummaryWriter(world, totals: try await totals(world), measure: .bytes).answer()
    #expect(try said(answer) == [" commits=10 cov=0.3 cov_count=3"])
  }

  @Test func nodesHaveValues() async throws {
    let world = try world(["v"])
    var writer = NodeWriter(world, totals: try await totals(world))
    let file = try #require(world.find(Array("v/a/x".utf8)))
    let own = writer.answer(about: file, children: 9)
    let alone = try #require(own)
    #expect(try said(alone) == [" commits=3 cov=0.5 team=red"])
    let found = try #require(world.find(Array("v/a".utf8)))
    let whole = writer.answer(about: found, children: 9)
    let answer = try #require(whole)
    #expect(
      try said(answer) == [" commits=7 cov=0.5 cov_count=1 team=red team_share=0.75"])
    let object = try JSONSerialization.jsonObject(with: Data(answer)) as? [String: Any]
    let children = try JSONSerialization.data(withJSONObject: try #require(object?["children"]))
    #expect(
      try said(Array(children), "shown")
        == ["x commits=3 cov=0.5 team=red", "y commits=4 team=blue"])
  }

  @Test func worldsDescribeLayers() throws {
    let world = try world(["v"])
    var json = JSONBuilder()
    json.object { world.put(layersWithSizes: "commits", to: &$0) }
    #expect(
      String(decoding: json.bytes, as: UTF8.self)
        == #"{"layers":[{"name":"commits","how":"sum","kind":"number"},"#
        + #"{"name":"cov","how":"ratio","kind":"number"},"#
        + #"{"name":"team","how":"share","kind":"word"}],"sizes":"commits"}"#)
  }
}
