#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The ratio of two lists of times, with its confidence bounds.
package struct Comparison: Sendable {
  /// The result of a comparison.
  package enum Verdict: String, Sendable {
    case slower
    case faster
    case noDifference = "no difference beyond the noise"
    case tooFewRuns = "too few runs"
  }

  /// The ratio of the second list to the first.
  package let ratio: Double
  /// The bounds of the true ratio, with a confidence of ``confidence``.
  package let bounds: ClosedRange<Double>
  package let confidence: Double

  /// Compares pairs of times, each of the same round.
  ///
  /// The ratio is the Hodges–Lehmann estimate, the median of the means of all pairs of logarithms
  /// of ratios (Walsh averages). Its bounds come from the exact distribution of Wilcoxon's
  /// signed-rank statistic (Hollander, Wolfe: Nonparametric Statistical Methods, 3.2–3.3). They
  /// assume only that the noise is symmetric on the logarithmic scale.
  ///
  /// - Returns: nil with fewer than two pairs.
  package init?(_ first: [Double], _ second: [Double]) {
    let logs = zip(first, second).compactMap { $0 > 0 && $1 > 0 ? log($1 / $0) : nil }
    guard logs.count >= 2 else { return nil }
    var sorted: [Double] = []
    for i in logs.indices { for j in 0...i { sorted.append((logs[i] + logs[j]) / 2) } }
    sorted.sort()
    let ways = Self.signedRankWays(logs.count)
    let total = ways.reduce(0, +)
    // Cut off as many estimates at both ends as 95 % confidence allows.
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

  /// For each sum of the positive ranks from 1 to n, the number of the 2^n choices of signs that
  /// give it.
  package static func signedRankWays(_ count: Int) -> [Double] {
    var ways = [1.0]
    for rank in stride(from: 1, through: count, by: 1) {
      var more = ways + [Double](repeating: 0, count: rank)
      for sum in ways.indices { more[sum + rank] += ways[sum] }
      ways = more
    }
    return ways
  }

  /// The conclusion if differences below `threshold` (a fraction) don't matter.
  package func verdict(threshold: Double) -> Verdict {
    if confidence < 0.95 { return .tooFewRuns }
    if bounds.lowerBound > 1, ratio > 1 + threshold { return .slower }
    if bounds.upperBound < 1, ratio < 1 / (1 + threshold) { return .faster }
    return .noDifference
  }
}
