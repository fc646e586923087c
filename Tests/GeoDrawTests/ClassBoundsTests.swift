import TestSupport
import Testing

@testable import GeoDraw

/// Classes of numbers, with the bounds that the page's rules give.
@Suite struct ClassBoundsTests {
  @Test(
    arguments: [
      (
        [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 20, 30, 40, 50, 100, 200, 1000], false, [4, 7, 9, 30, 100]
      ),
      ([0.1, 0.15, 0.95], true, [0.2, 0.4, 0.6, 0.8]),
      ([0.81, 0.9, 0.99], true, [0.84, 0.88, 0.92, 0.96]),
      ([-5, -1, -0.3, 2, 3, 8], false, [-5, -2, 0, 2, 5]),
      ([10, 12, 15, 20, 25], false, [12, 16, 20, 24]),
      ([3, 4, 5], false, [4, 5]),
      ([7], false, []),
      ([0, 1], false, [1]),
      ([0.001, 0.02, 0.3, 4, 50, 600, 7000, 80000, 900000], false, [0.02, 4, 50, 5000, 50000]),
      ([-9, -7, -4], false, [-8, -7, -6, -5, -4]),
      ([1234.5, 1300, 2400, 3100.25], false, [1500, 2000, 2500, 3000]),
      ([0, 0, 0, 5], false, [5]),
      ([1e-7, 3e-7, 1e-06], false, [2e-7, 1e-06]),
      (
        [
          2500000000, 3100000000000, 70000000000, 100000000, 400000000, 900000000000,
        ], false, [400000000, 2000000000, 50000000000, 500000000000, 2000000000000]
      ),
      (
        [
          1, 1, 1, 2, 2, 3, 9, 9, 9, 9, 14, 15, 15, 16, 22, 31, 47, 80, 81, 82, 100, 101, 120,
        ], false, [2, 5, 15, 30, 100]
      ),
    ] as [([Double], Bool, [Double])])
  func boundsAreRound(values: [Double], isRatio: Bool, bounds: [Double]) {
    #expect(ClassBounds.ofNumbers(values, isRatio: isRatio) == bounds)
  }

  @Test func everyClassHasAValue() {
    var generator = SeededGenerator(seed: 7)
    for _ in 0..<300 {
      let scale = [1e-6, 0.01, 1, 1000, 1e9][generator.number(in: 0...4)]
      let values = (0..<generator.number(in: 0...40)).map { _ in
        Double(generator.number(in: -20...1000)) * scale
      }
      let bounds = ClassBounds.ofNumbers(values.map(abs), isRatio: false)
      #expect(bounds == bounds.sorted() && Set(bounds).count == bounds.count)
      let differs = Set(values.map(abs)).count
      #expect(differs < 7 || bounds.count >= 4 && bounds.count <= 6, "\(values) \(bounds)")
      let both = ClassBounds.ofNumbers(values, isRatio: false)
      if both.contains(0), both[0] < 0 { #expect(both == both.reversed().map { 0 - $0 }) }
    }
  }
}
