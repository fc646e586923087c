import GeoDiff
import GeoEmit
import GeoGit
import GeoPath
import GeoPipeline
import GeoProjection
import GeoScan
import GeoSystem
import GeoTrack

extension Command {
  /// `geomapper history`
  static let history = Command(
    name: "history",
    summary: "Tell when each file of a tree lived, and where.",
    usage: "history [OPTION]... --git REPO [[LABEL=]REV]\n"
      + "       geomapper history [OPTION]... [LABEL=]STATE...",
    description: [
      "Follow the history of a git repository by first parents, from its root to REV, HEAD if none is "
        + "given, and write when each file and folder lived, on one map of all that was ever there: "
        + "nothing moves in the course of time. A node that went and came again has several lives.",
      "Without --git, the states are snapshots, exports of ncdu or gdu, and revisions (git:REV), in the "
        + "order of their times, and folders on disk, which are as they are now.",
      "With --events it tells instead what happened to files: when each came, was changed or went, "
        + "in which revision, and who did it.",
    ],
    options: Option.history,
    examples: [
      Example(
        line: "geomapper history --git . -o lives.geojson",
        effect: "The whole history, for QGIS, kepler.gl or MapLibre."),
      Example(
        line: "geomapper history --git . --events --format csv --since 2026-01-01",
        effect: "What has happened to which file this year?"),
      Example(
        line: "geomapper history --git . --format gpx -o authors.gpx v1.0",
        effect: "The ways of the authors up to version 1.0."),
      Example(
        line: "geomapper history -o lives.geojson backups/*.geosnap",
        effect: "What has come and gone between snapshots?"),
    ],
    statuses: ExitMeaning.usual(
      "All was told", incomplete: "Paths that can't be on a map were left out.",
      wrong: "a repository or revision that does not exist or can't be read"),
    run: HistoryCommand.run)
}

/// `geomapper history`: tells when what lived.
enum HistoryCommand {
  @Sendable
  static func run(_ low: LowArguments) throws(Failure) -> ExitStatus {
    do throws(Failure) {
      return try tell(low)
    } catch {
      throw error.status == .usage ? error.hinting(at: "\(Tool.name) history --help") : error
    }
  }

  private static func tell(_ low: LowArguments) throws(Failure) -> ExitStatus {
    let isGPX = low.history.format == .gpx
    if isGPX, low.history.tellsEvents {
      throw .usage("--events is what gpx has anyway: drop one of them")
    }
    let place = try OutputPlace(low.output ?? [UInt8(ascii: "-")])
    let keepsEvents = isGPX || low.history.tellsEvents
    let (world, faults) =
      if let repository = low.gitRepository {
        try read(low, of: repository, keepsEvents: keepsEvents)
      } else {
        try readStates(low, keepsEvents: keepsEvents)
      }
    var filter = HistoryFilter()
    filter.since = low.history.since
    filter.until = low.history.until
    filter.path = low.history.path

    if isGPX {
      try writeTracks(HistoryEvents(world, filter: filter), to: place)
    } else {
      let format = low.history.format.flatMap { ChangeFormat(rawValue: $0.rawValue) } ?? .geojson
      let output = try OutputFile(opening: place)
      do throws(OutputError) {
        if low.history.tellsEvents {
          try HistoryEvents(world, filter: filter).write(format) { (bytes) throws(OutputError) in
            try output.write(bytes)
          }
        } else {
          var writer = LifeWriter(world, format: format, filter: filter)
          try writer.write { (bytes) throws(OutputError) in try output.write(bytes) }
        }
        try output.complete()
      } catch {
        output.discard()
        if case .failed(let failure) = error { throw failure }
      }
    }
    return faults > 0 ? .incomplete : .success
  }

