/// The median, range and quartiles of measured figures.
package struct Summary: Sendable {
  package let median: Double
  package let least: Double
  package let most: Double
  /// A quarter of the figures are below this.
  package let lowerQuartile: Double
  package let upperQuartile: Double

  /// nil without figures.
  package init?(_ values: [Double]) {
    let sorted = values.sorted()
    guard let least = sorted.first, let most = sorted.last else { return nil }
    self.least = least
    self.most = most
    median = Self.quantile(sorted, 0.5)
    lowerQuartile = Self.quantile(sorted, 0.25)
    upperQuartile = Self.quantile(sorted, 0.75)
  }

  /// The distance between the quartiles, as a fraction of the median.
  package var spread: Double { median > 0 ? (upperQuartile - lowerQuartile) / median : 0 }

  /// A quantile by linear interpolation between neighbours.
  private static func quantile(_ sorted: [Double], _ part: Double) -> Double {
    let place = Double(sorted.count - 1) * part
    let below = Int(place)
    let above = min(below + 1, sorted.count - 1)
    return sorted[below] + (sorted[above] - sorted[below]) * (place - Double(below))
  }
}
