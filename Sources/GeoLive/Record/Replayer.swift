import GeoSystem

/// Plays a recording: hands each event out at its time.
package struct Replayer {
  private let clock: any ReplayClock
  /// How many times as fast as it was recorded; above 0.
  package var speed = 1.0
  /// Seconds of the recording that are passed over.
  package var from = 0.0
  /// Whether it begins again at its end.
  package var loops = false

  /// Why it ended.
  package enum End: Sendable {
    case complete
    /// Whoever was handed an event has enough.
    case stopped
    /// The recording breaks off; what stands before was played.
    case broken(RecordingError)
  }

  /// A player by a clock.
  package init(clock: any ReplayClock) { self.clock = clock }

  /// Plays to the end.
  ///
  /// - Parameters:
  ///   - open: Opens the recording from its beginning; asked again for each round.
  ///   - wait: Called before the player sleeps, with nothing more to hand out for a while.
  ///   - body: Takes an event, and says whether to go on.
  package func play<Failure: Error>(
    opening open: @escaping () throws(RecordingError) -> RecordingReader,
    waiting wait: () throws(Failure) -> Void,
    _ body: (RecordedEvent) throws(Failure) -> Bool
  ) throws(Failure) -> End {
    var cursor = ReplayCursor(
      start: clock.now, speed: speed, from: from, loops: loops, opening: open)
    while true {
      let step: ReplayCursor.Step?
      do throws(RecordingError) {
        step = try cursor.next()
      } catch {
        return .broken(error)
      }
      guard let step else { return .complete }
      if clock.now < step.deadline {
        try wait()
        clock.sleep(until: step.deadline)
      }
      if try !body(step.event) { return .stopped }
    }
  }
}

/// Tells the time and sleeps. Tests hand in one that doesn't wait.
package protocol ReplayClock: AnyObject {
  /// Nanoseconds since some moment.
  var now: Int64 { get }

  /// Sleeps until the clock has come to a time.
  func sleep(until time: Int64)
}

/// A clock that never waits: when somebody sleeps, it is as late at once.
package final class SkippingClock: ReplayClock {
  package private(set) var now: Int64 = 0

  package init() {}

  package func sleep(until time: Int64) { now = max(now, time) }
}

/// The machine's own clock, which never runs backwards.
package final class SteadyClock: ReplayClock {
  package init() {}

  package var now: Int64 { ThisProcess.nanoseconds }

  package func sleep(until time: Int64) { ThisMachine.sleep(until: time) }
}

/// Goes through a recording, round by round, and says when each event is due. It knows no clock.
package struct ReplayCursor {
  /// An event and when it is due.
  package struct Step: Sendable {
    package var event: RecordedEvent
    /// On the clock that it is played by, in nanoseconds.
    package var deadline: Int64
  }

  private var times: ReplayTimes
  private let loops: Bool
  private let open: () throws(RecordingError) -> RecordingReader
  private var reader: RecordingReader?
  /// Seconds of this round that are passed over.
  private var start: Double
  private var duration = 0.0
  private var hasEvents = false

  /// - Parameters:
  ///   - start: When the play begins, on the clock that it is played by.
  ///   - speed: How many times as fast as it was recorded; above 0.
  ///   - from: Seconds that are passed over in the first round.
  ///   - loops: Whether it begins again at its end.
  ///   - open: Opens the recording from its beginning; asked again for each round.
  package init(
    start: Int64, speed: Double, from: Double, loops: Bool,
    opening open: @escaping () throws(RecordingError) -> RecordingReader
  ) {
    times = ReplayTimes(start: start, speed: speed, from: from)
    self.start = from
    self.loops = loops
    self.open = open
  }

  /// The next event; nil at the end.
  ///
  /// - Throws: Where the recording breaks off.
  package mutating func next() throws(RecordingError) -> Step? {
    while true {
      var reader: RecordingReader
      if let begun = self.reader { reader = begun } else { reader = try open() }
      // One hand at a time: a second would have it copied.
      self.reader = nil
      while let event = try reader.next() {
        duration = event.relativeTime
        if event.relativeTime < start { continue }
        hasEvents = true
        self.reader = reader
        return Step(event: event, deadline: times.deadline(of: event.relativeTime))
      }
      duration = max(duration, reader.metadata.duration ?? 0)
      // One without a length, or without events, would be played again and again at once.
      if !loops || !hasEvents || duration <= start { return nil }
      times.beginRound(after: duration)
      (start, duration, hasEvents) = (0, 0, false)
      self.reader = nil
    }
  }
}

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