  /// Reads a history, and says where all in it is.
  private static func read(
    _ low: LowArguments, of repository: [UInt8], keepsEvents: Bool
  ) throws(Failure) -> (HistoryWorld, faults: Int) {
    if repository.isEmpty { throw .usage("--git needs the path of a repository; it is empty") }
    if low.operands.count > 1 { throw .usage("a history leads to one revision") }
    let argument: RootArgument
    do throws(RootError) {
      argument = try RootArgument(parsing: low.operands.first ?? Array("HEAD".utf8))
    } catch {
      throw .usage(error.description)
    }
    do throws(GitError) {
      let label =
        if let label = argument.label { label } else {
          try GitRevision.label(of: [], in: repository)
        }
      let log = try GitLog(argument.directory, of: repository)
      var builder = HistoryBuilder(label: label, keepsEvents: keepsEvents)
      try log.read { commit in
        builder.begin(time: commit.time, author: commit.author, revision: commit.revision)
      } take: { (entry, bytes) in
        let path = entry.path.map { bytes[$0] }
        builder.take(
          path, oldMode: entry.oldMode, newMode: entry.newMode,
          object: bytes.extracting(entry.object))
      }
      let refused = builder.refused
      if refused > 0, !low.isQuiet {
        Messages.note("\(Quantity.count(refused, "path")) can't be on a map, and were left out")
      }
      var (history, objects) = builder.finish()
      var sizes: [Int64?] = []
      if !objects.isEmpty {
        try log.readSizes(of: try scratch(objects)) { sizes.append($0) }
      }
      history.setSizes(sizes)
      do throws(MapError) {
        let roots = try WorldRoots(
          [ScanRoot(label: label, directory: repository)], low.layout ?? .settled,
          areThere: false)
        return (HistoryWorld(history, roots.engine), refused)
      } catch {
        throw GitError.noRepository(path: repository, text: Array(error.description.utf8))
      }
    } catch {
      throw .usage(error.description)
    }
  }

  /// Reads some states in the order of their times, and says where all in them is.
  private static func readStates(
    _ low: LowArguments, keepsEvents: Bool
  ) throws(Failure) -> (HistoryWorld, faults: Int) {
    if low.operands.isEmpty {
      throw .usage("a history is of states, or of a git repository: give it with --git REPO")
    }
    let now = ThisProcess.unixNanoseconds / 1_000_000_000
    var states: [(time: Int64, argument: StateArgument)] = []
    for state in try StateArgument.states(low.operands.map { [$0] }, low, now: now) {
      guard let time = state.state.time else {
        throw .usage(
          "nobody knows of what time '\(TerminalText.escaped(state.state.name))' is; "
            + "a history takes snapshots, exports, revisions and folders")
      }
      states.append((time, state))
    }
    let sorted = states.enumerated().sorted {
      ($0.element.time, $0.offset) < ($1.element.time, $1.offset)
    }.map(\.element)
    let history = StateHistory(sorted.map(\.argument.roots), times: sorted.map(\.time))
    let (layout, isQuiet) = (low.layout ?? .settled, low.isQuiet)
    let before = sorted.reduce(0) { $0 + $1.argument.faults }
    return try MainThreadExecutor().run {
      () async -> Result<(HistoryWorld, faults: Int), Failure> in
      let faults = FaultList(isQuiet: isQuiet)
      do {
        let world = try await history.world(layout: layout, keepsEvents: keepsEvents) {
          faults.add($0)
        }
        faults.finish()
        return .success((world, faults.count + before))
      } catch let error as MapError {
        return .failure(Failure(error))
      } catch {
        return .failure(.output("it was broken off: \(error)"))
      }
    }.get()
  }

  private static func scratch(_ bytes: [UInt8]) throws(GitError) -> ScratchFile {
    do throws(Errno) {
      let file = try ScratchFile()
      try file.append(bytes.span)
      return file
    } catch {
      throw .unreadable(error)
    }
  }

  private static func writeTracks(
    _ events: HistoryEvents, to place: OutputPlace
  ) throws(Failure) {
    let output = try TrackFileOutput(opening: place)
    try output.complete { () throws(Failure) in
      do throws(TrackError) {
        try writeTracks(events, GPXTrackWriter(output))
      } catch {
        throw .output("\(error)")
      }
    }
  }

  private static func writeTracks(
    _ events: HistoryEvents, _ writer: consuming GPXTrackWriter
  ) throws(TrackError) {
    var document = TrackDocument()
    document.creator = Array("geomapper projection \(GeoProjectionEngine.version)".utf8)
    try writer.begin(document)
    for track in events.tracks() {
      try writer.begin(.track, TrackDetails(name: track.author))
      try writer.beginSegment()
      for touch in track {
        let point = TrackPoint(
          longitude: touch.longitude, latitude: touch.latitude,
          elevation: 100 * Double(touch.depth), time: touch.time)
        try writer.add(point, TrackDetails(name: touch.path))
      }
      try writer.endSegment()
      try writer.endLine()
    }
    try writer.end(extensions: [])
  }
}
