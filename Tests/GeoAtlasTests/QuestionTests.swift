import Foundation
import GeoFormats
import GeoCore
import GeoProjection
import GeoTree
import TestSupport
import Testing

@testable import GeoAtlas

/// Finding the place of a path, and the path at a place.
@Suite struct QuestionTests {
  /// A tree, and all its paths; folders end in a slash.
  private func makeTree(
    seed: UInt64, deep: Bool = false
  ) throws -> (folder: TemporaryFolder, paths: [String]) {
    var generator = SeededGenerator(seed: seed)
    let folder = try TemporaryFolder()
    var paths: Set<String> = ["world/"]
    for _ in 0..<generator.number(in: 10...80) {
      let depth = generator.number(in: 0...(deep ? 30 : 6))
      var path = "world/"
      for _ in 0..<depth {
        path += "d\(generator.number(in: 0...(deep ? 1 : 4)))/"
        paths.insert(path)
      }
      try folder.makeFile("\(path)f\(generator.number(in: 0...99))", "x")
    }
    for path in try Self.list(folder) { paths.insert(path) }
    return (folder, paths.sorted())
  }

  private static func list(_ folder: TemporaryFolder) throws -> [String] {
    let outcome = try Subprocess.run(
      "/usr/bin/find", [folder("world"), "!", "-type", "d", "-printf", "world/%P\\n"])
    return outcome.text.split(separator: "\n").map(String.init)
  }

  private func world(_ folder: TemporaryFolder, _ layout: Layout = .settled) throws -> World {
    try World(
      roots: [ScanRoot(label: Array("world".utf8), directory: Array(folder("world").utf8))],
      layout: layout, cacheLimit: 1 << 24)
  }

  private func bytes(_ path: String) -> [UInt8] {
    Array(path.hasSuffix("/") ? path.dropLast().utf8 : Substring(path).utf8)
  }

  @Test(arguments: TestScale.seeds(12)) func everyFileIsNearestToItsPlace(seed: UInt64) throws {
    let (folder, paths) = try makeTree(seed: seed, deep: seed % 3 == 0)
    let world = try world(folder)
    for path in paths where !path.hasSuffix("/") {
      let node = try #require(world.node(at: bytes(path), asksFacts: false), "\(path)")
      let place = node.coordinate(by: world.engine)
      var query = PointQuery(ExactPoint(place, digits: node.digits))
      query.limit = 1000
      let answer = query.answer(in: world)
      let nearest = answer.files.filter { $0.distance == 0 }
      #expect(nearest.contains { $0.path == node.path }, "seed \(seed): \(path)")
      // The deepest folder is the file's parent, or the one whose city holds the landless parent.
      let way = try #require(answer.folders.first)
      let landed = node.ancestors.filter(\.place.isLanded)
      #expect(way.map(\.path) == landed.map(\.path), "seed \(seed): \(path)")
    }
  }

