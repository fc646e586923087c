import Foundation
import GeoProjection
import TestSupport
import Testing

/// The chart is a bijection, and degrees are rounded exactly.
@Suite struct ChartTests {
  private static let world: ClosedRange<Int64> = 0...(1 << 62)
  private static let land: ClosedRange<Int64> = (1 << 59)...(7 << 59)

  private static func points(_ count: Int, of range: ClosedRange<Int64>) -> [PlanPoint] {
    var generator = SeededGenerator(seed: 7)
    var points: [PlanPoint] = []
    for x in [range.lowerBound, (range.lowerBound + range.upperBound) / 2, range.upperBound] {
      for y in [range.lowerBound, (range.lowerBound + range.upperBound) / 2, range.upperBound] {
        for dx in -1...1 where range.contains(x + Int64(dx)) {
          points.append(PlanPoint(x: x + Int64(dx), y: y))
        }
      }
    }
    for _ in 0..<TestScale.cases(count) {
      points.append(
        PlanPoint(
          x: .random(in: range, using: &generator), y: .random(in: range, using: &generator)))
    }
    return points
  }

  private static let seas: [UInt64] = [0, 1, .max, 1 << 63, 0x0123_4567_89AB_CDEF]

  @Test func inverseIsExact() {
    for sea in Self.seas {
      let chart = Chart(sea: sea)
      for point in Self.points(500, of: Self.world) {
        #expect(chart.inverse(chart(point)) == point)
        #expect(chart(chart.inverse(point)) == point)
      }
    }
  }

  @Test func landStaysInTheWorld() {
    let margin = Int64(0.05 * 0x1p62)
    for sea in Self.seas + (10..<200).map({ SplitMix64.number(1, $0) }) {
      let chart = Chart(sea: sea)
      for point in Self.points(20, of: Self.land).map(chart.callAsFunction) {
        let range = margin...((1 << 62) - margin)
        #expect(range.contains(point.x) && range.contains(point.y))
      }
    }
  }

  /// Small crosses are stretched no more than the proof of containment allows.
  @Test func stretchIsBounded() {
    let step: Int64 = 1 << 30
    for sea in Self.seas {
      let chart = Chart(sea: sea)
      for point in Self.points(300, of: Self.land) {
        let here = chart(point)
        for turn in 0..<16 {
          let angle = Double(turn) * .pi / 8
          let other = PlanPoint(
            x: point.x + Int64(cos(angle) * Double(step)),
            y: point.y + Int64(sin(angle) * Double(step)))
          let there = chart(other)
          let stretch =
            hypot(Double(there.x - here.x), Double(there.y - here.y))
            / hypot(Double(other.x - point.x), Double(other.y - point.y))
          #expect(stretch < 2.47 && stretch > 1 / 2.47)
        }
      }
    }
  }

  /// Each shear by its definition, in wide integers.
  @Test func chartFollowsItsDefinition() {
    for sea in Self.seas {
      let chart = Chart(sea: sea)
      for point in Self.points(100, of: Self.world) {
        var (x, y) = (Int128(point.x), Int128(point.y))
        for (index, wave) in [(1, 5, 5), (1, 5, 5), (2, 5, 6), (2, 5, 6), (3, 3, 6), (3, 3, 6)]
          .enumerated()
        {
          let c = index % 2 == 0 ? y : x
          let phase = Int128(SplitMix64.number(sea, UInt64(index)))
          let turn = (Int128(wave.0) * c + phase) & ((1 << 62) - 1)
          let u = turn - (1 << 61)
          let size = u < 0 ? -u : u
          let parabola = (u * ((1 << 61) - size)) >> 60
          let s = (parabola * Int128(wave.1)) >> Int128(wave.2)
          if index % 2 == 0 { x += s } else { y += s }
        }
        #expect(chart(point) == PlanPoint(x: Int64(x), y: Int64(y)))
      }
    }
  }

  @Test(arguments: UInt8(6)...13) func longitudesAreRoundedHalfToEven(_ digits: UInt8) {
    let degrees = Degrees(digits: digits)
    var ten: Int128 = 1
    for _ in 0..<digits { ten *= 10 }
    var values = Self.points(300, of: Self.world).map(\.x)
    // Halves, where rounding is decided: x·45·5^d is an odd multiple of 2^(58 − d).
    values += (0..<50).map { (2 * $0 + 1) << (58 - Int64(digits)) }
    for x in values {
      let product = Int128(x) * 360 * ten
      var whole = product >> 62
      let rest = product & ((1 << 62) - 1)
      if rest > 1 << 61 || rest == 1 << 61 && whole & 1 == 1 { whole += 1 }
      #expect(Int128(degrees.longitude(x)) == whole - 180 * ten)
    }
  }

  @Test(arguments: UInt8(6)...13) func latitudesAreRoundedHalfToEven(_ digits: UInt8) {
    let degrees = Degrees(digits: digits)
    let power = pow(10, Double(digits))
    for y in Self.points(300, of: Self.land).map(\.y) {
      let rounded = (Degrees.latitude(y) * power).rounded(.toNearestOrEven)
      #expect(degrees.latitude(y) == Int64(rounded))
    }
  }

  @Test func latitudesFollowMercator() {
    var last = Double.infinity
    for y in Self.points(500, of: (1 << 57)...(31 << 57)).map(\.y).sorted() {
      let latitude = Degrees.latitude(y)
      let exact = atan(sinh(.pi * Double(1 << 61 - y) * 0x1p-61)) * 180 / .pi
      #expect(abs(latitude - exact) <= 16 * exact.ulp + 1e-16)
      #expect(latitude <= last)
      last = latitude
    }
  }

  @Test func digitsOutOfRangeAreClamped() {
    #expect(Degrees(digits: 0).digits == 6)
    #expect(Degrees(digits: 255).digits == 13)
    #expect(Degrees(digits: 0).longitude(1 << 62) == 180_000_000)
    #expect(Degrees(digits: 255).longitude(0) == -1_800_000_000_000_000)
  }
}
