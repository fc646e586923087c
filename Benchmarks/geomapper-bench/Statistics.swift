#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// What a list of measured figures comes to.
struct Summary {
  let median: Double
  let least: Double
  let most: Double
  /// A quarter of the figures lie below, a quarter above these.
  let lowerQuartile: Double
  let upperQuartile: Double

  /// Nil for no figures.
  init?(_ values: [Double]) {
    let sorted = values.sorted()
    guard let least = sorted.first, let most = sorted.last else { return nil }
    self.least = least
    self.most = most
    median = Self.quantile(sorted, 0.5)
    lowerQuartile = Self.quantile(sorted, 0.25)
    upperQuartile = Self.quantile(sorted, 0.75)
  }

  /// The distance between the quartiles, as a part of the median.
  var spread: Double { median > 0 ? (upperQuartile - lowerQuartile) / median : 0 }

  /// A quantile by linear interpolation between the neighbours.
  private static func quantile(_ sorted: [Double], _ part: Double) -> Double {
    let place = Double(sorted.count - 1) * part
    let below = Int(place)
    let above = min(below + 1, sorted.count - 1)
    return sorted[below] + (sorted[above] - sorted[below]) * (place - Double(below))
  }
}

/// By how much one list of times is larger than another, and how sure that is.
struct Comparison {
  /// The ratio of the second to the first.
  let ratio: Double
  /// Bounds between which the true ratio lies with a confidence of ``confidence``.
  let bounds: ClosedRange<Double>
  let confidence: Double

  /// Pairs of times, each of the same round.
  ///
  /// The ratio is the Hodges–Lehmann estimate, the median of the means of all pairs of logarithms
  /// of ratios (Walsh averages); its bounds are those that the exact distribution of Wilcoxon's
  /// signed-rank statistic gives (Hollander, Wolfe: Nonparametric Statistical Methods, 3.2–3.3).
  /// They ask nothing of the noise but that it is symmetric on the logarithmic scale.
  ///
  /// - Returns: Nil with fewer than two pairs.
  init?(paired first: [Double], _ second: [Double]) {
    let logs = zip(first, second).compactMap { $0 > 0 && $1 > 0 ? log($1 / $0) : nil }
    guard logs.count >= 2 else { return nil }
    var averages: [Double] = []
    for i in logs.indices { for j in 0...i { averages.append((logs[i] + logs[j]) / 2) } }
    // How many ways there are to get each sum of ranks.
    var ways = [1.0]
    for rank in 1...logs.count {
      var more = ways + [Double](repeating: 0, count: rank)
      for sum in ways.indices { more[sum + rank] += ways[sum] }
      ways = more
    }
    self.init(estimates: averages, ways: ways)
  }

  /// Times that were not taken in pairs.
  ///
  /// The ratio is the median of all ratios of one of the second to one of the first; its bounds
  /// are those that the exact distribution of the statistic of Mann and Whitney gives (the same
  /// book, 4.2–4.3).
  ///
  /// - Returns: Nil with fewer than two of either.
  init?(unpaired first: [Double], _ second: [Double]) {
    let a = first.filter { $0 > 0 }
    let b = second.filter { $0 > 0 }
    guard a.count >= 2, b.count >= 2 else { return nil }
    let logs = a.flatMap { x in b.map { log($0 / x) } }
    // The coefficients of the Gaussian binomial: how many ways there are to get each count.
    var ways = [1.0] + [Double](repeating: 0, count: a.count * b.count)
    for k in 1...a.count {
      let up = b.count + k
      for sum in stride(from: ways.count - 1, through: up, by: -1) { ways[sum] -= ways[sum - up] }
      for sum in stride(from: k, to: ways.count, by: 1) { ways[sum] += ways[sum - k] }
    }
    self.init(estimates: logs, ways: ways)
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

  /// What can be said, if differences below `threshold` (a part of one) don't matter.
  func verdict(threshold: Double) -> String {
    if confidence < 0.9 { return "too few runs" }
    if bounds.lowerBound > 1, ratio > 1 + threshold { return "slower" }
    if bounds.upperBound < 1, ratio < 1 / (1 + threshold) { return "faster" }
    return "no difference beyond the noise"
  }
}
