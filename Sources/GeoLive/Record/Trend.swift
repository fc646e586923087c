import GeoCore

package struct Trend: Sendable {
  package enum Direction: String, Sendable, CaseIterable {
    case risingFast = "rising fast"
    case rising
    case steady
    case falling
    case fallingFast = "falling fast"

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

  /// Of the last hours.
  package struct Window: Hashable, Sendable {
    /// In seconds.
    package var span: Int64
    package var minimum: Int64
    package var maximum: Int64
    package var average: Double
  }

  package let value: Int64
  /// Per hour; nil until half an hour is covered.
  package let rate: Double?
  package let direction: Direction?
  /// The windows that the values cover completely, and the next longer one.
  package let windows: [Window]

  /// In seconds.
  package static let shortest: Int64 = 1800
  private static let hour: Int64 = 3600
  private static let hours: [Int64] = [1, 6, 24, 168]
  /// Hourly change, relative to the value, that counts as rising or falling, and as fast.
  private static let (some, much) = (0.001, 0.05)

  /// Nil if the series is empty.
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

  /// Per hour, of the least-squares line through the values.
  private static func slope(of series: SampleSeries, since start: Int64) -> Double? {
    var fit = LinearFit()
    series.forEach(since: start) { time, value in
      fit.add(Double(time - start) / Double(hour), Double(value))
    }
    return fit.slope
  }

  private static func window(
    of series: SampleSeries, _ span: Int64, end last: (time: Int64, value: Int64)
  ) -> Window {
    var window = Window(span: span, minimum: last.value, maximum: last.value, average: 0)
    var count = 0.0
    series.forEach(since: last.time - span) { _, value in
      count += 1
      window.minimum = min(window.minimum, value)
      window.maximum = max(window.maximum, value)
      window.average += (Double(value) - window.average) / count
    }
    return window
  }

  /// At this rate; nil if never.
  package func hoursUntilFull(free: Int64) -> Double? {
    guard let rate, direction != .steady else { return nil }
    return Forecast.hours(untilFull: free, at: rate)
  }
}
