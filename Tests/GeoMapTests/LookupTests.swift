import Foundation
import GeoCore
import GeoMap
import GeoPipeline
import TestSupport
import Testing

/// Answers about single paths and places equal those of the whole map.
@Suite struct LookupTests {
  private func makeTree(seed: UInt64, deep: Bool) throws -> TemporaryFolder {
    var generator = SeededGenerator(seed: seed)
    let folder = try TemporaryFolder()
    try folder.makeFolder("world")
    for _ in 0..<generator.number(in: 5...40) {
      let path = (0..<generator.number(in: 0...(deep ? 30 : 4))).map { _ in
        "d\(generator.number(in: 0...(deep ? 1 : 3)))"
      }
      let names = ["world"] + path + ["f\(generator.number(in: 0...99))"]
      try folder.makeFile(names.joined(separator: "/"), "12345")
    }
    try folder.makeLink("world/link", to: "nowhere")
    try folder.makePipe("world/pipe")
    try folder.makeFile(bytes: Array("world/".utf8) + [0xFF, 0x22], [1])
    return folder
  }

  private func world(_ folder: TemporaryFolder, _ layout: Layout = .settled) -> GeoWorld {
    var world = GeoWorld(folder: URL(filePath: folder("world")))
    world.layout = layout
    return world
  }

  private func nodes(_ world: GeoWorld) async throws -> [GeoNode] {
    var nodes: [GeoNode] = []
    for try await batch in try await world.nodes() { nodes += batch }
    return nodes
  }

  private func parent(_ path: [UInt8]) -> [UInt8]? {
    path.lastIndex(of: UInt8(ascii: "/")).map { Array(path[..<$0]) }
  }

