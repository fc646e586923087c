import GeoCore
import GeoProjection
import GeoSystem
import TestSupport
import Testing

@testable import GeoDraw

/// What a sheet shows is so: heights, woods, free ground, and the sums of a view.
@Suite struct TruthTests {
  /// Folders of very different sizes, with files of their own and in sub-folders.
  private static func sizes() throws -> DrawnWorld {
    let world = try DrawnWorld(["w"])
    for (path, size) in [
      ("tiny/x", 559), ("small/x", 400_000), ("huge/x", 9_000_000), ("middle/x", 900_000),
      ("middle/in/x", 300_000),
      ("large/a/x", 3_000_000), ("large/b/x", 200), ("large/x", 10), ("wide/x", 120_000),
    ] {
      try world.folder.makeFile("w/\(path)", size: size)
    }
    for number in 0..<400 { try world.folder.makeFile("w/wide/many \(number)", "1") }
    return world
  }

  /// The sheet of all of them, drawn once for all tests.
  private static let sheet = Task { try await sizes().poster { $0.size = .medium } }

  /// The maps of that sheet and of a part of the world.
  private static func maps(_ part: BoundingBox) async throws -> [LandMap] {
    [
      try await sheet.value.map,
      try await sizes().poster(.box(part)) { $0.size = .medium }.map,
    ]
  }

  @Test func largerLandsAreHigher() async throws {
    for map in try await Self.maps(BoundingBox(uncheckedWest: -60, south: -60, east: 60, north: 60))
    {
      let relief = try #require(Relief(of: map, .light))
      let lands = relief.peaks.keys.sorted { map.bytes($0) < map.bytes($1) }
      #expect(lands.count > 3)
      for (lower, higher) in zip(lands, lands.dropFirst()) {
        let (a, b) = (relief.peaks[lower] ?? 0, relief.peaks[higher] ?? 0)
        #expect(map.bytes(lower) == map.bytes(higher) ? abs(a - b) < 1e-6 : a < b)
      }
      for land in map.order where map.bytes(Int32(land)) < 50_000 {
        #expect(relief.peaks[Int32(land)] == nil)
      }
    }
  }

  @Test func treesAreOnTheirLandAndApart() async throws {
    let part = BoundingBox(uncheckedWest: -90, south: -40, east: 20, north: 70)
    for (number, map) in try await Self.maps(part).enumerated() {
      let woods = Woods(on: map)
      for (index, tree) in woods.trees.enumerated() {
        let land = map.grid.land(at: tree)
        #expect(land != LandGrid.sea && !map.isRoot(Int(land)))
        #expect((map.tree.folders[Int(land)].totals?.files ?? 0) > 0)
        for other in woods.trees[..<index] { #expect(other.distance(to: tree) >= 3) }
      }
      if number == 0 { #expect(woods.trees.count > 100) }
    }
  }

  @Test func unusedGroundIsShelf() async throws {
    let world = try DrawnWorld(["w"])
    for number in 0..<3 { try world.folder.makeFile("w/land \(number)/file", "1") }
    let before = try await world.poster { $0.size = .medium }.map
    #expect(before.hasShelf)
    let root = try #require(before.lands[0])
    // All land is near a country; all countries are land.
    let countries = before.tree.folders[0].children.compactMap { before.lands[$0] }
    for index in before.grid.cells.indices where before.grid.cells[index] == 0 {
      let point = before.grid.middle(of: index)
      #expect(
        countries.contains {
          $0.outline.contains { ring in
            zip(ring, ring.dropFirst() + [ring[0]]).contains {
              Line.distance(of: point, from: $0, $1) < 27
            }
          }
        })
      if index % 7 > 0 { continue }
      #expect(Line.encloses(root.ring, point))
    }
    // A file of the root is on an islet.
    try world.folder.makeFile("w/own", "1")
    let after = try await world.poster { $0.size = .medium }.map
    let city = try #require(after.tree.folders[0].city)
    var frames = FileFrames(of: city)
    let seed = XXH64.hash(Array("own".utf8).span, seed: city.folderSeed)
    let spot = after.view.led(after.view.place(after.tree.engine.chart(frames.point(of: seed))))
    if after.view.frame.contains(spot) { #expect(after.grid.land(at: spot) == 0) }
  }

  @Test func tintsAreTheSameOnEverySheet() async throws {
    let world = try DrawnWorld.usual()
    func tints(_ target: PosterTarget) async throws -> [[UInt8]: UInt8] {
      let map = try await world.poster(target).map
      return Dictionary(
        uniqueKeysWithValues: map.lands.map { (map.tree.folders[$0].path, $1.tint) })
    }
    let all = try await tints(.world)
    for target in [
      PosterTarget.folder([Array("alpha".utf8)]),
      .folder([Array("beta".utf8), Array("country 1".utf8)]),
      .box(BoundingBox(uncheckedWest: -90, south: -40, east: 20, north: 70)),
    ] {
      for (path, tint) in try await tints(target) {
        if let other = all[path] { #expect(tint == other) }
      }
    }
  }

  @Test func sumsFollowTheView() async throws {
    let world = try Self.sizes()
    let (totals, engine) = try await world.survey()
    let found = try #require(
      engine.place(of: [Array("w".utf8)[...], Array("large".utf8)[...]], in: totals))
    let centre = engine.coordinate(of: found.place)
    let unit = Logarithm.power(10, Double(found.place.digits))
    let (lon, lat) = (Double(centre.longitude) / unit, Double(centre.latitude) / unit)
    // Within the country, nothing else is in sight.
    let near = BoundingBox(uncheckedWest: lon - 1, south: lat - 1, east: lon + 1, north: lat + 1)
    let inside = String(decoding: try await world.poster(.box(near)).svg, as: UTF8.self)
    #expect(inside.contains("<title>LARGE</title>"))
    #expect(inside.contains(">3.00 MB<"))
    #expect(!inside.contains(">13.7 MB<"))
    // Far out at sea nothing is.
    let sea = BoundingBox(uncheckedWest: -179, south: -84, east: -175, north: -82)
    let empty = String(decoding: try await world.poster(.box(sea)).svg, as: UTF8.self)
    #expect(empty.contains("<title>OPEN SEA</title>"))
  }

  @Test func sheetNamesTheMeasure() async throws {
    let world = try Self.sizes()
    let apparent = String(decoding: try await world.poster().svg, as: UTF8.self)
    #expect(apparent.contains(">apparent size<") && !apparent.contains(">on disk<"))
    let room = String(
      decoding: try await world.poster { $0.wantsRoom = true }.svg, as: UTF8.self)
    #expect(room.contains(">on disk<") && !room.contains(">apparent size<"))
  }
}

extension LandMap {
  /// The size of a folder by its index.
  fileprivate func bytes(_ folder: Int32) -> Double { tree.folders[Int(folder)].measured }
}
