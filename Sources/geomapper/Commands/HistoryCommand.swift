import GeoChange
import GeoCore
import GeoPipeline
import GeoWeb

extension Command {
  static let history = Command(
    id: .history,
    summary: "Show a tree's history over time.",
    usage: "history [OPTION]... --git REPO [[LABEL=]REV]\n"
      + "       geomapper history [OPTION]... [LABEL=]STATE...\n"
      + "       geomapper history --kept [OPTION]... [[LABEL=]DIR]",
    description: [
      "Follow the history of a git repository by first parents, from its root to REV "
        + "[HEAD], and write when each file and folder existed, on one map of everything that "
        + "ever existed. Nothing moves over time. A node that was deleted and created again "
        + "has several lifetimes.",
      "Without --git, one folder that is a repository is taken as one. Otherwise the states are snapshots, exports of ncdu or gdu, and revisions "
        + "(git:REV), in the order of their times. Folders on disk are the present. With --kept, "
        + "they are all states of DIR that 'geomapper keep' has kept.",
      "With --events, write each change of a file instead: when it was added, changed or "
        + "removed, in which revision, and by whom.",
      "With --format html, write one file that plays the history on the map: land rises "
        + "from the sea, files light up when they change, and deleted ones become ruins. "
        + "'geomapper serve --history' shows the same without a file.",
    ],
    examples: [
      "geomapper history --git . -o lives.geojson":
        "Write the whole history for QGIS, kepler.gl or MapLibre.",
      "geomapper history --git . --format html -o history.html": "Play it in a browser.",
      "geomapper history --git . --events --format csv --since 2026-01-01":
        "List all changes of files this year.",
      "geomapper history --git . --format gpx -o authors.gpx v1.0":
        "Write a track for each author up to version 1.0.",
      "geomapper history --git . --film history.mp4": "Make a video of one minute.",
      "geomapper history -o lives.geojson backups/*.geosnap":
        "Show what was added and removed between snapshots.",
    ],
    statuses: statuses(
      "Everything was written", incomplete: "Paths that can't be on a map were left out.",
      wrong: "a repository or revision that does not exist or can't be read"),
    rules: [
      CommandRule { given in
        let filter = given.low.history.filter
        guard let since = filter.since, let until = filter.until, since > until else { return nil }
        return "--since is later than --until: nothing is between them"
      },
      HistoryVideo.rateOfGIF,
      .history(), .format,
    ],
    run: HistoryCommand.run)
}

extension CommandRule {
  /// Takes the operands of a history: a revision, a folder with kept states, or states.
  static func history(when conditions: Circumstance...) -> Self {
    Self { given in
      if !given.meets(conditions, unless: []) { return nil }
      if given.low.gitRepository != nil {
        return given.operands.count > 1 ? "a history leads to one revision" : nil
      }
      if given.low.readsKept { return oneKeptFolder(when: .option("kept")).refusal(given) }
      return given.operands.isEmpty
        ? "a history is of states, or of a git repository: give it with --git REPO; or of the kept "
          + "states of a folder: --kept DIR" : nil
    }
  }

  static func oneKeptFolder(when condition: Circumstance) -> Self {
    Self { given in
      given.meets([condition], unless: []) && given.operands.count > 1
        ? "--kept is for one folder; \(given.operands.count) are given" : nil
    }
  }
}

enum HistoryCommand {
  static func run(_ run: Run) throws(Failure) {
    let arguments = run.low.history
    if let (file, format) = arguments.film {
      return try HistoryVideo(file, as: format, run).write()
    }
    let (format, place) = try run.product
    if format == .html { try place.refuseTerminal("a page") }
    var reading = HistoryReading(run.low)
    reading.keepsEvents = format == .gpx || format == .html || arguments.listsEvents
    // Tracks and lists of events have no sizes.
    reading.asksForSizes = format != .gpx && !arguments.listsEvents
    reading.readsSubjects = format == .html
    // The page shows folders, too, even if only files are selected.
    reading.keepsFolders = format == .html
    let world = try reading.world(run)
    let filter = arguments.filter
    if let path = filter.path, !world.has(path) { run.note(remark(on: path, notIn: world)) }

    switch format {
    case .gpx:
      if !world.hasAuthors {
        run.note(
          "there are no tracks, as the authors of these states are unknown; --events shows what "
            + "happened")
      }
      var tracks = HistoryEvents(world, filter: filter)
      try run.write(&tracks, as: .gpx)
    case .html: try writePage(HistorySource(world, filter: filter), run)
    default:
      try run.write { (output) throws(Failure) in
        if arguments.listsEvents {
          try HistoryEvents(world, filter: filter).write(format) { (bytes) throws(Failure) in
            try output.write(bytes)
          }
        } else {
          var writer = LifeWriter(world, format: format, filter: filter)
          try writer.write { (bytes) throws(Failure) in try output.write(bytes) }
        }
      }
    }
  }

  private static func remark(on path: [UInt8], notIn world: HistoryWorld) -> String {
    let below = Array(path.drop { $0 != .slash }.dropFirst())
    let hint =
      !below.isEmpty && world.has(below)
      ? "without the root's label it is \(below.quoted)"
      : "paths begin below the root, without its label"
    return "nothing was ever at \(path.quoted); \(hint)"
  }

  private static func writePage(_ source: HistorySource, _ run: Run) throws(Failure) {
    var request = MapRequest(roots: source.roots)
    request.layout = run.low.chosenLayout
    request.format = .page(
      StandalonePage.history.frame,
      data: HistoryTimeline(source, filter: run.low.history.filter).text())
    try run.write("page", maximum: request.format.maximumNodes, .never) { [request] _ in
      try await MapPipeline.open(request)
    }
  }
}

extension HistoryEvents: TrackProduct {}