  @Test(arguments: TestScale.seeds(6), [Layout.settled, .pinned])
  func nodesEqualTheMap(seed: UInt64, layout: Layout) async throws {
    let folder = try makeTree(seed: seed, deep: seed % 3 == 0)
    let world = world(folder, layout)
    let nodes = try await nodes(world)
    let known = Dictionary(uniqueKeysWithValues: nodes.map { ($0.rawPath, $0) })
    let children = Dictionary(grouping: nodes) { parent($0.rawPath) ?? [] }
    let reader = try world.reader()
    for node in nodes {
      #expect(try await reader.node(at: node.rawPath) == node, "seed \(seed)")
      var above: [GeoNode] = []
      while let path = parent(above.last?.rawPath ?? node.rawPath) {
        above.append(try #require(known[path]))
      }
      #expect(try await reader.ancestors(of: node.rawPath) == above.reversed())
      if node.entryKind == .directory {
        // In a map, the files of a folder come first, then each sub-folder with its contents.
        #expect(try await reader.children(of: node.rawPath) == children[node.rawPath] ?? [])
      } else {
        #expect(try await reader.children(of: node.rawPath) == nil)
        let contents = try await reader.contents(at: node.coordinate, limit: 100)
        let here = contents.files.first { $0.node == node }
        #expect(here?.distance == 0, "seed \(seed): \(node.path)")
        let landed = above.filter(\.isLanded).reversed()
        #expect(contents.folders.contains(Array(landed)))
      }
    }
    for path in ["", "/", "/world", "world/none", "world/../world", "other", "world/link/x"] {
      #expect(try await reader.node(at: path) == nil, "\(path)")
      #expect(try await reader.ancestors(of: Array(path.utf8)) == nil)
    }
  }

  @Test(arguments: TestScale.seeds(3)) func featuresEqualTheTool(seed: UInt64) async throws {
    let folder = try makeTree(seed: seed, deep: false)
    let world = world(folder)
    var text: [UInt8] = []
    for try await chunk in try world.features(format: .geojsonl) {
      text += chunk
    }
    let reader = try world.reader()
    let lines = text.split(separator: UInt8(ascii: "\n"))
    let nodes = try await nodes(world)
    #expect(lines.count == nodes.count)
    for (line, node) in zip(lines, nodes) {
      let feature = try #require(
        JSONSerialization.jsonObject(with: Data(line)) as? [String: Any])
      let geometry = try #require(feature["geometry"] as? [String: Any])
      guard node.isLanded else {
        #expect(
          geometry["coordinates"] as? [Double]
            == [node.coordinate.longitude, node.coordinate.latitude])
        continue
      }
      let ring = try #require(try await reader.coastline(of: node.rawPath))
      let printed = (geometry["coordinates"] as? [[[Double]]])?.first
      #expect(printed == ring.map { [$0.longitude, $0.latitude] }, "seed \(seed): \(node.path)")
      let contents = try await reader.contents(at: ring[0])
      #expect(contents.folders.first?.last == node)
    }
    #expect(try await reader.coastline(of: Array("world/link".utf8)) == nil)
  }

  @Test(arguments: TestScale.seeds(6)) func aPinnedPathNeedsNoDisk(seed: UInt64) async throws {
    let folder = try makeTree(seed: seed, deep: seed % 3 == 0)
    var nowhere = GeoWorld(roots: [.init(label: "world", folder: URL(filePath: "/not/there"))])
    nowhere.layout = .pinned
    let reader = try nowhere.reader(readsDisk: false)
    for node in try await nodes(world(folder, .pinned)) {
      let isFolder = node.entryKind == .directory
      let planned = try #require(reader.plannedNode(at: node.rawPath, isFolder: isFolder))
      #expect(planned.id == node.id && planned.coordinate == node.coordinate)
      #expect(planned.nodeType == node.nodeType && planned.depth == node.depth)
      #expect(planned.isLanded == node.isLanded)
      #expect(planned.minimumZoom == (node.isLanded ? node.minimumZoom : nil), "seed \(seed)")
    }
    #expect(reader.lookup.world.folderReads == 0)
    #expect(throws: MapError.self) { try nowhere.lookup() }
    let settled = try world(folder).reader()
    #expect(settled.plannedNode(at: Array("world/d0".utf8), isFolder: true) == nil)
  }

  @Test func routesLeadOverTheCommonFolder() throws {
    let folder = try TemporaryFolder()
    try folder.makeFile("world/a/b/one")
    try folder.makeFile("world/a/c/two")
    try folder.makeFile("else/three")
    let world = GeoWorld(
      roots: ["world", "else"].map { .init(label: $0, folder: URL(filePath: folder($0))) })
    let lookup = try world.lookup()
    func route(_ a: String, _ b: String) -> GeoRoute? {
      lookup.route(from: Array(a.utf8), to: Array(b.utf8))
    }
    let way = try #require(route("world/a/b/one", "world/a/c/two"))
    #expect(
      way.stops.map(\.path)
        == ["world/a/b/one", "world/a/b", "world/a", "world/a/c", "world/a/c/two"])
    #expect(way.top == 2)
    var distance = 0.0
    for (a, b) in zip(way.stops, way.stops.dropFirst()) {
      distance += a.coordinate.distance(to: b.coordinate)
      #expect(lookup.node(at: a.rawPath)?.coordinate == a.coordinate)
    }
    #expect(way.distance == distance)
    #expect(way.distance >= way.stops[0].coordinate.distance(to: way.stops[4].coordinate))
    #expect(route("world/a", "world/a")?.stops.count == 1)
    #expect(route("world/a", "else/three")?.top == nil)
    #expect(
      route("world/a", "else/three")?.stops.map(\.path) == [
        "world/a", "world", "else", "else/three",
      ])
    #expect(route("world/a", "world/none") == nil)
  }

  @Test func unsupportedWorldsAreRefused() async throws {
    let folder = try makeTree(seed: 1, deep: false)
    var linked = world(folder)
    linked.scan.followsLinks = true
    #expect(throws: MapError.noLookup(because: .links)) { try linked.lookup() }
    await #expect(throws: MapError.noLookup(because: .links)) { try await linked.stats() }
    #expect(throws: MapError.self) { try GeoWorld(folder: URL(filePath: folder("none"))).lookup() }
    let root = GeoWorld.Root(label: "world", folder: URL(filePath: folder("world")))
    #expect(throws: MapError.self) { try GeoWorld(roots: [root, root]).lookup() }

    let reader = try world(folder).reader(cacheLimit: -1)
    let sea = GeoCoordinate(longitude: -179, latitude: 84)
    #expect(try await reader.contents(at: sea).folders.isEmpty)
    #expect(try await reader.contents(at: sea, radius: 1000).isEmpty)
    let land = try #require(try await reader.node(at: "world")).coordinate
    for (degrees, other) in [(181, 0), (0, -90.5), (Double.nan, 0), (0, .infinity)] {
      let nowhere = GeoCoordinate(longitude: degrees, latitude: other)
      let words = "must be from \(other == 0 ? "-180 to 180" : "-90 to 90")"
      let failures = [
        await #expect(throws: Failure.self) { try await reader.contents(at: nowhere) },
        await #expect(throws: Failure.self) { try await reader.files(nearest: nowhere, count: 1) },
      ]
      #expect(failures.allSatisfy { $0?.description.contains(words) == true })
    }
    for degrees in [Double.nan, .infinity, -.infinity] {
      let nowhere = GeoCoordinate(longitude: degrees, latitude: 0)
      #expect(nowhere.distance(to: land).isNaN && land.bearing(to: nowhere) == nil)
      _ = try await reader.contents(at: land, radius: degrees)
    }
    #expect(try await reader.contents(at: land, limit: -1).files.isEmpty)
    let all = try await nodes(world(folder)).filter { $0.nodeType == .poi }
    let found = try await reader.contents(at: land, limit: .max, radius: .infinity).files.map(
      \.node)
    #expect(Set(found) == Set(all))
    let nearest = try await reader.contents(at: land, limit: 3, radius: .infinity).files.map(\.node)
    #expect(nearest == Array(found.prefix(3)))
    #expect(try await reader.contents(at: land, limit: 3).files.map(\.node) == nearest)
    #expect(reader.lookup.world.cacheCost == 0)
  }

  @Test func statsAddUpTheWorld() async throws {
    let folder = try makeTree(seed: 2, deep: false)
    let world = world(folder)
    let nodes = try await nodes(world)
    let stats = try await world.stats(top: 2)
    #expect(stats.total.folders == nodes.count { $0.nodeType != .poi })
    #expect(stats.total.files == nodes.count { $0.nodeType == .poi })
    #expect(stats.largest.count == 2)
  }
}
