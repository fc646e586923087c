import GeoAtlas
import GeoCore
import GeoFormats
import GeoSystem
import GeoTrack

/// `geomapper track`: reads, converts and makes tracks.
enum TrackCommand {
  /// The actions of the command.
  enum Action: String, CaseIterable {
    case info
    case convert
    case simplify
    case redact
    case places
    case cues
    case from

    /// Whether it reports on a track instead of writing one.
    var isReport: Bool { self == .info || self == .places || self == .cues }

    /// Whether it needs a map.
    var asksMap: Bool { self == .places || self == .cues || self == .from }

    /// The output formats.
    var formats: [FileFormat] { FileFormat.holding(isReport ? .reports : .tracks) }
  }

  @Sendable
  static func run(_ run: Run) throws(Failure) {
    let actions = Action.allCases.map(\.rawValue).joined(separator: ", ")
    try run.low.operands.expect(1..., or: "say what to do: \(actions)")
    let action: Action = try ActionWord.parse(run.low.operands[0], doneWith: "tracks")
    let files = Array(run.low.operands.dropFirst())
    try files.expect(1..., or: "track \(action) needs a FILE; '-' is standard input")
    try check(action, files, run.low)
    let format = try run.low.format(
      among: action.formats, usual: action.isReport ? .text : .gpx, of: "track \(action)")
    switch action {
    case .info: try TrackInfo.run(files, run, as: format)
    case .convert, .simplify, .redact: try TrackConversion.run(action, files[0], run, as: format)
    case .places: try TrackPlaces.run(files[0], run, as: format)
    case .cues: try TrackCues.run(files[0], run, as: format)
    case .from: try TimedPaths.run(files[0], run, as: format)
    }
  }

  /// Refuses options and files that don't fit the action.
  private static func check(
    _ action: Action, _ files: [[UInt8]], _ low: LowArguments
  ) throws(Failure) {
    let track = low.track
    if action != .info {
      try files.expect(...1, or: "track \(action) takes one FILE at a time")
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
    try low.refuseTwoReaders(of: [files[0]], called: "FILE")
  }
}

/// `geomapper track convert`, `simplify` and `redact`: writes a track from another.
struct TrackConversion: TrackProduct {
  let action: TrackCommand.Action
  let file: TrackFile
  let arguments: TrackArguments
  /// A note about the file, for after the conversion.
  private(set) var remark: String?

  static func run(
    _ action: TrackCommand.Action, _ path: [UInt8], _ run: Run, as format: FileFormat
  ) throws(Failure) {
    _ = try run.place
    let file = try TrackFile(path)
    var conversion = TrackConversion(action: action, file: file, arguments: run.low.track)
    try run.write(&conversion, as: format, reading: file)
    if let remark = conversion.remark { run.note("\(file.shown): \(remark)") }
  }

  mutating func write<Writer: TrackSink & ~Copyable>(
    to writer: consuming Writer
  ) throws(TrackError) {
    switch action {
    case .simplify:
      var sink = TrackSimplifier(tolerance: arguments.tolerance ?? 10, writer)
      try file.pass(to: &sink)
      remark =
        "\(Quantity.count(sink.dropped, "point")) left out, "
        + "\(sink.kept.grouped) kept"
    case .redact:
      var sink = TrackRedactor(around: arguments.near, writer)
      try file.pass(to: &sink)
      remark = "\(Quantity.count(sink.dropped, "point")) left out"
    default:
      var sink = writer
      try file.pass(to: &sink)
    }
  }
}

/// `geomapper track cues`: writes the turns of a route as text.
enum TrackCues {
  static func run(_ path: [UInt8], _ run: Run, as format: FileFormat) throws(Failure) {
    _ = try run.place
    // Name lands only if a map was given; without one, points have their own names.
    let world = run.low.asksMap ? try AtlasPlan(run).world : nil
    var sheet = TrackCueSheet()
    try TrackFile(path).read(into: &sheet, showing: run.progress)
    try run.write(
      format == .json ? json(of: path, sheet, world) : Array(text(sheet, world).utf8))
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
            json.member("cues", each: cues) { cue, json in
              json.object { add(cue, world, to: &$0) }
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

/// An input file of tracks.
struct TrackFile {
  private let file: GivenFile
  /// The name, for messages.
  var shown: String { file.shown }
  var input: InputFile { file.input }

  /// Opens a file; `-` is standard input.
  init(_ path: [UInt8]) throws(Failure) { file = try GivenFile(path) }

  /// Passes the whole file to a sink, and shows progress.
  func read<Sink: TrackSink & ~Copyable>(
    into sink: inout Sink, showing progress: Progress?, as part: String = ""
  ) throws(Failure) {
    progress?.begin(part, reading: input)
    defer { progress?.clear() }
    do throws(TrackError) {
      try pass(to: &sink)
    } catch {
      throw Failure(error, shown)
    }
  }

  /// Passes the whole file to a sink.
  func pass<Sink: TrackSink & ~Copyable>(to sink: inout Sink) throws(TrackError) {
    var rest = TrackFileInput(input)
    var beginning: [UInt8] = []
    do throws(Errno) {
      _ = try rest.read(appendingTo: &beginning)
    } catch {
      throw .unreadable(error)
    }
    let whole = BegunTrackInput(beginning, followedBy: rest)
    if JSONTrackReader.isJSON(beginning) {
      var reader = JSONTrackReader(whole)
      try reader.read(into: &sink)
    } else {
      var reader = GPXReader(whole)
      try reader.read(into: &sink)
    }
  }
}
