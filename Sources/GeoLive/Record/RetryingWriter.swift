import GeoSystem

/// Writes a recording when a flush is due, and tries again with growing pauses after a failure.
///
/// It is for one thread at a time.
package final class RetryingWriter {
  package enum Notice: Hashable, Sendable {
    /// It is tried again.
    case failing(Errno)
    case recovered
    case stopped(String)
  }

  private let writer: RecordingWriter
  private let recordedAt: Int64
  private let start: Int64
  /// After a failure; the pause is before the time.
  private var attempt: (time: Int64, pause: Int64)?
  private var isStopped = false
  package var listener: (Notice) -> Void = { _ in }
  /// Because the disk is full.
  package private(set) var lost = 0

  private static let firstPause: Int64 = 100_000_000
  private static let longestPause: Int64 = 30_000_000_000
  /// To write the end of a recording.
  private static let lastAttempts = 6

  /// Nothing is written before the first flush. All times are in nanoseconds on one clock.
  package init(_ metadata: RecordingMetadata, to store: any RecordingStore, start: Int64) {
    writer = RecordingWriter(metadata, to: store)
    recordedAt = metadata.recordedAt
    self.start = start
  }

  package var written: Int64 { writer.written }

  /// When ``idle(at:)`` has to be called.
  package var deadline: Int64? { attempt?.time ?? writer.deadline }

  /// Also a header without events.
  package func begin(at time: Int64) { flush(at: time) }

  package func add(_ event: RecordedEvent, at time: Int64) {
    if isStopped { return }
    writer.add(event, at: time)
    if writer.waiting >= RecordingWriter.maximumWaiting, attempt == nil { flush(at: time) }
    if writer.isOverfull { stop("too much waits to be written") }
  }

  package func idle(at time: Int64) {
    if isStopped { return }
    if let attempt {
      if time >= attempt.time { flush(at: time) }
    } else if writer.isDue(at: time) {
      flush(at: time)
    }
  }

  package func finish(_ now: () -> Int64) {
    for number in 0..<Self.lastAttempts where !isStopped {
      flush(at: now())
      if attempt == nil { break }
      if number == Self.lastAttempts - 1 { return stop("it was tried for a while") }
      WorkerThread.pause(milliseconds: 100 << UInt32(number))
    }
    writer.synchronize()
  }

  private func flush(at time: Int64) {
    switch writer.flush(duration: Double(time - start) / 1e9) {
    case .done:
      if attempt != nil { listener(.recovered) }
      attempt = nil
    case .failed(let reason):
      let pause = min(attempt.map { $0.pause * 2 } ?? Self.firstPause, Self.longestPause)
      if attempt == nil { listener(.failing(reason)) }
      attempt = (time + pause, pause)
    case .full(let reason, let lost):
      self.lost += lost
      end(because: reason, at: time)
    }
  }

  /// If there is space for it.
  private func end(because reason: Errno, at time: Int64) {
    if isStopped { return }
    stop("\(reason)")
    let milliseconds = (time - start) / 1_000_000
    let seconds = Double(milliseconds) / 1000
    writer.add(
      RecordedEvent(
        timestamp: recordedAt + milliseconds, relativeTime: seconds,
        body: .error(RecordedFault(reason, "\(reason)"))),
      at: time)
    _ = writer.flush(duration: seconds)
  }

  private func stop(_ reason: String) {
    isStopped = true
    attempt = nil
    listener(.stopped(reason))
  }
}
