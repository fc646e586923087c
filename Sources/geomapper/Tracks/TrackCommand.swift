import GeoCore
import GeoSystem
import GeoTrack

extension Command {
  static let track = Command(
    id: .track,
    summary: "Read, convert and make GPX tracks.",
    usage: "track ACTION [OPTION]... FILE...",
    description: [
      "Read tracks, routes and waypoints of GPX 1.0 and 1.1 from any program; '-' is "
        + "standard input. For GPX of a map use 'geomapper map', of a path to another "
        + "'geomapper route', of a recording 'geomapper replay'. ACTION is one of these:",
      "info: show length, duration, speeds, climb, profile and bounds of each FILE.",
      "convert: write FILE in another format.",
      "simplify: write FILE with fewer points; the line moves by --tolerance at most.",
      "redact: write FILE without metadata and without the points near the places of --near.",
      "places: list the folders that FILE crosses, and when.",
      "cues: list the turns of a planned route.",
      "from: make a track from timed paths: lines 'TIME PATH', a log of 'strace -ttt', or "
        + "a recording.",
    ],
    examples: [
      "geomapper track info ride.gpx": "Show length, time and climb.",
      "geomapper track convert --format geojson -o ride.geojson ride.gpx":
        "Convert a track for QGIS.",
      "geomapper track redact --near 13.4,52.5,500 -o public.gpx ride.gpx":
        "Leave out 500 metres around a home.",
      "strace -f -ttt -e trace=%file -o make.log make; "
        + "geomapper track from --lines strace --root / make.log > make.gpx":
        "Show where a build goes on the map of /.",
    ],
    statuses: statuses(
      "Everything was done", incomplete: "Some input could not be used.",
      wrong: "a file that does not exist or is not GPX"),
    rules: [
      CommandRule { given in
        given.low.operands.isEmpty
          ? "say what to do: \(given.command.actions.joined(separator: ", "))" : nil
      },
      .knownAction(on: "tracks"),
      CommandRule { given in
        given.operands.isEmpty ? "track \(given.action) needs a FILE; '-' is standard input" : nil
      },
      CommandRule { given in
        given.operands.count > 1 && given.action != "info"
          ? "track \(given.action) takes one FILE at a time" : nil
      },
      .refuses(
        when: .action("redact"), unless: .option("near"),
        saying: "say around which place to redact: --near LON,LAT,METRES"),
      CommandRule { given in
        let (low, action) = (given.low, TrackCommand.Action(rawValue: given.action))
        let readsMap =
          low.asksMap || low.selects || low.map.scan.followsLinks || low.map.scan.staysOnFileSystem
        return readsMap && action?.asksMap == false
          ? "track \(given.action) asks no map: drop --root, and what selects or reads one" : nil
      },
      .oneReader(of: "FILE"), .format,
    ],
    run: TrackCommand.run,
    formats: { word in
      let action = TrackCommand.Action(rawValue: word) ?? .info
      return (action.formats, action.isReport ? .text : .gpx)
    },
    actions: TrackCommand.Action.allCases.map(\.rawValue))
}

enum TrackCommand {
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

    var asksMap: Bool { self == .places || self == .cues || self == .from }

    var formats: [FileFormat] { FileFormat.holding(isReport ? .reports : .tracks) }
  }

  static func run(_ run: Run) throws(Failure) {
    let (action, files) = (run.action(or: Action.info), run.operands)
    let format = run.format
    switch action {
    case .info: try TrackInfo.run(files, run, as: format)
    case .convert, .simplify, .redact: try TrackConversion.run(action, files[0], run, as: format)
    case .places: try TrackPlaces.run(files[0], run, as: format)
    case .cues: try TrackCues.run(files[0], run, as: format)
    case .from: try TimedPaths.run(files[0], run, as: format)
    }
  }
}

/// A product that can be written in any format of tracks.
protocol TrackProduct {
  mutating func write<Writer: TrackSink & ~Copyable>(to writer: consuming Writer) throws(Failure)
}

