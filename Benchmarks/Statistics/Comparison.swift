#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// By how much one list of times is larger than another, and how sure that is.
package struct Comparison: Sendable {
  /// What a comparison comes to.
  package enum Verdict: String, Sendable {
    case slower
    case faster
    case noDifference = "no difference beyond the noise"
    case tooFewRuns = "too few runs"
  }

  /// The ratio of the second to the first.
  package let ratio: Double
  /// Bounds between which the true ratio lies with a confidence of ``confidence``.
  package let bounds: ClosedRange<Double>
  package let confidence: Double

  /// Pairs of times, each of the same round.
  ///
  /// The ratio is the Hodges–Lehmann estimate, the median of the means of all pairs of logarithms
  /// of ratios (Walsh averages); its bounds are those that the exact distribution of Wilcoxon's
  /// signed-rank statistic gives (Hollander, Wolfe: Nonparametric Statistical Methods, 3.2–3.3).
  /// They ask nothing of the noise but that it is symmetric on the logarithmic scale.
  ///
  /// - Returns: Nil with fewer than two pairs.
  package init?(paired first: [Double], _ second: [Double]) {
    let logs = zip(first, second).compactMap { $0 > 0 && $1 > 0 ? log($1 / $0) : nil }
    guard logs.count >= 2 else { return nil }
    var averages: [Double] = []
    for i in logs.indices { for j in 0...i { averages.append((logs[i] + logs[j]) / 2) } }
    self.init(estimates: averages, ways: Self.signedRankWays(logs.count))
  }

  /// Times that were not taken in pairs.
  ///
  /// The ratio is the median of all ratios of one of the second to one of the first; its bounds
  /// are those that the exact distribution of the statistic of Mann and Whitney gives (the same
  /// book, 4.2–4.3).
  ///
  /// - Returns: Nil with fewer than two of either.
  package init?(unpaired first: [Double], _ second: [Double]) {
    let a = first.filter { $0 > 0 }
    let b = second.filter { $0 > 0 }
    guard a.count >= 2, b.count >= 2 else { return nil }
    let logs = a.flatMap { x in b.map { log($0 / x) } }
    self.init(estimates: logs, ways: Self.rankSumWays(a.count, b.count))
  }

  /// - Parameter ways: How many of all equally likely cases give each value of the statistic,
  ///   which counts estimates above the truth.
  private init(estimates: [Double], ways: [Double]) {
    let sorted = estimates.sorted()
    let total = ways.reduce(0, +)
    // The largest number of estimates that may be cut off at either end for 95 %.
    var cut = 0
    var tail = 0.0
    while cut < (sorted.count - 1) / 2, (tail + ways[cut]) / total <= 0.025 {
      tail += ways[cut]
      cut += 1
    }
    let low = max(0, cut - 1)
    confidence = cut > 0 ? 1 - 2 * tail / total : 1 - 2 * ways[0] / total
    let middle = sorted.count / 2
    let median =
      sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
    ratio = exp(median)
    bounds = exp(sorted[low])...exp(sorted[sorted.count - 1 - low])
  }

  /// How many of the 2^n choices of signs give each sum of the ranks 1 to n that are positive.
  package static func signedRankWays(_ count: Int) -> [Double] {
    var ways = [1.0]
    for rank in stride(from: 1, through: count, by: 1) {
      var more = ways + [Double](repeating: 0, count: rank)
      for sum in ways.indices { more[sum + rank] += ways[sum] }
      ways = more
    }
    return ways
  }

  /// How many of the ways to mix two sorted lists give each count of pairs of which the second
  /// list's is the larger. The recursion over which list has the largest only adds, so that large
  /// counts lose no more than their last digits.
  package static func rankSumWays(_ first: Int, _ second: Int) -> [Double] {
    // rows[k]: for the first list without all but k of its figures
    var rows = [[Double]](repeating: [1], count: first + 1)
    for others in stride(from: 1, through: second, by: 1) {
      for own in stride(from: 1, through: first, by: 1) {
        var ways = [Double](repeating: 0, count: own * others + 1)
        // the largest is the second list's: it surpasses all `own` of the first
        for (pairs, number) in rows[own].enumerated() { ways[pairs + own] += number }
        // or the first's: it surpasses nothing that counts
        for (pairs, number) in rows[own - 1].enumerated() { ways[pairs] += number }
        rows[own] = ways
      }
    }
    return rows[first]
  }

  /// What can be said, if differences below `threshold` (a part of one) don't matter.
  package func verdict(threshold: Double) -> Verdict {
    if confidence < 0.95 { return .tooFewRuns }
    if bounds.lowerBound > 1, ratio > 1 + threshold { return .slower }
    if bounds.upperBound < 1, ratio < 1 / (1 + threshold) { return .faster }
    return .noDifference
  }
}
