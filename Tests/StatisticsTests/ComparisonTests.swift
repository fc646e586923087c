import Foundation
import Statistics
import TestSupport
import Testing

@Suite struct ComparisonTests {
  /// The examples are about differences; comparisons are about ratios.
  private func exponentials(_ values: [Double]) -> [Double] { values.map { exp($0) } }

  private func isNear(_ a: Double, _ b: Double) -> Bool { abs(a - b) < 1e-9 }

  /// Hollander and Wolfe, Nonparametric Statistical Methods, examples 3.1, 3.3 and 3.4: the
  /// depression scale of nine patients at the first and the second visit.
  @Test func pairsOfTheTextbook() throws {
    let before = [1.83, 0.50, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.30]
    let after = [0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29]
    let comparison = try #require(
      Comparison(exponentials(before), exponentials(after)))
    #expect(isNear(log(comparison.ratio), -0.46))
    #expect(isNear(log(comparison.bounds.lowerBound), -0.786))
    #expect(isNear(log(comparison.bounds.upperBound), -0.010))
    #expect(isNear(comparison.confidence, 1 - 20.0 / 512))
    #expect(comparison.verdict(threshold: 0.01) == .faster)
    #expect(comparison.verdict(threshold: 0.60) == .noDifference)
  }

  @Test(arguments: 1...9) func signedRanksAreThoseCountedOut(count: Int) {
    var counted = [Double](repeating: 0, count: count * (count + 1) / 2 + 1)
    for signs in 0..<(1 << count) {
      counted[(0..<count).reduce(0) { $0 + (signs >> $1 & 1) * ($1 + 1) }] += 1
    }
    #expect(Comparison.signedRankWays(count) == counted)
  }

  @Test func sixPairsAreEnoughAndFiveAreNot() throws {
    let six = try #require(Comparison([1, 1, 1, 1, 1, 1], [2, 2, 2, 2, 2, 2]))
    #expect(six.ratio == 2)
    #expect(six.confidence == 1 - 2.0 / 64)
    #expect(six.verdict(threshold: 0.01) == .slower)
    let five = try #require(Comparison([1, 1, 1, 1, 1], [2, 2, 2, 2, 2]))
    #expect(five.verdict(threshold: 0.01) == .tooFewRuns)
    #expect(Comparison([1], [2]) == nil)
  }

  /// Swapping the sides inverts the result, and units don't matter.
  @Test func sidesAndUnits() throws {
    var generator = SeededGenerator(seed: 11)
    for _ in 0..<50 {
      let a = (0..<8).map { _ in Double(generator.number(in: 50...150)) }
      let b = (0..<8).map { _ in Double(generator.number(in: 50...150)) }
      let there = try #require(Comparison(a, b))
      let back = try #require(Comparison(b, a))
      let scaled = try #require(Comparison(a, b.map { $0 * 3 }))
      #expect(isNear(there.ratio * back.ratio, 1))
      #expect(isNear(there.bounds.lowerBound * back.bounds.upperBound, 1))
      #expect(isNear(scaled.ratio / there.ratio, 3))
      #expect(there.bounds.contains(there.ratio))
    }
  }

  /// A program compared with itself is called slower or faster in at most one of twenty
  /// comparisons. A program that takes a tenth longer is detected, even if a third of the rounds
  /// are slow for both.
  @Test func noiseIsNoDifference() throws {
    var generator = SeededGenerator(seed: 3)
    var alarms = 0
    var found = 0
    for _ in 0..<400 {
      var a: [Double] = []
      var b: [Double] = []
      for _ in 0..<12 {
        let machine = generator.chance(0.33) ? 1.7 : 1.0
        a.append(machine * Double(generator.number(in: 950...1050)))
        b.append(machine * Double(generator.number(in: 950...1050)))
      }
      let same = try #require(Comparison(a, b))
      let slower = try #require(Comparison(a, b.map { $0 * 1.1 }))
      if same.verdict(threshold: 0) != .noDifference { alarms += 1 }
      if slower.verdict(threshold: 0.01) == .slower { found += 1 }
    }
    #expect(alarms > 0)  // otherwise the bounds are too wide
    #expect(alarms <= 30)
    #expect(found >= 380)
  }
}
