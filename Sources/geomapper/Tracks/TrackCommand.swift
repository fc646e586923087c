import GeoAtlas
import GeoCore
import GeoFormats
import GeoSystem
import GeoTrack

/// `geomapper track`: reads, converts and makes tracks.
enum TrackCommand {
  /// What is done with files of tracks.
  enum Action: String, CaseIterable {
    case info
    case convert
    case simplify
    case redact
    case places
    case cues
    case from

    /// Whether it tells of a track, and makes none.
    var isReport: Bool { self == .info || self == .places || self == .cues }

    /// Whether it asks a map.
    var asksMap: Bool { self == .places || self == .cues || self == .from }

    /// What it makes.
    var formats: [FileFormat] { FileFormat.holding(isReport ? .reports : .tracks) }
  }

  @Sendable
  static func run(_ low: LowArguments) throws(Failure) -> ExitStatus {
    guard let word = low.operands.first else {
      let actions = Action.allCases.map(\.rawValue)
      throw .usage("say what to do: \(actions.joined(separator: ", "))")
    }
    let action: Action = try ActionWord.parse(word, doneWith: "tracks")
    let files = Array(low.operands.dropFirst())
    if files.isEmpty { throw .usage("track \(action) needs a FILE; '-' is standard input") }
    try check(action, files, low)
    var low = low
    low.format = try low.format(among: action.formats, usual: action.isReport ? .text : .gpx)
    switch action {
    case .info: return try TrackInfo.run(files, low)
    case .convert, .simplify, .redact: return try TrackConversion.run(action, files[0], low)
    case .places: return try TrackPlaces.run(files[0], low)
    case .cues: return try TrackCues.run(files[0], low)
    case .from: return try TimedPaths.run(files[0], low)
    }
  }

  /// Looks whether options and files go with an action.
  private static func check(
    _ action: Action, _ files: [[UInt8]], _ low: LowArguments
  ) throws(Failure) {
    let track = low.track
    if action != .info, files.count > 1 {
      throw .usage("track \(action) takes one FILE at a time")
    }
    if track.near.isEmpty, action == .redact {
      throw .usage("say around which place to redact: --near LON,LAT,METRES")
    }
    if low.asksMap || low.selects || low.links.follows || low.links.staysOnFileSystem,
      !action.asksMap
    {
      throw .usage(
        "track \(action) asks no map: drop --root, and what selects or reads one")
    }
    if files[0] == [UInt8(ascii: "-")], low.list.file == files[0] {
      throw .usage("FILE and --files-from can't both be standard input")
    }
    guard let format = low.format, !action.formats.contains(format) else { return }
    throw .usage("track \(action) can't be written as \(format)")
  }
}

/// `geomapper track convert`, `simplify` and `redact`: a file becomes another.
enum TrackConversion {
  static func run(
    _ action: TrackCommand.Action, _ path: [UInt8], _ low: LowArguments
  ) throws(Failure) -> ExitStatus {
    let place = try low.place
    let file = try TrackFile(path)
    let progress = low.progressLine(beside: place)
    progress?.begin(reading: file.input)
    defer { progress?.clear() }
    let output = try TrackFileOutput(opening: place)
    var note: String?
    try output.complete { () throws(Failure) in
      switch low.format {
      case .geojson: note = try write(action, file, low.track, GeoJSONTrackWriter(output))
      case .csv: note = try write(action, file, low.track, CSVTrackWriter(output))
      case .json: note = try write(action, file, low.track, JSONTrackWriter(output))
      default: note = try write(action, file, low.track, GPXTrackWriter(output))
      }
    }
    if let note, !low.isQuiet { Messages.note("\(file.shown): \(note)") }
    return .success
  }

  /// - Returns: What is to be said of it.
  private static func write<Writer: TrackSink & ~Copyable>(
    _ action: TrackCommand.Action, _ file: TrackFile, _ track: TrackArguments,
    _ writer: consuming Writer
  ) throws(Failure) -> String? {
    switch action {
    case .simplify:
      var sink = TrackSimplifier(tolerance: track.tolerance ?? 10, writer)
      try file.read(into: &sink)
      return "\(Quantity.count(sink.dropped, "point")) left out, "
        + "\(sink.kept.grouped) kept"
    case .redact:
      var sink = TrackRedactor(around: track.near, writer)
      try file.read(into: &sink)
      return "\(Quantity.count(sink.dropped, "point")) left out"
    default:
      var sink = writer
      try file.read(into: &sink)
      return nil
    }
  }
}

/// `geomapper track cues`: the turns of a planned way as words.
enum TrackCues {
  static func run(_ path: [UInt8], _ low: LowArguments) throws(Failure) -> ExitStatus {
    let place = try low.place
    // Lands are named on a map that was asked for; without one, points have their own names.
    let world = low.asksMap ? try AtlasPlan(low).world : nil
    var sheet = TrackCueSheet()
    try TrackFile(path).read(into: &sheet, showing: low.progressLine())
    let bytes = low.format == .json ? json(of: path, sheet, world) : Array(text(sheet, world).utf8)
    try OutputFile.write(bytes, to: place)
    return .success
  }

  private static func text(_ sheet: TrackCueSheet, _ world: World?) -> String {
    var text = ""
    for (details, cues) in sheet.lines {
      if !details.name.isEmpty { text += "\(TerminalText.escaped(details.name))\n" }
      for (index, cue) in cues.enumerated() {
        let next = index + 1 < cues.count ? cues[index + 1] : nil
        text += "  \(line(for: cue, before: next, world))\n"
      }
    }
    return text
  }

