import GeoProjection
import TestSupport
import Testing

@Suite struct CoordinateDegreesTests {
  @Test func degreesEqualTheParsedDecimals() throws {
    var generator = SeededGenerator(seed: 3)
    for digits in UInt8(0)...13 {
      var scale = 1
      for _ in 0..<digits { scale *= 10 }
      for _ in 0..<500 {
        let x = generator.number(in: -180 * scale...180 * scale)
        let y = generator.number(in: -90 * scale...90 * scale)
        let read = Coordinate(longitude: Int64(x), latitude: Int64(y)).degrees(digits: digits)
        #expect(read.longitude == Double("\(x)e-\(digits)"), "\(x)e-\(digits)")
        #expect(read.latitude == Double("\(y)e-\(digits)"), "\(y)e-\(digits)")
      }
    }
  }
}
