import GeoCore
import TestSupport
import Testing

/// Arithmetic that stops at the ends of a type, against one that is wide enough.
@Suite struct SaturatingTests {
  private static let numbers: [Int64] = [.min, .min + 1, -3, -1, 0, 1, 2, 1000, .max - 1, .max]

  @Test func resultsAreClamped() {
    for a in Self.numbers {
      for b in Self.numbers {
        let (wide, other) = (Int128(a), Int128(b))
        #expect(a.adding(saturating: b) == Int64(clamping: wide + other))
        #expect(a.subtracting(saturating: b) == Int64(clamping: wide - other))
        #expect(a.multiplied(saturating: b) == Int64(clamping: wide * other))
      }
    }
    #expect(Int64(saturating: 0x1p63) == .max && Int64(saturating: -0x1p70) == .min)
    #expect(Int64(saturating: 2.6) == 3 && Int64(saturating: .nan) == 0)
    #expect(Int64(saturating: -.infinity) == .min)
  }
}
