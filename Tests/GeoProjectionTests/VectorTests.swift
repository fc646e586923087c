import GeoCore
import TestSupport
import Testing

import GeoProjection

/// The engine agrees with the test vectors to the bit.
@Suite struct VectorTests {
  @Test func hashesEqualTheVectors() throws {
    let vectors: Vectors.Hashes = try Vectors.load("hash")
    try #require(vectors.xxh64.count > 40 && vectors.splitmix64.count > 3)
    for vector in vectors.xxh64 {
      let bytes = Vectors.bytes(vector.bytes)
      let hash = XXH64.hash(bytes.span, seed: try Vectors.word(vector.seed))
      #expect(hash == (try Vectors.word(vector.hash)), "\(vector.bytes)")
    }
    for vector in vectors.splitmix64 {
      let seed = try Vectors.word(vector.seed)
      for (index, number) in vector.numbers.enumerated() {
        #expect(SplitMix64.number(seed, UInt64(index)) == (try Vectors.word(number)))
      }
    }
  }

  @Test func latitudesEqualTheVectors() throws {
    let vectors: [Vectors.LatitudeOfY] = try Vectors.load("latitude")
    try #require(!vectors.isEmpty)
    for vector in vectors {
      let latitude = Degrees.latitude(try #require(Int64(vector.y)))
      #expect(latitude.bitPattern == (try Vectors.word(vector.bits)), "\(vector.y)")
    }
  }

  @Test func chartsEqualTheVectors() throws {
    let vectors: [Vectors.Charted] = try Vectors.load("chart")
    try #require(!vectors.isEmpty)
    for vector in vectors {
      let chart = Chart(sea: try Vectors.word(vector.seed))
      let plan = try Vectors.point(vector.plan)
      let charted = try Vectors.point(vector.chart)
      #expect(chart(plan) == charted)
      #expect(chart.inverse(charted) == plan)
    }
  }

  @Test func sharesEqualTheVectors() throws {
    let vectors: [Vectors.Shared] = try Vectors.load("shares")
    try #require(!vectors.isEmpty)
    for vector in vectors {
      let quad = try Vectors.quad(vector.quad)
      #expect(quad.breadth == Int64(vector.breadth))
      #expect(quad.lean == vector.lean)
      let order = vector.folders.sorted { ($0.key, $0.name) < ($1.key, $1.name) }
      let assignments = try order.enumerated().map {
        ShareOut.Assignment(key: try Vectors.word($1.key), index: $0)
      }
      let nowhere = FolderPlace(
        seed: 0, land: quad, depth: 0, digits: 6, minzoom: 0, isLanded: false)
      var places = [FolderPlace](repeating: nowhere, count: assignments.count)
      ShareOut(seed: try Vectors.word(vector.seed), lotBits: vector.bits)
        .share(quad, among: assignments.span, into: &places)
      for (folder, place) in zip(order, places) {
        #expect(place.land == (try Vectors.quad(folder.cell)))
      }
    }
  }

  @Test func filesEqualTheVectors() throws {
    let vectors: [Vectors.Files] = try Vectors.load("files")
    try #require(vectors.count >= 40)
    for vector in vectors {
      let folder = FolderPlace(
        seed: try Vectors.word(vector.seed), land: try Vectors.quad(vector.territory),
        depth: vector.depth, digits: 9, minzoom: 0, isLanded: true)
      let lots = try vector.lots.map(Vectors.quad)
      let lotBits = ShareOut.lotBits(depth: vector.depth)
      try #require(lots.count == 1 << lotBits)
      var taken = LotSet()
      for key in vector.keys {
        taken.formUnion(LotSet(lot: ShareOut.lot(of: try Vectors.word(key), bits: lotBits)))
      }
      #expect(lots.indices.filter { taken.contains(LotSet(lot: $0)) } == vector.taken)

      let engine = try GeoProjectionEngine(layout: .settled, labels: NameTable())
      let ground = Ground(territory: folder.land, seed: folder.seed, depth: folder.depth)
      #expect(ground.city == (try Vectors.quad(vector.city)))
      for pair in vector.crowd {
        let (count, crowd) = (pair[0], pair[1])
        let eighths = vector.depth == 0 ? 1 : 2
        #expect(
          Minzoom.crowd(
            files: count, cityEighths: eighths, lotBits: lotBits, taken: taken.count) == crowd)
        let city = engine.city(of: folder, fileCount: count, taken: taken)
        #expect(
          city.minzoom
            == Minzoom.files(breadth: ground.city.breadth, crowd: crowd, folder: folder.minzoom))
      }
      var frames = FileFrames(of: engine.city(of: folder, fileCount: 1, taken: taken))
      let free = lots.enumerated().filter { !vector.taken.contains($0.offset) }
      let drawn = frames.quads().compactMap(\.self)
      #expect(drawn == [ground.city.shrunk(by: 12)] + free.map { $0.element.shrunk(by: 4) })
      for file in vector.files {
        let place = frames.point(of: try Vectors.word(file.seed))
        #expect(place == (try Vectors.point(file.place)), "\(file.seed)")
      }
    }
  }

  @Test(arguments: ["tree-one", "tree-three"], Layout.allCases)
  func worldsEqualTheVectors(_ name: String, _ layout: Layout) throws {
    let vectors: Vectors.World = try Vectors.load(name)
    let world = try World(layout, vectors.roots)
    let expected = layout == .settled ? vectors.settled : vectors.pinned
    try #require(expected.count > 300 && world.nodes.count == expected.count)
    var nodes: [String: World.Node] = [:]
    for node in world.nodes { nodes[node.path.map(hex).joined(separator: "/")] = node }
    for vector in expected {
      try agree(try #require(nodes[vector.path], "\(vector.path)"), vector, in: world)
    }
  }

  private func agree(_ node: World.Node, _ vector: Vectors.World.Node, in world: World) throws {
    let kind = node.folder?.kind ?? .poi
    try #require("\(kind)" == vector.kind)
    try #require(node.depth == vector.depth)
    try #require(node.seed == (try Vectors.word(vector.seed)))
    try #require(node.digits == vector.digits)
    try #require(node.minzoom == vector.minzoom, "\(vector.path)")
    try #require(node.coordinate == (try Vectors.coordinate(vector.coordinate)), "\(vector.path)")
    try #require(node.folder?.isLanded == vector.landed)
    if let folder = node.folder {
      try #require(Int(folder.depth) == vector.depth)
      try #require(node.size == vector.size)
      if let quad = vector.quad { #expect(folder.land == (try Vectors.quad(quad))) }
      try #require(folder.isLanded == (vector.quad != nil))
      try #require(world.ring(node).isEmpty == !folder.isLanded)
    }
    if let ring = vector.ring {
      try #require(world.ring(node) == (try ring.map(Vectors.coordinate)), "\(vector.path)")
    }
  }

  private func hex(_ bytes: [UInt8]) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}
