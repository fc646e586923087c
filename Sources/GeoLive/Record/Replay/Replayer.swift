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
