import GeoFormats
import GeoCore
import GeoLive
import GeoSystem

/// An output of a recording in progress.
class RecordingSink: RecorderOutput {
  let shown: String
  fileprivate(set) var events = 0
  fileprivate weak var recorder: Recorder?
  private var state: RecordingState?

  struct Outcome {
    var text: String
    /// Why the recording is incomplete; nil if it is complete.
    var failure: Failure?
  }

  fileprivate init(shown: String) { self.shown = shown }

  func begin(_ recorder: Recorder, start: Int64, showsState: Bool) {
    self.recorder = recorder
    if showsState, Style.canRedraw { state = RecordingState() }
  }

  func add(_ event: RecordedEvent, at time: Int64) {
    events += 1
    state?.add(event)
  }

  func idle(at time: Int64) { state?.show(events, at: time) }

  func clearState() { state?.clear() }

  /// Discards the output if the recorder can't start.
  func abandon() {}

  func finish() -> Outcome {
    state?.clear()
    return Outcome(text: "\(Quantity.count(events, "event")) recorded")
  }
}

final class FileSink: RecordingSink {
  private let file: KeptFile
  private let metadata: RecordingMetadata
  private var writer: RetryingWriter?
  private var failure: Failure?

  init(_ metadata: RecordingMetadata, to file: KeptFile, shown: String) {
    self.file = file
    self.metadata = metadata
    super.init(shown: "'\(shown)'")
  }

  override func begin(_ recorder: Recorder, start: Int64, showsState: Bool) {
    super.begin(recorder, start: start, showsState: showsState)
    let writer = RetryingWriter(metadata, to: file, start: start)
    writer.listener = { [weak self] in self?.note($0) }
    self.writer = writer
    // Write the header now, so that the file is valid from the start.
    writer.begin(at: ThisProcess.nanoseconds)
  }

  override func add(_ event: RecordedEvent, at time: Int64) {
    super.add(event, at: time)
    writer?.add(event, at: time)
  }

  override func idle(at time: Int64) {
    super.idle(at: time)
    writer?.idle(at: time)
    recorder?.outputDeadline = writer?.deadline
  }

  private func note(_ notice: RetryingWriter.Notice) {
    switch notice {
    case .failing(let reason):
      Messages.note("can't write \(shown): \(reason); it is tried again")
    case .recovered: Messages.note("\(shown) can be written again")
    case .stopped(let reason):
      failure = .output(
        "can't go on writing \(shown): \(reason); what was recorded before is there")
      recorder?.end()
    }
  }

  override func abandon() { try? file.truncate(to: 0) }

  override func finish() -> Outcome {
    var outcome = super.finish()
    writer?.finish { ThisProcess.nanoseconds }
    let (written, lost) = (Int(clamping: writer?.written ?? 0), writer?.lost ?? 0)
    outcome.text =
      "\(Quantity.count(written, "event")) in \(shown)"
      + (lost > 0 ? ", \(Quantity.count(lost, "event")) lost" : "")
    outcome.failure = failure
    return outcome
  }
}

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

  override func idle(at time: Int64) {
    super.idle(at: time)
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

  mutating func add(_ event: RecordedEvent) {
    if let path = event.location?.rawPath { last = path }
  }

  mutating func show(_ events: Int, at time: Int64) {
    if time < next { return }
    next = time + 200_000_000
    let line = Quantity.count(events, "event") + (last.isEmpty ? "" : ", \(last.shown)")
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
