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
