import GeoAtlas
import TestSupport
import Testing

/// The numbers of tiles along the curve.
@Suite struct HilbertTests {
  private func number(_ zoom: Int, _ x: Int, _ y: Int) throws -> UInt64 {
    HilbertCurve.number(of: try #require(TileAddress(zoom: zoom, x: x, y: y)))
  }

  /// Numbers from the specification (4.1) and from the tests of its authors' programs.
  @Test func numbersFollowTheSpecification() throws {
    #expect(try number(0, 0, 0) == 0)
    #expect(try number(1, 0, 0) == 1)
    #expect(try number(1, 0, 1) == 2)
    #expect(try number(1, 1, 1) == 3)
    #expect(try number(1, 1, 0) == 4)
    #expect(try number(2, 0, 0) == 5)
    #expect(try number(12, 3423, 1763) == 19_078_479)
  }

  @Test func numbersRoundTrip() throws {
    let property = Property<TileAddress>("number and tile") { generator in
      let zoom = generator.number(in: 0...TileAddress.maximumZoom)
      let most = 1 << zoom - 1
      return try #require(
        TileAddress(
          zoom: zoom, x: generator.number(in: 0...most), y: generator.number(in: 0...most)))
    } fault: { tile in
      let number = HilbertCurve.number(of: tile)
      let back = HilbertCurve.tile(number)
      if back != tile { return "\(number) leads to \(String(describing: back))" }
      let children = HilbertCurve.children(of: tile)
      if tile.zoom == TileAddress.maximumZoom { return children.isEmpty ? nil : "tiles too deep" }
      let first = 4 * (number - HilbertCurve.first(ofZoom: tile.zoom))
      let wanted = (0..<4).map { HilbertCurve.first(ofZoom: tile.zoom + 1) + first + $0 }
      let found = children.map { HilbertCurve.number(of: $0) }
      return found == wanted ? nil : "children \(found), not \(wanted)"
    }
    if let found = try property.counterexample(cases: 2000) { Issue.record("\(found)") }
  }

  /// Consecutive tiles share an edge.
  @Test func consecutiveTilesAreNeighbours() throws {
    for zoom in 1...6 {
      var before: TileAddress?
      for number in HilbertCurve.first(ofZoom: zoom)..<HilbertCurve.first(ofZoom: zoom + 1) {
        let tile = try #require(HilbertCurve.tile(number))
        if let before { #expect(abs(tile.x - before.x) + abs(tile.y - before.y) == 1) }
        before = tile
      }
    }
    #expect(HilbertCurve.tile(.max) == nil)
  }
}
