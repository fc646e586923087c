import GeoFormats
import GeoCore
import GeoLive
import GeoSystem
import GeoTrack

/// `geomapper replay`: plays a recording to standard output.
enum ReplayCommand {
  @Sendable
  static func run(_ run: Run) throws(Failure) {
    let low = run.low
    try low.operands.expect(1...1, or: "give one FILE to play; '-' is standard input")
    let path = low.operands[0]
    let format = try run.format
    let isPipe = path.elementsEqual("-".utf8)
    if low.record.loops, isPipe {
      throw .usage("standard input can't be played again: drop --loop")
    }
    let recording = try RecordingFile(path, low)
    // Fail early if the file is not a recording.
    let first = try recording.read()
    // Don't pace output to a file, unless it loops.
    let isFile = (try? FileSystem.facts(of: 1))?.kind == .regular
    let waits = !isFile || low.record.loops
    recording.show(in: waits ? nil : run.progress)
    var player = Replayer(clock: waits ? SteadyClock() : SkippingClock())
    player.speed = low.record.speed ?? 1
    player.from = Double(low.record.from ?? 0) / 1000
    player.loops = low.record.loops
    var pending: RecordingReader? = first
    var end = Replayer.End.complete
    // The command has no --output: this is standard output.
    try run.write { (output) throws(OutputError) in
      let screen = PlayedOutput(output, format)
      try screen.begin(first.metadata)
      end = try player.play { () throws(RecordingError) in
        if let reader = pending {
          pending = nil
          return reader
        }
        return try recording.reader()
      } waiting: { () throws(OutputError) in
        try screen.flush()
      } _: { (event) throws(OutputError) in
        try screen.add(event)
        return true
      }
      try screen.finish()
    }
    if case .broken(let error) = end { run.add(error, endingEarly: recording.shown) }
  }
}

/// Writes the played events as text.
private final class PlayedOutput {
  private let output: OutputFile
  private let format: FileFormat
  private var buffer = OutputBuffer(capacity: 1 << 16)
  private var track: PlayedTrack?

  init(_ output: OutputFile, _ format: FileFormat) {
    self.output = output
    self.format = format
  }

  func begin(_ metadata: RecordingMetadata) throws(OutputError) {
    let line = EventText.line(of: metadata)
    switch format {
    case .sse:
      buffer.append("event: metadata\ndata: ")
      buffer.append(line.span)
      buffer.append("\n")
    case .gpx:
      let track = PlayedTrack(output)
      self.track = track
      return try track.begin(metadata)
    default: buffer.append(line.span)
    }
    buffer.append("\n")
    try flush()
  }

  func add(_ event: RecordedEvent) throws(OutputError) {
    if let track { return try track.add(event) }
    if format == .sse {
      buffer.append("event: ")
      let type = Array(event.type.utf8)
      buffer.append(type.span)
      buffer.append("\ndata: ")
    }
    EventText.put(event, to: &buffer)
    buffer.append(format == .sse ? "\n\n" : "\n")
    if buffer.count > 60 << 10 { try flush() }
  }

  func flush() throws(OutputError) {
    if let track { return try track.flush() }
    if buffer.count == 0 { return }
    try buffer.withBytes { (bytes) throws(OutputError) in try output.write(bytes) }
    buffer.removeAll()
  }

  func finish() throws(OutputError) {
    try track?.finish()
    try flush()
  }
}
