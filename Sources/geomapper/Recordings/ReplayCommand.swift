import GeoCore
import GeoFormats
import GeoLive
import GeoTrack

extension Command {
  static let replay = Command(
    id: .replay,
    summary: "Play the events of a recording.",
    usage: "replay [OPTION]... FILE",
    description: [
      "Write the events of a recording, each as late as it happened; '-' is standard "
        + "input. A recording that breaks off is played up to its last complete event.",
      "With output to a file the events are written at once, unless --loop is given. "
        + "'geomapper serve --replay FILE' plays them on the map.",
      "If FILE has no '/' and is not in the current folder, it is taken from the folder "
        + "of recordings [~/.local/share/geomapper/recordings].",
    ],
    examples: [
      "geomapper replay --speed 60 log.json": "Play an hour in a minute.",
      "geomapper replay -o log.gpx log.json": "Write the places as a track, at once.",
    ],
    statuses: statuses(
      "Everything was played",
      incomplete: "The recording breaks off; the events before were played.",
      wrong: "a file that does not exist or is not a recording"),
    rules: [
      .takes(1...1, or: "give one FILE to play; '-' is standard input"),
      .refuses(
        when: .option("loop"), .operand("-"),
        saying: "standard input can't be played again: drop --loop"),
      .format,
    ],
    run: ReplayCommand.run)
}

enum ReplayCommand {
  static func run(_ run: Run) throws(Failure) {
    let low = run.low
    let format = run.format
    let recording = try RecordingFile(low.operands[0], low)
    // Fail early if the file is not a recording.
    let first = try recording.read()
    // Don't pace output to a file, unless it loops.
    let isFile = try run.place.isFile
    let waits = !isFile || low.record.loops
    if !waits { run.progress?.begin(reading: recording.input) }
    var player = Replayer(clock: waits ? SteadyClock() : SkippingClock())
    player.speed = low.record.speed ?? 1
    player.from = Double(low.record.from ?? 0) / 1000
    player.loops = low.record.loops
    var pending: RecordingReader? = first
    var end = Replayer.End.complete
    try run.write { (output) throws(Failure) in
      let screen = PlayedOutput(output, format)
      try screen.begin(first.metadata)
      end = try player.play { () throws(Failure) in
        if let reader = pending {
          pending = nil
          return reader
        }
        return try recording.reader()
      } waiting: { () throws(Failure) in
        try screen.flush()
      } _: { (event) throws(Failure) in
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

  func begin(_ metadata: RecordingMetadata) throws(Failure) {
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

  func add(_ event: RecordedEvent) throws(Failure) {
    if let track { return try track.add(event) }
    if format == .sse {
      buffer.append("event: ")
      let type = Array(event.type.rawValue.utf8)
      buffer.append(type.span)
      buffer.append("\ndata: ")
    }
    EventText.put(event, to: &buffer)
    buffer.append(format == .sse ? "\n\n" : "\n")
    if buffer.count > 60 << 10 { try flush() }
  }

  func flush() throws(Failure) {
    if let track { return try track.flush() }
    if buffer.count == 0 { return }
    try buffer.withBytes { (bytes) throws(Failure) in try output.write(bytes) }
    buffer.removeAll()
  }

  func finish() throws(Failure) {
    try track?.finish()
    try flush()
  }
}

private final class PlayedTrack {
  private var writer: GPXTrackWriter

  init(_ file: OutputFile) { writer = GPXTrackWriter(TrackFileOutput(file)) }

  func begin(_ metadata: RecordingMetadata) throws(Failure) {
    try RecordedTrack.begin(metadata, &writer)
  }

  func add(_ event: RecordedEvent) throws(Failure) { try RecordedTrack.add(event, to: &writer) }

  func flush() throws(Failure) { try writer.flush() }

  func finish() throws(Failure) { try RecordedTrack.end(&writer) }
}
