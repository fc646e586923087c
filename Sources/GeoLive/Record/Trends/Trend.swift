/// Where a quantity goes.
package struct Trend: Sendable {
  /// In a word.
  package enum Direction: String, Sendable, CaseIterable {
    case risingFast = "rising fast"
    case rising
    case steady
    case falling
    case fallingFast = "falling fast"

    /// An arrow for it.
    package var arrow: String {
      switch self {
      case .risingFast: "⇈"
      case .rising: "↑"
      case .steady: "→"
      case .falling: "↓"
      case .fallingFast: "⇊"
      }
    }
  }

  /// Least, greatest and average value of the last while.
  package struct Window: Hashable, Sendable {
    /// How long it is, in seconds.
    package var span: Int64
    package var least: Int64
    package var greatest: Int64
    package var average: Double
  }

  /// The value at the end.
  package let value: Int64
  /// By how much it changes an hour; nil for less than half an hour.
  package let rate: Double?
  /// In a word, if there is a rate.
  package let direction: Direction?
  /// Those windows that begin where there are values, and the first that doesn't.
  package let windows: [Window]

  /// Half an hour, in seconds.
  private static let shortest: Int64 = 1800
  private static let hour: Int64 = 3600
  /// Hours of the windows.
  private static let hours: [Int64] = [1, 6, 24, 168]
  /// What part of the value it has to change by in an hour to count as going somewhere, and fast.
  private static let (some, much) = (0.001, 0.05)

  /// The trend of a series; nil if there are no values.
  package init?(of series: SampleSeries) {
    guard let first = series.first, let last = series.last else { return nil }
    value = last.value
    rate =
      last.time - first.time >= Self.shortest
      ? Self.slope(of: series, since: last.time - Self.hour) : nil
    direction = rate.map { rate in
      let part = rate / max(1, abs(Double(last.value)))
      if abs(part) < Self.some { return .steady }
      if abs(part) < Self.much { return part > 0 ? .rising : .falling }
      return part > 0 ? .risingFast : .fallingFast
    }
    var windows: [Window] = []
    for hours in Self.hours {
      windows.append(Self.window(of: series, hours * Self.hour, end: last))
      if last.time - first.time < hours * Self.hour { break }
    }
    self.windows = windows
  }

  /// The slope of the line that is nearest to the values, by least squares, an hour.
  private static func slope(of series: SampleSeries, since start: Int64) -> Double? {
    var count = 0.0
    var (meanTime, meanValue, products, squares) = (0.0, 0.0, 0.0, 0.0)
    // Welford's sums, which don't lose what large values have in common.
    series.forEach(since: start) { time, value in
      count += 1
      let x = Double(time - start) / Double(hour)
      let fromTime = x - meanTime
      meanTime += fromTime / count
      let y = Double(value)
      meanValue += (y - meanValue) / count
      products += fromTime * (y - meanValue)
      squares += fromTime * (x - meanTime)
    }
    return squares > 0 ? products / squares : nil
  }

  private static func window(
    of series: SampleSeries, _ span: Int64, end last: (time: Int64, value: Int64)
  ) -> Window {
    var window = Window(span: span, least: last.value, greatest: last.value, average: 0)
    var count = 0.0
    series.forEach(since: last.time - span) { _, value in
      count += 1
      window.least = min(window.least, value)
      window.greatest = max(window.greatest, value)
      window.average += (Double(value) - window.average) / count
    }
    return window
  }

  /// In how many hours something is full that this takes from; nil if never, at this rate.
  package func hoursUntilFull(free: Int64) -> Double? {
    guard let rate, rate > 0, direction != .steady else { return nil }
    return Double(max(0, free)) / rate
  }
}