  @Test(arguments: TestScale.seeds(8)) func pointsInsideACoastLineFindItsFolder(seed: UInt64) throws
  {
    let (folder, paths) = try makeTree(seed: seed)
    let world = try world(folder)
    for path in paths where path.hasSuffix("/") {
      let found = try #require(world.find(bytes(path)))
      let place = found.folder.place
      guard place.isLanded else { continue }
      var ring: [Coordinate] = []
      world.engine.coastline(of: place, into: &ring)
      let centre = ExactPoint(world.engine.coordinate(of: place), digits: place.digits)
      for (number, vertex) in ring.enumerated() where number % TestScale.each(1) == 0 {
        let edge = ExactPoint(vertex, digits: place.digits)
        // The vertex itself is on the coast; just outside, the land is the parent's.
        #expect(PointQuery(edge).answer(in: world).folders.first?.last?.path == found.folder.path)
        for part in [Int64(1000), 100_000] {
          let inside = Self.step(from: edge, to: centre, 1, part)
          guard inside.isInside(ring, digits: place.digits) else { continue }
          let answer = PointQuery(inside).answer(in: world)
          #expect(
            answer.folders.first?.last?.path == found.folder.path, "seed \(seed): \(path), \(edge)")
          let outside = Self.step(from: edge, to: centre, -1, part)
          guard !outside.isInside(ring, digits: place.digits) else { continue }
          let around = PointQuery(outside).answer(in: world).folders.first?.last?.path
          #expect(around == found.ancestors.dropLast().last?.path, "seed \(seed): \(path), \(edge)")
        }
      }
    }
  }

  private static func step(
    from a: ExactPoint, to b: ExactPoint, _ sign: Int64, _ part: Int64
  ) -> ExactPoint {
    var point = a
    point.longitude += sign * (b.longitude - a.longitude) / part
    point.latitude += sign * (b.latitude - a.latitude) / part
    return point
  }

  @Test(arguments: TestScale.seeds(10)) func pinnedPathsNeedNoDisk(seed: UInt64) throws {
    let (folder, paths) = try makeTree(seed: seed, deep: seed % 3 == 0)
    let world = try world(folder, .pinned)
    let nowhere = try World(
      roots: [ScanRoot(label: Array("world".utf8), directory: Array("/nowhere/at/all".utf8))],
      layout: .pinned, cacheLimit: 0, readsDisk: false)
    for path in paths {
      let known = try #require(world.node(at: bytes(path), asksFacts: false))
      let computed = try #require(
        nowhere.pinnedNode(at: bytes(path), isFolder: path.hasSuffix("/")))
      #expect(computed.id == known.id && computed.digits == known.digits)
      #expect(
        computed.coordinate(by: nowhere.engine) == known.coordinate(by: world.engine),
        "seed \(seed): \(path)")
      #expect(computed.minzoom == nil || computed.minzoom == known.minzoom)
    }
    #expect(nowhere.folderReads == 0)
    #expect(nowhere.pinnedNode(at: bytes("elsewhere/a"), isFolder: false) == nil)
    #expect(try self.world(folder).pinnedNode(at: bytes("world/a"), isFolder: false) == nil)
  }

  @Test func cacheFollowsChangesOnDisk() throws {
    let folder = try TemporaryFolder()
    for name in ["a", "b"] { try folder.makeFile("world/\(name)/file", "x") }
    // A listing with a very recent time would not be cached.
    for name in ["world", "world/a"] { try folder.setModified(name, 1_000_000_000) }
    let known = try world(folder)
    #expect(known.node(at: bytes("world/a/file")) != nil)
    #expect(known.node(at: bytes("world/a/file")) != nil && known.folderReads == 2)
    let before = try world(folder).node(at: bytes("world/a/file"))
    for index in 0..<200 { try folder.makeFile("world/more\(index)/file", "x") }
    try folder.setModified("world", 1_000_000_001)
    Thread.sleep(forTimeInterval: 0.6)
    let node = try #require(known.node(at: bytes("world/a/file")))
    let fresh = try #require(try world(folder).node(at: bytes("world/a/file")))
    let place = node.coordinate(by: known.engine)
    #expect(place == fresh.coordinate(by: known.engine))
    #expect(place != before?.coordinate(by: known.engine), "the folder has to move for the test")
  }

  @Test func readsOnlyTheFoldersOnThePath() throws {
    let folder = try TemporaryFolder()
    for a in 0..<5 {
      for b in 0..<5 { try folder.makeFile("world/a\(a)/b\(b)/file", "x") }
    }
    let world = try world(folder)
    let node = try #require(world.node(at: bytes("world/a1/b2/file")))
    #expect(world.folderReads == 3)
    _ = world.node(at: bytes("world/a1/b2/file"))
    _ = world.node(at: bytes("world/a1/b2"))
    let query = PointQuery(ExactPoint(node.coordinate(by: world.engine), digits: node.digits))
    #expect(query.answer(in: world).files.first?.path == node.path)
    #expect(world.folderReads <= 12, "listings that are too young to be trusted are read again")
    for path in ["world/a9", "world/a1/b2/none", "world/a1/..", "world/", "worl", "", "/world"] {
      #expect(world.node(at: Array(path.utf8)) == nil, "\(path)")
    }
  }

  @Test(arguments: TestScale.seeds(6)) func zoomAndRadiusLimitTheAnswer(seed: UInt64) throws {
    let (folder, paths) = try makeTree(seed: seed)
    let world = try world(folder)
    let files = paths.filter { !$0.hasSuffix("/") }
    var generator = SeededGenerator(seed: seed)
    let nodes = files.compactMap { world.node(at: bytes($0), asksFacts: false) }
    for node in nodes.shuffled(using: &generator).prefix(10) {
      let place = ExactPoint(node.coordinate(by: world.engine), digits: node.digits)
      var query = PointQuery(place)
      query.limit = .max
      query.radius = Double.random(in: 0...3_000_000, using: &generator)
      query.zoom = Int.random(in: 3...30, using: &generator)
      let expected = nodes.filter { other in
        let there = ExactPoint(other.coordinate(by: world.engine), digits: other.digits)
        return Sphere.distance(place, there) <= query.radius ?? 0
          && Int(other.minzoom ?? 0) <= query.zoom ?? 0
          && other.ancestors.allSatisfy { Int($0.place.minzoom) <= query.zoom ?? 0 }
      }
      var reach: [ScanReach] = []
      let answer = query.answer(in: world) { part, _ in reach.append(part) }
      #expect(Set(answer.files.map(\.path)) == Set(expected.map(\.path)), "seed \(seed)")
      // The files found are among the files examined, folder by folder.
      #expect(reach.last?.files ?? 0 >= answer.files.count)
      #expect(reach.map(\.folders) == reach.indices.map { $0 + 1 })
      #expect(answer.files.map(\.distance) == answer.files.map(\.distance).sorted())
      let way = answer.folders.first ?? []
      #expect(way.allSatisfy { Int($0.place.minzoom) <= query.zoom ?? 0 })
    }
  }

  /// The nearest files of a whole world are those of a list of all, at any place.
  @Test(arguments: TestScale.seeds(6), [Layout.settled, .pinned])
  func nearestFilesAreExact(seed: UInt64, layout: Layout) throws {
    let (folder, paths) = try makeTree(seed: seed, deep: seed % 3 == 0)
    let world = try world(folder, layout)
    let files = paths.filter { !$0.hasSuffix("/") }
    let points = files.compactMap { world.node(at: bytes($0), asksFacts: false) }.map {
      ExactPoint($0.coordinate(by: world.engine), digits: $0.digits)
    }
    var generator = SeededGenerator(seed: seed)
    for number in 0..<40 {
      var place = ExactPoint(
        longitude: Double.random(in: -180...180, using: &generator),
        latitude: Double.random(in: -90...90, using: &generator))
      if number % 2 == 1, let point = points.randomElement(using: &generator) { place = point }
      var query = PointQuery(place)
      query.limit = Int.random(in: 1...20, using: &generator)
      query.radius = .infinity
      let distances = points.map { Sphere.distance(place, $0) }.sorted().prefix(query.limit)
      #expect(query.answer(in: world).files.map(\.distance) == Array(distances), "seed \(seed)")
    }
  }

  @Test func nearestFilesNeedFewFolders() throws {
    let folder = try TemporaryFolder()
    for a in 0..<8 {
      for b in 0..<8 {
        for c in 0..<20 { try folder.makeFile("world/a\(a)/b\(b)/\(c)", "x") }
      }
    }
    let world = try world(folder)
    let node = try #require(world.node(at: bytes("world/a1/b2/3"), asksFacts: false))
    var query = PointQuery(ExactPoint(node.coordinate(by: world.engine), digits: node.digits))
    query.radius = .infinity
    query.limit = 5
    var reach = ScanReach()
    #expect(query.answer(in: world) { part, _ in reach = part }.files.count == 5)
    #expect(reach.folders < 20, "of 73 folders")
  }

  /// No place of a box is nearer than the least distance, and the nearest is hardly farther.
  @Test(arguments: TestScale.seeds(20)) func leastDistancesToBoxes(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    func place(_ west: Double, _ south: Double, _ east: Double, _ north: Double) -> ExactPoint {
      ExactPoint(
        longitude: Double.random(in: west...east, using: &generator),
        latitude: Double.random(in: south...north, using: &generator))
    }
    let (low, high) = (place(-180, -90, 170, 80), place(-180, -90, 180, 90))
    let northEast = ExactPoint(
      longitude: max(low.degrees.longitude, high.degrees.longitude),
      latitude: max(low.degrees.latitude, high.degrees.latitude))
    let start = place(-180, -90, 180, 90)
    let least = Sphere.Origin(start).leastDistance(southWest: low, northEast: northEast)
    var nearest = Double.infinity
    for east in 0...100 {
      for north in 0...100 {
        let (west, south) = low.degrees
        let (end, top) = northEast.degrees
        let other = ExactPoint(
          longitude: west + (end - west) * Double(east) / 100,
          latitude: south + (top - south) * Double(north) / 100)
        nearest = min(nearest, Sphere.distance(start, other))
      }
    }
    #expect(least <= nearest, "seed \(seed)")
    #expect(nearest - least < 500_000, "seed \(seed)")
  }

  @Test func distancesAndBearings() {
    // London to New York, by the formulas of great circles.
    let london = ExactPoint(longitude: -0.1275, latitude: 51.507222)
    let newYork = ExactPoint(longitude: -74.006, latitude: 40.712778)
    #expect(abs(Sphere.distance(london, newYork) - 5_570_230) < 300)
    #expect(abs((Sphere.bearing(from: london, to: newYork) ?? 0) - 288.33) < 0.05)
    #expect(Sphere.distance(london, london) == 0)
    #expect(Sphere.bearing(from: london, to: london) == nil)
    let north = ExactPoint(longitude: 10, latitude: 20)
    let south = ExactPoint(longitude: 10, latitude: 10)
    #expect(Sphere.bearing(from: south, to: north) == 0)
    #expect(abs((Sphere.bearing(from: north, to: south) ?? 0) - 180) < 1e-9)
    #expect(abs(Sphere.distance(south, north) - Sphere.radius * 10 * .pi / 180) < 1e-3)
  }
}
