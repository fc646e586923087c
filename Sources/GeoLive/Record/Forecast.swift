import GeoCore

/// When a file system will be full if its folders go on growing as before.
package enum Forecast: Sendable, Hashable {
  /// The bounds are by a growth that is two standard errors higher or lower: `earliest` is nil with
  /// less than three values, `latest` if it then never is full.
  case full(hours: Double, earliest: Double?, latest: Double?)
  case unknown(Reason)

  package enum Reason: String, Error, Sendable {
    case noValues = "the sizes of some files are unknown"
    case tooShort = "the states are less than half an hour apart"
    case noGrowth = "nothing grew"
    case shrinking = "there is less than before"
    case noRoom = "the free room is unknown"
    case notOnDisk = "it takes room on disk, not apparent sizes"
  }

  /// In bytes an hour, from the first value to the last one; nil if they are too close in time.
  /// Times are Unix seconds, in order.
  package static func rate(of values: [(time: Int64, bytes: Int64)]) -> Double? {
    guard let first = values.first, let last = values.last else { return nil }
    let seconds = Double(last.time) - Double(first.time)
    if seconds < Double(Trend.shortest) { return nil }
    return (Double(last.bytes) - Double(first.bytes)) / seconds * 3600
  }

  /// The rate from the first value to the last one goes on; how exact it is follows from the values
  /// between them. Times are Unix seconds, in order.
  package init(_ values: [(time: Int64, bytes: Int64)]?, free: Int64?) {
    do throws(Reason) {
      self = try Self.full(values, free: free)
    } catch {
      self = .unknown(error)
    }
  }

  private static func full(
    _ values: [(time: Int64, bytes: Int64)]?, free: Int64?
  ) throws(Reason) -> Self {
    guard let values, let first = values.first else { throw .noValues }
    var fit = LinearFit()
    for value in values {
      fit.add(
        (Double(value.time) - Double(first.time)) / 3600, Double(value.bytes) - Double(first.bytes))
    }
    guard let slope = rate(of: values) else { throw .tooShort }
    guard let free else { throw .noRoom }
    guard let hours = hours(untilFull: free, at: slope) else {
      throw slope < 0 ? .shrinking : .noGrowth
    }
    let error = fit.slopeError.map { 2 * $0 }
    return .full(
      hours: hours,
      earliest: error.flatMap { Self.hours(untilFull: free, at: slope + $0) },
      latest: error.flatMap { Self.hours(untilFull: free, at: slope - $0) })
  }

  /// At a growth in bytes an hour; nil if never.
  static func hours(untilFull free: Int64, at rate: Double) -> Double? {
    rate > 0 ? Double(max(0, free)) / rate : nil
  }
}