extension Run {
  /// Writes tracks while a file is read, usually so many times; an existing file is replaced only on
  /// success.
  func write(
    _ product: inout some TrackProduct, as format: FileFormat, reading source: GivenFile? = nil,
    times: Int = 1
  ) throws(Failure) {
    let place = try place
    let progress = source == nil ? nil : low.progressLine(beside: place)
    if let source { progress?.begin(reading: source.input, times: times) }
    defer { progress?.clear() }
    try write { (file) throws(Failure) in
      let output = TrackFileOutput(file)
      do throws(Failure) {
        switch format {
        case .geojson: try product.write(to: GeoJSONTrackWriter(output))
        case .csv: try product.write(to: CSVTrackWriter(output))
        case .json: try product.write(to: JSONTrackWriter(output))
        default: try product.write(to: GPXTrackWriter(output))
        }
        if output.omitted > 0 {
          let left = Quantity.count(output.omitted, "waypoint")
          note("\(left) left out, as tracks in JSON have none")
        }
      } catch {
        throw error.ofTracks(in: source?.shown ?? "")
      }
    }
  }
}

final class TrackFileOutput: TrackOutput {
  private let file: OutputFile
  /// Number of waypoints that the format has no place for.
  private(set) var omitted = 0

  init(_ file: OutputFile) { self.file = file }

  func write(_ bytes: Span<UInt8>) throws(Failure) { try file.write(bytes) }

  func leaveOut(waypoints: Int) { omitted += waypoints }
}

/// `geomapper track convert`, `simplify` and `redact`: writes a track from another.
struct TrackConversion: TrackProduct {
  let action: TrackCommand.Action
  let file: TrackFile
  let arguments: TrackArguments
  private(set) var remark: String?
  private(set) var faults = TrackFaults()

  static func run(
    _ action: TrackCommand.Action, _ path: [UInt8], _ run: Run, as format: FileFormat
  ) throws(Failure) {
    _ = try run.place
    let file = try TrackFile(path, run.low.track)
    var conversion = TrackConversion(action: action, file: file, arguments: run.low.track)
    try run.write(&conversion, as: format, reading: file.file, times: 2)
    if let remark = conversion.remark { run.note("\(file.shown): \(remark)") }
    run.add(conversion.faults, in: file)
  }

  mutating func write<Writer: TrackSink & ~Copyable>(to writer: consuming Writer) throws(Failure) {
    switch action {
    case .simplify:
      var sink = TrackSimplifier(tolerance: arguments.tolerance ?? 10, writer)
      faults = try file.pass(to: &sink)
      remark = "\(Quantity.count(sink.dropped, "point")) left out, \(sink.kept.grouped) kept"
    case .redact:
      var sink = TrackRedactor(around: arguments.near, writer)
      faults = try file.pass(to: &sink)
      remark = "\(Quantity.count(sink.dropped, "point")) left out"
    default:
      var sink = writer
      faults = try file.pass(to: &sink)
    }
  }
}

struct TrackFile {
  let file: GivenFile
  private let isStrict: Bool
  var shown: String { file.shown }
  var input: InputFile { file.input }

  init(_ path: [UInt8], _ arguments: TrackArguments) throws(Failure) {
    file = try GivenFile(path)
    isStrict = arguments.isStrict
  }

  func read<Sink: TrackSink & ~Copyable>(
    into sink: inout Sink, _ run: Run, as part: String = ""
  ) throws(Failure) {
    run.progress?.begin(part, reading: input, times: Sink.isOrderFree ? 1 : 2)
    defer { run.progress?.clear() }
    do throws(Failure) {
      run.add(try pass(to: &sink), in: self)
    } catch {
      throw error.ofTracks(in: shown)
    }
  }

  /// Returns the values that were left out.
  func pass<Sink: TrackSink & ~Copyable>(to sink: inout Sink) throws(Failure) -> TrackFaults {
    let whole = TrackFileInput(input)
    var beginning: [UInt8] = []
    _ = try rethrowing(whole.read(appendingTo: &beginning), as: Failure.unreadable)
    if JSONTrackReader.isJSON(beginning) {
      whole.rewind(isLast: true)
      var reader = JSONTrackReader(whole, isStrict: isStrict)
      try reader.read(into: &sink)
      return reader.faults
    }
    var reader = GPXReader(whole, isStrict: isStrict)
    try reader.read(into: &sink)
    return reader.faults
  }
}

extension Failure {
  /// The same failure with the file, if it is about reading that.
  fileprivate func ofTracks(in file: String) -> Failure {
    switch group {
    case .source: prefixed(by: "can't read \(file)")
    case .damage: prefixed(by: "can't use \(file)")
    default: self
    }
  }
}

extension Run {
  func add(_ faults: TrackFaults, in file: TrackFile) {
    for fault in faults.first { Messages.note("\(file.shown): \(fault)") }
    let more = faults.count - faults.first.count
    if more > 0 { Messages.note("\(file.shown): \(Quantity.count(more, "more fault"))") }
    add(faults: faults.count)
  }
}
