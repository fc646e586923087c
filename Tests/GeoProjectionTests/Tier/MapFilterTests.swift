import GeoCore
import GeoProjection
import TestSupport
import Testing

@testable import GeoProjection

/// What a filter decides about a folder by its place.
@Suite struct MapFilterTests {
  private let engine: GeoProjectionEngine

  init() throws {
    engine = try GeoProjectionEngine(
      layout: .settled, labels: NameTable([Array("usr".utf8)], kind: .directory))
  }

  /// A folder in the middle of the world.
  private func place(depth: Int32, minzoom: UInt8, isLanded: Bool = true) -> FolderPlace {
    let (low, high) = (Int64(15) << 57, Int64(17) << 57)
    return FolderPlace(
      seed: 7,
      land: Quad(
        PlanPoint(x: low, y: low), PlanPoint(x: high, y: low), PlanPoint(x: high, y: high),
        PlanPoint(x: low, y: high)), depth: depth, digits: 6, minzoom: minzoom,
      isLanded: isLanded)
  }

  private func verdict(_ filter: MapFilter, on place: FolderPlace) -> MapFilter.Verdict {
    var ring: [Coordinate] = []
    return filter.verdict(on: place, by: engine, ring: &ring)
  }

  /// The bounding box of a folder's coast line, as printed.
  private func box(around place: FolderPlace) throws -> BoundingBox {
    var ring: [Coordinate] = []
    engine.coastline(of: place, into: &ring)
    let corners = try #require(Coordinate.corners(of: ring))
    let (low, high) = (
      corners.southWest.degrees(digits: place.digits),
      corners.northEast.degrees(digits: place.digits)
    )
    return try BoundingBox(
      west: low.longitude, south: low.latitude, east: high.longitude, north: high.latitude)
  }

  @Test func withoutConditionsAllIsShown() {
    let filter = MapFilter()
    #expect(!filter.isActive)
    #expect(verdict(filter, on: place(depth: 900, minzoom: 64)) == .entered)
    #expect(filter.shows(place(depth: 3, minzoom: 9), at: Coordinate(longitude: 0, latitude: 0)))
    #expect(filter.admits(City(engine, minzoom: 64), depth: 900))
  }

  @Test(arguments: [(6, MapFilter.Verdict.hidden), (7, .entered), (8, .entered)])
  func zoomHidesLaterNodes(zoom: Int, expected: MapFilter.Verdict) {
    let filter = MapFilter(zoom: zoom)
    #expect(filter.isActive)
    #expect(verdict(filter, on: place(depth: 2, minzoom: 7)) == expected)
    #expect(filter.admits(City(engine, minzoom: 7), depth: 3) == (expected != .hidden))
  }

  @Test(arguments: [(1, MapFilter.Verdict.hidden), (2, .shown), (3, .entered)])
  func depthHidesDeeperNodes(maxDepth: Int, expected: MapFilter.Verdict) {
    let filter = MapFilter(maximumDepth: maxDepth)
    #expect(verdict(filter, on: place(depth: 2, minzoom: 0)) == expected)
    #expect(filter.admits(City(engine, minzoom: 0), depth: 3) == (maxDepth >= 3))
  }

  @Test func boxHidesLandOutside() throws {
    let land = place(depth: 1, minzoom: 0)
    let own = try box(around: land)
    let step = 0.000_001
    for (box, isMet) in [
      (own, true),
      // Its own corner, and a point just outside: edges belong to a box.
      (BoundingBox(uncheckedWest: own.east, south: own.north, east: 180, north: 90), true),
      (BoundingBox(uncheckedWest: own.east + step, south: -90, east: 180, north: 90), false),
      (BoundingBox(uncheckedWest: -180, south: -90, east: own.west - step, north: 90), false),
      (BoundingBox(uncheckedWest: -180, south: own.north + step, east: 180, north: 90), false),
      (BoundingBox(uncheckedWest: -180, south: -90, east: 180, north: own.south - step), false),
      // Across the antimeridian: all but a strip.
      (
        BoundingBox(uncheckedWest: own.east + step, south: -90, east: own.west - step, north: 90),
        false
      ),
      (BoundingBox(uncheckedWest: own.east, south: -90, east: own.west - step, north: 90), true),
    ] {
      #expect(verdict(MapFilter(box: box), on: land) == (isMet ? .entered : .hidden), "\(box)")
    }
  }