  private static func json(
    of file: [UInt8], _ sheet: TrackCueSheet, _ world: World?
  ) -> [UInt8] {
    TrackInfo.json(of: file) { json in
      json.key("lines")
      json.array { json in
        for (details, cues) in sheet.lines {
          json.object { json in
            if !details.name.isEmpty { json.member("name", text: details.name) }
            json.key("cues")
            json.array { json in
              for cue in cues { json.object { add(cue, world, to: &$0) } }
            }
          }
        }
      }
    }
  }

  private static func add(_ cue: TrackCue, _ world: World?, to json: inout JSONBuilder) {
    func member(_ name: String, _ number: Double) {
      json.key(name)
      json.value(number)
    }
    json.member("words", text: Array(cue.turn.words.utf8))
    switch cue.turn {
    case .start(let bearing): member("bearing", bearing)
    case .turn(let degrees): member("turn", degrees)
    case .arrival: break
    }
    member("distance", cue.distance)
    member("lon", cue.point.longitude)
    member("lat", cue.point.latitude)
    if !cue.name.isEmpty { json.member("name", text: cue.name) }
    if let folder = world?.deepestFolder(at: cue.point), !folder.isEmpty {
      json.member("path", text: folder, raw: "rawPath")
    }
  }

  private static func line(
    for cue: TrackCue, before next: TrackCue?, _ world: World?
  ) -> String {
    let at = padded(NodeText.distance(cue.distance), 10)
    func name(of cue: TrackCue) -> String? {
      if !cue.name.isEmpty { return TerminalText.escaped(cue.name) }
      let folder = world?.deepestFolder(at: cue.point) ?? []
      return folder.isEmpty ? nil : TerminalText.escaped(folder)
    }
    let leg = next.map { next in
      " for \(NodeText.distance(next.distance - cue.distance))"
        + (name(of: next).map { " to \($0)" } ?? "")
    }
    let here = name(of: cue).map { " at \($0)" } ?? ""
    switch cue.turn {
    case .start: return "\(at)start\(here), \(cue.turn.words)\(leg ?? "")"
    case .turn: return "\(at)\(cue.turn.words)\(here), go on\(leg ?? "")"
    case .arrival: return "\(at)\(cue.turn.words)\(here)"
    }
  }
}

/// A file of tracks that is read.
struct TrackFile {
  /// The name, for messages.
  let shown: String
  let input: InputFile

  /// Opens a file; `-` is standard input.
  init(_ path: [UInt8]) throws(Failure) {
    let isStandard = path.elementsEqual("-".utf8)
    shown = isStandard ? "standard input" : "'\(TerminalText.escaped(path))'"
    do throws(Errno) {
      input = isStandard ? try InputFile.standardInput() : try InputFile(at: path)
    } catch {
      throw .usage("can't read \(shown): \(error)")
    }
  }

  /// Hands all of it to a sink, and shows how far it is.
  func read<Sink: TrackSink & ~Copyable>(
    into sink: inout Sink, showing progress: Progress?, as part: String = ""
  ) throws(Failure) {
    progress?.begin(part, reading: input)
    defer { progress?.clear() }
    try read(into: &sink)
  }

  /// Hands all of it to a sink.
  func read<Sink: TrackSink & ~Copyable>(into sink: inout Sink) throws(Failure) {
    do throws(TrackError) {
      var rest = TrackFileInput(input)
      var beginning: [UInt8] = []
      do throws(Errno) {
        _ = try rest.read(appendingTo: &beginning)
      } catch {
        throw TrackError.unreadable(error)
      }
      let whole = BegunTrackInput(beginning, followedBy: rest)
      if JSONTrackReader.isJSON(beginning) {
        var reader = JSONTrackReader(whole)
        try reader.read(into: &sink)
      } else {
        var reader = GPXReader(whole)
        try reader.read(into: &sink)
      }
    } catch {
      throw failure(error)
    }
  }

  /// Why it can't be used.
  func failure(_ error: TrackError) -> Failure {
    switch error {
    case .unreadable(let reason): .usage("can't read \(shown): \(reason)")
    case .malformed: .usage("can't use \(shown): \(error)")
    case .stopped: .output("\(error)")
    }
  }
}

/// The tool's output as one for tracks.
final class TrackFileOutput: TrackOutput {
  private let file: OutputFile
  /// Why no more can be written.
  private(set) var obstacle: OutputError?

  init(opening place: OutputPlace) throws(Failure) { file = try OutputFile(opening: place) }

  func write(_ bytes: Span<UInt8>) throws(TrackError) {
    do throws(OutputError) {
      try file.write(bytes)
    } catch {
      obstacle = error
      throw .stopped
    }
  }

  /// Does something that writes, and puts the output in its place when it is complete.
  ///
  /// - Throws: Why it isn't; a reader who has enough is no failure.
  func complete(_ body: () throws(Failure) -> Void) throws(Failure) {
    do throws(Failure) {
      try body()
    } catch {
      file.discard()
      guard let obstacle else { throw error }
      return try Self.tell(obstacle)
    }
    do throws(OutputError) {
      try file.complete()
    } catch {
      file.discard()
      try Self.tell(error)
    }
  }

  private static func tell(_ error: OutputError) throws(Failure) {
    if case .failed(let failure) = error { throw failure }
  }
}
