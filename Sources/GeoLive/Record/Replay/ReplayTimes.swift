/// When the events of a recording are due.
///
/// Each deadline is counted from the beginning, and not from the one before: nothing adds up, however
/// long it takes to hand an event out.
package struct ReplayTimes: Sendable {
  /// When it began, on the clock that it is played by.
  package let start: Int64
  /// How many times as fast as it was recorded.
  package let speed: Double
  /// Seconds of the recording that are passed over in the first round.
  package let from: Double
  /// Nanoseconds of the rounds that are over, as a sum of whole rounds.
  private var base: Double = 0

  /// Times of a replay that begins now.
  package init(start: Int64, speed: Double = 1, from: Double = 0) {
    self.start = start
    self.speed = speed
    self.from = from
  }

  private var round = 0

  /// When an event is due.
  ///
  /// - Parameter relativeTime: Seconds since the recording began.
  package func deadline(of relativeTime: Double) -> Int64 {
    let time = round == 0 ? relativeTime - from : relativeTime
    let nanoseconds = base + max(0, time) / speed * 1e9
    // Centuries are no case to provide for.
    return start + Int64(min(nanoseconds, 9e18 - Double(max(0, start))))
  }

  /// Goes on to the next round.
  ///
  /// - Parameter duration: Seconds that the recording takes.
  package mutating func beginRound(after duration: Double) {
    base += max(0, round == 0 ? duration - from : duration) / speed * 1e9
    round += 1
  }
}
