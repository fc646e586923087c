import GeoMap
import TestSupport
import Testing

/// Conversions between coordinates and the units of web maps.
@Suite struct WebMapTests {
  @Test func convertsKnownPlaces() throws {
    let origin = GeoCoordinate(longitude: 0, latitude: 0)
    #expect(origin.webMercator == (0.5, 0.5))
    #expect(origin.pixel(zoom: 0) == (256, 256))
    #expect(origin.tile(zoom: 1) == MapTile(checking: 1, x: 1, y: 1))
    // Berlin's tile at zoom 10, as on every tile server.
    let berlin = GeoCoordinate(longitude: 13.3889, latitude: 52.517)
    #expect(berlin.tile(zoom: 10) == MapTile(checking: 10, x: 550, y: 335))
    let corner = GeoCoordinate(webMercatorX: 0, y: 0)
    #expect(abs(corner.latitude - 85.0511287798) < 1e-9 && corner.longitude == -180)
  }

  @Test func thereIsNoTileBeyondTheWorld() {
    #expect(MapTile(checking: -1, x: 0, y: 0) == nil)
    #expect(MapTile(checking: 61, x: 0, y: 0) == nil)
    #expect(MapTile(checking: 3, x: 8, y: 0) == nil)
    #expect(MapTile(checking: 3, x: 0, y: -1) == nil)
  }

  @Test(arguments: TestScale.seeds(20)) func tilesHoldTheirPlaces(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<50 {
      let place = GeoCoordinate(
        longitude: Double.random(in: -180..<180, using: &generator),
        latitude: Double.random(in: -84...84, using: &generator))
      let zoom = Int.random(in: 0...24, using: &generator)
      let tile = place.tile(zoom: zoom)
      let world = place.pixel(zoom: Double(zoom))
      let (x, y) = (world.x - Double(tile.x) * 512, world.y - Double(tile.y) * 512)
      #expect(0...512 ~= x && 0...512 ~= y, "seed \(seed): \(place) in \(tile)")
      let box = tile.box
      let slack = 1e-9
      #expect(
        box.west - slack...box.east + slack ~= place.longitude
          && box.south - slack...box.north + slack ~= place.latitude, "seed \(seed)")
      let (u, v) = place.webMercator
      let back = GeoCoordinate(webMercatorX: u, y: v)
      #expect(abs(back.longitude - place.longitude) < 1e-9, "seed \(seed)")
      #expect(abs(back.latitude - place.latitude) < 1e-9, "seed \(seed)")
    }
  }

  @Test func viewportsFitTheirWindow() throws {
    let center = GeoCoordinate(longitude: 10, latitude: 20)
    let view = MapViewport(center: center, zoom: 3.7, width: 800, height: 600)
    #expect(view.zoom == 3)
    let box = try #require(view.box)
    let (x, y) = center.pixel(zoom: 3.7)
    let west = GeoCoordinate(longitude: box.west, latitude: box.north).pixel(zoom: 3.7)
    #expect(abs(x - west.x - 400) < 1e-6 && abs(y - west.y - 300) < 1e-6)
    let far = MapViewport(center: center, zoom: 0, width: 4000, height: 4000).box
    #expect(far?.west == -180 && far?.east == 180)
    let edge = MapViewport(
      center: GeoCoordinate(longitude: 179, latitude: 0), zoom: 4, width: 800, height: 600)
    #expect(try #require(edge.box).west > #require(edge.box).east, "it crosses the antimeridian")
  }
}
