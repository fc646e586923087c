import GeoFormats
import TestSupport
import Testing

/// The table-driven curve equals the curve computed bit by bit.
@Suite struct WorldCurveTests {
  private let curve = WorldCurve()

  /// The usual algorithm, one level at a time.
  private func slowIndex(_ x: UInt32, _ y: UInt32) -> UInt64 {
    var (x, y) = (x, y)
    var index: UInt64 = 0
    for level in (0..<32).reversed() {
      let a = x >> UInt32(level) & 1
      let b = y >> UInt32(level) & 1
      index += UInt64((3 * a) ^ b) << UInt64(2 * level)
      if b == 0 {
        if a == 1 { (x, y) = (~x, ~y) }
        (x, y) = (y, x)
      }
    }
    return index
  }

  @Test func theTableFollowsTheCurve() throws {
    let property = Property<[UInt32]>(
      "same number",
      generate: { generator in
        (0..<2).map { _ in
          UInt32.random(in: 0...(.max), using: &generator)
            >> UInt32.random(in: 0..<32, using: &generator)
        }
      },
      fault: { cell in
        let (ours, theirs) = (curve.index(x: cell[0], y: cell[1]), slowIndex(cell[0], cell[1]))
        return ours == theirs ? nil : "\(ours), not \(theirs)"
      })
    let found = try property.counterexample(cases: 2000)
    #expect(found == nil, "\(found.map(\.description) ?? "")")
  }

  @Test func neighboursOnTheCurveAreNeighboursOnTheMap() {
    // In the first 16 × 16 cells, each step moves by one cell, and none is visited twice.
    var cells: [UInt64: (Int, Int)] = [:]
    for x in 0..<16 { for y in 0..<16 { cells[curve.index(x: UInt32(x), y: UInt32(y))] = (x, y) } }
    #expect(cells.keys.sorted() == (0..<256).map { UInt64($0) })
    for index in 0..<UInt64(255) {
      guard let a = cells[index], let b = cells[index + 1] else { return }
      #expect(abs(a.0 - b.0) + abs(a.1 - b.1) == 1)
    }
  }

  @Test func pointsOffTheWorldAreClamped() {
    let corners: [(Double, Double, UInt32, UInt32)] = [
      (-180, -90, 0, 0), (180, 90, .max, .max), (-1000, 1000, 0, .max), (.nan, .infinity, 0, .max),
      (0, 0, 1 << 31, 1 << 31),
    ]
    for (longitude, latitude, x, y) in corners {
      #expect(curve.index(longitude: longitude, latitude: latitude) == curve.index(x: x, y: y))
    }
  }
}
