import GeoFormats
import GeoCore
import GeoLive
import GeoSystem

/// An output of a recording in progress.
class RecordingSink: RecorderOutput {
  /// The name of the output in messages.
  let shown: String
  fileprivate(set) var events = 0
  fileprivate weak var recorder: Recorder?
  fileprivate var start: Int64 = 0
  private var state: RecordingState?

  /// The result of a recording.
  struct Outcome {
    /// A summary for the user.
    var text: String
    /// Why the recording is incomplete; nil if it is complete.
    var failure: Failure?
  }

  fileprivate init(shown: String) { self.shown = shown }

  /// Attaches the output to a recorder.
  func begin(_ recorder: Recorder, start: Int64, showsState: Bool) {
    self.recorder = recorder
    self.start = start
    if showsState, Style.canRedraw { state = RecordingState() }
  }

  func add(_ event: RecordedEvent, at time: Int64) {
    events += 1
    state?.note(event)
  }

  func rest(at time: Int64) { state?.show(events, at: time) }

  /// Clears the state line before a message.
  func clearState() { state?.clear() }

  /// Discards the output if the recorder can't start.
  func abandon() {}

  /// Ends the recording.
  func finish() -> Outcome {
    state?.clear()
    return Outcome(text: "\(Quantity.count(events, "event")) recorded")
  }
}

/// A recording in a file.
final class FileSink: RecordingSink {
  private let file: KeptFile
  private let writer: RecordingWriter
  private var failure: Failure?
  /// The time of the next attempt to write after a failure, and the pause before it.
  private var attempt: (time: Int64, pause: Int64)?
  private var lost = 0

  private static let firstPause: Int64 = 100_000_000
  private static let longestPause: Int64 = 30_000_000_000
  /// Number of attempts to write the end of a recording.
  private static let lastAttempts = 6

  init(_ metadata: RecordingMetadata, to file: KeptFile, shown: String) {
    self.file = file
    writer = RecordingWriter(metadata, to: file)
    super.init(shown: "'\(shown)'")
  }

  override func begin(_ recorder: Recorder, start: Int64, showsState: Bool) {
    super.begin(recorder, start: start, showsState: showsState)
    // Write the header now, so that the file is valid from the start.
    flush(at: ThisProcess.nanoseconds)
  }

  override func add(_ event: RecordedEvent, at time: Int64) {
    super.add(event, at: time)
    writer.add(event, at: time)
    if writer.waiting >= RecordingWriter.mostWaiting, attempt == nil { flush(at: time) }
    if writer.isOverfull { stop("too much waits to be written") }
  }

  override func rest(at time: Int64) {
    super.rest(at: time)
    if let attempt, time >= attempt.time { flush(at: time) }
    if attempt == nil, writer.isDue(at: time) { flush(at: time) }
    recorder?.outputDeadline = attempt?.time ?? writer.deadline
  }

  private func flush(at time: Int64) {
    switch writer.flush(duration: Double(time - start) / 1e9) {
    case .done:
      if attempt != nil { Messages.note("\(shown) can be written again") }
      attempt = nil
    case .failed(let reason):
      let pause = min(attempt.map { $0.pause * 2 } ?? Self.firstPause, Self.longestPause)
      if attempt == nil { Messages.note("can't write \(shown): \(reason); it is tried again") }
      attempt = (time + pause, pause)
    case .full(let reason, let lost):
      self.lost += lost
      sayFull(reason, at: time)
    }
  }

  /// Ends the recording with an error event, if there is space for it.
  private func sayFull(_ reason: Errno, at time: Int64) {
    if failure != nil { return }
    stop("\(reason)")
    let seconds = (Double(time - start) / 1e6).rounded() / 1000
    writer.add(
      RecordedEvent(
        timestamp: ThisProcess.unixNanoseconds / 1_000_000, relativeTime: seconds,
        body: .error(
          RecordedFault(
            code: Int64(reason.rawValue), domain: Array("errno".utf8),
            description: Array("\(reason)".utf8)))), at: time)
    _ = writer.flush(duration: seconds)
  }

  private func stop(_ reason: String) {
    failure =
      failure
      ?? .output("can't go on writing \(shown): \(reason); what was recorded before is there")
    recorder?.end()
  }

  override func abandon() { try? file.truncate(to: 0) }

  override func finish() -> Outcome {
    var outcome = super.finish()
    for attempt in 0..<Self.lastAttempts where failure == nil {
      flush(at: ThisProcess.nanoseconds)
      if self.attempt == nil { break }
      if attempt == Self.lastAttempts - 1 { stop("it was tried for a while") }
      WorkerThread.pause(milliseconds: 100 << UInt32(attempt))
    }
    writer.synchronize()
    outcome.text =
      "\(Quantity.count(Int(clamping: writer.written), "event")) in \(shown)"
      + (lost > 0 ? ", \(Quantity.count(lost, "event")) lost" : "")
    outcome.failure = failure
    return outcome
  }
}

/// A recording that is streamed to standard output.
final class StreamSink: RecordingSink {
  private var buffer = OutputBuffer(capacity: 1 << 16)
  private var isClosed = false
  private var failure: Failure?

  init(_ metadata: RecordingMetadata) throws(Failure) {
    if !Descriptor.isWritable(Descriptor.standardOutput) {
      throw .output("standard output is closed; write to a file with --output FILE")
    }
    super.init(shown: "standard output")
    let line = EventText.line(of: metadata)
    buffer.append(line.span)
    buffer.append("\n")
  }

  override func begin(_ recorder: Recorder, start: Int64, showsState: Bool) {
    // On a terminal, the stream itself shows the state.
    super.begin(
      recorder, start: start,
      showsState: showsState && !Terminal.isTerminal(Descriptor.standardOutput))
    flush()
  }

  override func add(_ event: RecordedEvent, at time: Int64) {
    super.add(event, at: time)
    EventText.put(event, to: &buffer)
    buffer.append("\n")
    if buffer.count > 60 << 10 { flush() }
  }

  override func rest(at time: Int64) {
    super.rest(at: time)
    flush()
  }

  private func flush() {
    if buffer.count == 0 || isClosed { return }
    do throws(Errno) {
      try buffer.withBytes { (bytes) throws(Errno) in
        try Descriptor.write(bytes, to: Descriptor.standardOutput)
      }
    } catch {
      isClosed = true
      // A closed pipe is not an error.
      if error != .brokenPipe { failure = .output("can't write to standard output: \(error)") }
      recorder?.end()
    }
    buffer.removeAll()
  }

  override func finish() -> Outcome {
    flush()
    var outcome = super.finish()
    outcome.failure = failure
    return outcome
  }
}

/// A line on the terminal with the state of the recording, rewritten in place.
private struct RecordingState {
  private var last: [UInt8] = []
  private var next: Int64 = 0
  private var isShown = false

  mutating func note(_ event: RecordedEvent) {
    if let path = event.location?.path { last = path }
  }

  mutating func show(_ events: Int, at time: Int64) {
    if time < next { return }
    next = time + 200_000_000
    let line =
      Quantity.count(events, "event") + (last.isEmpty ? "" : ", \(TerminalText.escaped(last))")
    isShown = true
    Terminal.setLineShown(true)
    Messages.write("\r\(Progress.fit(line, columns: (Terminal.width ?? 80) - 1))\u{1b}[K")
  }

  mutating func clear() {
    if !isShown { return }
    Messages.write("\r\u{1b}[K")
    isShown = false
    Terminal.setLineShown(false)
  }
}
