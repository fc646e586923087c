import GeoCore
import GeoSystem

/// Plays a recording: delivers each event at its time.
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

  private let speed: Double
  private let loops: Bool
  private let open: () throws(Failure) -> RecordingReader
  private var reader: RecordingReader?
  /// Start of the replay, in nanoseconds on its clock.
  private let origin: Int64
  /// Length of the finished rounds, in nanoseconds.
  private var base = 0.0
  /// Seconds of this round to skip.
  private var skipped: Double
  private var duration = 0.0
  private var hasEvents = false

  /// Starts at `start` on the clock of the replay, in nanoseconds. `open` is called once for each
  /// round.
  package init(
    start: Int64, speed: Double, from: Double, loops: Bool,
    opening open: @escaping () throws(Failure) -> RecordingReader
  ) {
    (origin, self.speed, skipped) = (start, speed, from)
    (self.loops, self.open) = (loops, open)
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
        if event.relativeTime < skipped { continue }
        hasEvents = true
        self.reader = reader
        // Avoids overflow.
        let elapsed = min(elapsed(at: event.relativeTime), 9e18 - Double(max(0, origin)))
        return Step(event: event, deadline: origin + Int64(elapsed))
      }
      duration = max(duration, reader.metadata.duration ?? 0)
      // A recording without duration or events would loop without ever waiting.
      if !loops || !hasEvents || duration <= skipped { return nil }
      base = elapsed(at: duration)
      (skipped, duration, hasEvents) = (0, 0, false)
      self.reader = nil
    }
  }

  /// Nanoseconds from the start of the replay, not from the previous event, so that delays don't add
  /// up.
  private func elapsed(at relativeTime: Double) -> Double {
    base + max(0, relativeTime - skipped) / speed * 1e9
  }
}
