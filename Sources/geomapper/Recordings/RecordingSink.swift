import GeoCore
import GeoFormats
import GeoLive
import GeoSystem

/// The output of a recording in progress: a file, or lines of JSON on standard output.
final class RecordingSink: RecorderOutput {
  let shown: String
  private let metadata: RecordingMetadata
  /// nil for standard output.
  private let file: KeptFile?
  private var writer: RetryingWriter?
  private var buffer = OutputBuffer(capacity: 1 << 16)
  private var isClosed = false
  private var events = 0
  /// Why the recording is incomplete; nil if it is complete.
  private var failure: Failure?
  private weak var recorder: Recorder?
  private var state: RecordingState?

  init(_ metadata: RecordingMetadata, to file: KeptFile, shown: String) {
    (self.metadata, self.file, self.shown) = (metadata, file, "'\(shown)'")
  }

  init(streaming metadata: RecordingMetadata) throws(Failure) {
    if !Descriptor.isWritable(Descriptor.standardOutput) {
      throw .output("standard output is closed; write to a file with --output FILE")
    }
    (self.metadata, file, shown) = (metadata, nil, "standard output")
    let line = EventText.line(of: metadata)
    buffer.append(line.span)
    buffer.append("\n")
  }

  func begin(_ recorder: Recorder, start: Int64, showsState: Bool) {
    self.recorder = recorder
    // On a terminal, a stream itself shows the state.
    let isSeen = file == nil && Terminal.isTerminal(Descriptor.standardOutput)
    if showsState, Style.canRedraw, !isSeen { state = RecordingState() }
    guard let file else { return flush() }
    let writer = RetryingWriter(metadata, to: file, start: start)
    writer.listener = { [weak self] in self?.note($0) }
    self.writer = writer
    // Write the header now, so that the file is valid from the start.
    writer.begin(at: ThisProcess.nanoseconds)
  }

  func add(_ event: RecordedEvent, at time: Int64) {
    events += 1
    state?.add(event)
    writer?.add(event, at: time)
    if file != nil { return }
    EventText.put(event, to: &buffer)
    buffer.append("\n")
    if buffer.count > 60 << 10 { flush() }
  }

  func idle(at time: Int64) {
    state?.show(events, at: time)
    if file == nil { return flush() }
    writer?.idle(at: time)
    recorder?.outputDeadline = writer?.deadline
  }

  /// Discards the output if the recorder can't start.
  func abandon() { try? file?.truncate(to: 0) }

  /// Ends the recording, and sums it up for the user.
  func finish() -> (text: String, failure: Failure?) {
    if file == nil { flush() }
    Progress.wipe()
    if file == nil { return ("\(Quantity.count(events, "event")) recorded", failure) }
    writer?.finish { ThisProcess.nanoseconds }
    let (written, lost) = (Int(clamping: writer?.written ?? 0), writer?.lost ?? 0)
    let loss = lost > 0 ? ", \(Quantity.count(lost, "event")) lost" : ""
    return ("\(Quantity.count(written, "event")) in \(shown)\(loss)", failure)
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
}

/// A line on the terminal with the state of the recording, rewritten in place.
private struct RecordingState {
  private var last: [UInt8] = []
  private var next: Int64 = 0

  mutating func add(_ event: RecordedEvent) {
    if let path = event.location?.rawPath { last = path }
  }

  mutating func show(_ events: Int, at time: Int64) {
    if time < next { return }
    next = time + 200_000_000
    Progress.redraw(Quantity.count(events, "event") + (last.isEmpty ? "" : ", \(last.shown)"))
  }
}
