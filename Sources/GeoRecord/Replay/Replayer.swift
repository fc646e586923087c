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
    opening open: () throws(RecordingError) -> RecordingReader,
    waiting wait: () throws(Failure) -> Void,
    _ body: (RecordedEvent) throws(Failure) -> Bool
  ) throws(Failure) -> End {
    var times = ReplayTimes(start: clock.now, speed: speed, from: from)
    var start = from
    while true {
      var duration = 0.0
      var reader: RecordingReader
      do throws(RecordingError) {
        reader = try open()
      } catch {
        return .broken(error)
      }
      while true {
        let event: RecordedEvent?
        do throws(RecordingError) {
          event = try reader.next()
        } catch {
          return .broken(error)
        }
        guard let event else { break }
        duration = event.relativeTime
        if event.relativeTime < start { continue }
        let deadline = times.deadline(of: event.relativeTime)
        if clock.now < deadline {
          try wait()
          clock.sleep(until: deadline)
        }
        if try !body(event) { return .stopped }
      }
      duration = max(duration, reader.metadata.duration ?? 0)
      // A recording without a length would be played again and again at once.
      if !loops || duration <= 0 || duration <= start { return .complete }
      try wait()
      times.beginRound(after: duration)
      start = 0
      clock.sleep(until: times.deadline(of: 0))
    }
  }
}
