/// A time zone: how far its clocks are ahead of UTC, at any time.
package struct LocalZone: Sendable {
  /// The seconds that clocks are ahead of UTC at a Unix time; negative in the west.
  private let secondsEast: @Sendable (Int64) -> Int64

  /// Seconds of a day without a change of the clocks.
  private static let day: Int64 = 86_400

  /// Makes a zone from the seconds that its clocks are ahead of UTC at a Unix time.
  package init(_ secondsEast: @escaping @Sendable (Int64) -> Int64) {
    self.secondsEast = secondsEast
  }

  /// UTC.
  package static let utc = LocalZone { _ in 0 }

  /// The Unix time at which clocks show a time.
  ///
  /// A time that clocks show twice is the earlier one. A time that they skip is as much later as
  /// they are put forward: 02:30 becomes 03:30.
  ///
  /// - Parameter local: The time on the clocks, as seconds since 1970-01-01 00:00 there.
  package func unixSeconds(ofLocal local: Int64) -> Int64 {
    // No zone is a day away from UTC.
    let before = secondsEast(local &- Self.day)
    let after = secondsEast(local &+ Self.day)
    if secondsEast(local &- before) == before { return local &- before }
    return secondsEast(local &- after) == after ? local &- after : local &- before
  }

  /// The time on the clocks at a Unix time, as seconds since 1970-01-01 00:00 there.
  package func localSeconds(at seconds: Int64) -> Int64 { seconds &+ secondsEast(seconds) }

  /// The beginning of a day, as a Unix time.
  ///
  /// - Parameter days: How many days to go back from the day of `seconds`.
  package func startOfDay(_ days: Int64, before seconds: Int64) -> Int64 {
    unixSeconds(ofLocal: (day(at: seconds) - days) * Self.day)
  }

  /// The day of the week at a Unix time; 0 is Monday.
  package func weekday(at seconds: Int64) -> Int64 {
    // 1970 began on a Thursday.
    let day = (day(at: seconds) + 3) % 7
    return day < 0 ? day + 7 : day
  }

  /// The number of days since 1970-01-01 on the calendar of the zone.
  private func day(at seconds: Int64) -> Int64 {
    let (days, rest) = localSeconds(at: seconds).quotientAndRemainder(dividingBy: Self.day)
    return rest < 0 ? days - 1 : days
  }
}
