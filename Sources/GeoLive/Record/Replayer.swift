import GeoCore
import GeoSystem

package struct Replayer {
  private let clock: any ReplayClock
  /// Relative to the recording; above 0.
  package var speed = 1.0
  /// Seconds of the recording to skip.
  package var from = 0.0
  package var loops = false

  package enum End: Sendable {
    case complete
    /// `body` returned false.
    case stopped
    /// The events before the error were played.
    case broken(Failure)
  }

  package init(clock: any ReplayClock) { self.clock = clock }

  /// `open` opens the recording from its beginning, once for each round. `wait` is called before
  /// the player sleeps; `body` returns whether to continue.
  package func play<Stop: Error>(
    opening open: @escaping () throws(Failure) -> RecordingReader,
    waiting wait: () throws(Stop) -> Void,
    _ body: (RecordedEvent) throws(Stop) -> Bool
  ) throws(Stop) -> End {
    var cursor = ReplayCursor(
      start: clock.now, speed: speed, from: from, loops: loops, opening: open)
    while true {
      let step: ReplayCursor.Step?
      do throws(Failure) {
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

/// A clock for replays; tests use one that doesn't wait.
package protocol ReplayClock: AnyObject {
  /// Nanoseconds since an arbitrary time.
  var now: Int64 { get }

  func sleep(until time: Int64)
}

/// Sleeping advances it at once.
package final class SkippingClock: ReplayClock {
  package private(set) var now: Int64 = 0

  package init() {}

  package func sleep(until time: Int64) { now = max(now, time) }
}

/// The machine's monotonic clock.
package final class SteadyClock: ReplayClock {
  package init() {}

  package var now: Int64 { ThisProcess.nanoseconds }

  package func sleep(until time: Int64) { ThisMachine.sleep(until: time) }
}

/// Reads a recording round by round, and computes when each event is due. It uses no clock.
package struct ReplayCursor {
  package struct Step: Sendable {
    package var event: RecordedEvent
    /// In nanoseconds on the clock of the replay.
    package var deadline: Int64
  }

  private var times: ReplayTimes
  private let loops: Bool
  private let open: () throws(Failure) -> RecordingReader
  private var reader: RecordingReader?
  /// Of this round.
  private var start: Double
  private var duration = 0.0
  private var hasEvents = false

  /// Starts at `start` on the clock of the replay, in nanoseconds. `open` is called once for each
  /// round.
  package init(
    start: Int64, speed: Double, from: Double, loops: Bool,
    opening open: @escaping () throws(Failure) -> RecordingReader
  ) {
    times = ReplayTimes(start: start, speed: speed, from: from)
    self.start = from
    self.loops = loops
    self.open = open
  }

  /// Nil at the end.
  package mutating func next() throws(Failure) -> Step? {
    while true {
      var reader: RecordingReader
      if let begun = self.reader { reader = begun } else { reader = try open() }
      // Only one reference at a time, as a second one would cause a copy.
      self.reader = nil
      while let event = try reader.next() {
        duration = event.relativeTime
        if event.relativeTime < start { continue }
        hasEvents = true
        self.reader = reader
        return Step(event: event, deadline: times.deadline(of: event.relativeTime))
      }
      duration = max(duration, reader.metadata.duration ?? 0)
      // A recording without duration or events would loop without ever waiting.
      if !loops || !hasEvents || duration <= start { return nil }
      times.beginRound(after: duration)
      (start, duration, hasEvents) = (0, 0, false)
      self.reader = nil
    }
  }
}

/// Computes when the events of a recording are due.
///
/// Deadlines are relative to the start, not to the previous event, so that delays don't add up.
package struct ReplayTimes: Sendable {
  /// In nanoseconds on the clock of the replay.
  package let start: Int64
  package let speed: Double
  /// Of the first round.
  package let from: Double
  /// Of the finished rounds, in nanoseconds.
  private var base: Double = 0

  package init(start: Int64, speed: Double = 1, from: Double = 0) {
    self.start = start
    self.speed = speed
    self.from = from
  }

  private var round = 0

  /// In nanoseconds on the clock of the replay.
  package func deadline(of relativeTime: Double) -> Int64 {
    let time = round == 0 ? relativeTime - from : relativeTime
    let nanoseconds = base + max(0, time) / speed * 1e9
    // Avoids overflow.
    return start + Int64(min(nanoseconds, 9e18 - Double(max(0, start))))
  }

  package mutating func beginRound(after duration: Double) {
    base += max(0, round == 0 ? duration - from : duration) / speed * 1e9
    round += 1
  }
}