  @Test func landlessFoldersAreShownByTheirPoint() {
    let filter = MapFilter(box: BoundingBox(uncheckedWest: 1, south: 1, east: 2, north: 2))
    let point = place(depth: 40, minzoom: 0, isLanded: false)
    #expect(verdict(filter, on: point) == .entered)
    for (longitude, latitude, isShown) in [
      (1_000_000, 2_000_000, true), (999_999, 1_500_000, false), (1_500_000, 2_000_001, false),
    ] as [(Int64, Int64, Bool)] {
      let coordinate = Coordinate(longitude: longitude, latitude: latitude)
      #expect(filter.shows(point, at: coordinate) == isShown)
      // A landed folder is judged by its coast line.
      #expect(filter.shows(place(depth: 1, minzoom: 0), at: coordinate))
    }
  }

  @Test func conditionsMustAllHold() throws {
    let land = place(depth: 2, minzoom: 7)
    let own = try box(around: land)
    let elsewhere = BoundingBox(uncheckedWest: -180, south: -90, east: own.west - 1, north: 90)
    for zoom in [nil, 6, 7] as [Int?] {
      for maxDepth in [nil, 1, 2, 3] as [Int?] {
        for box in [nil, own, elsewhere] {
          let single = [
            verdict(MapFilter(zoom: zoom), on: land),
            verdict(MapFilter(maximumDepth: maxDepth), on: land),
            verdict(MapFilter(box: box), on: land),
          ]
          let expected: MapFilter.Verdict =
            single.contains(.hidden) ? .hidden : single.contains(.shown) ? .shown : .entered
          let filter = MapFilter(zoom: zoom, box: box, maximumDepth: maxDepth)
          #expect(verdict(filter, on: land) == expected, "\(filter)")
        }
      }
    }
  }

  @Test func ringsMeetABoxByTheirOwnBox() throws {
    let property = Property<[Coordinate]>("box of a ring") { generator in
      (0..<generator.number(in: 1...9)).map { _ in
        Coordinate(
          longitude: Int64(generator.number(in: -1800...1800)),
          latitude: Int64(generator.number(in: -840...840)))
      }
    } shrink: { ring in
      ring.indices.compactMap { index in
        var smaller = ring
        smaller.remove(at: index)
        return smaller.isEmpty ? nil : smaller
      }
    } fault: { ring in
      let (x, y) = (ring.map(\.longitude), ring.map(\.latitude))
      for (west, east) in [(-90.0, 45.0), (0, 0), (100, -100)] {
        for (south, north) in [(-30.0, 60.0), (10, 10)] {
          // All places, in steps of a tenth of a degree.
          let isMet =
            (Int(y.min() ?? 0)...Int(y.max() ?? 0)).contains {
              (south...north).contains(Double($0) / 10)
            }
            && (Int(x.min() ?? 0)...Int(x.max() ?? 0)).contains { tenths in
              let place = Double(tenths) / 10
              return west <= east
                ? (west...east).contains(place) : place >= west || place <= east
            }
          let box = BoundingBox(uncheckedWest: west, south: south, east: east, north: north)
          if box.meets(ring, digits: 1) != isMet { return "\(box): \(!isMet)" }
        }
      }
      return nil
    }
    let found = try property.counterexample(cases: 200)
    #expect(found == nil, "\(found.map(String.init(describing:)) ?? "")")
    #expect(
      !BoundingBox(uncheckedWest: -180, south: -90, east: 180, north: 90).meets([], digits: 6))
  }
}

extension City {
  /// A city of which only the zoom matters.
  fileprivate init(_ engine: GeoProjectionEngine, minzoom: UInt8) {
    self = engine.city(of: engine.roots[0], fileCount: 1)
    self.minzoom = minzoom
  }
}
