import GeoChange
import GeoFormats
import GeoCore
import GeoPipeline
import GeoTree
import GeoSystem
import GeoWeb

extension Command {
  /// `geomapper diff`
  static let diff = Command(
    id: .diff,
    summary: "Show what changed between two states.",
    usage: "diff [OPTION]... [LABEL=]OLD [LABEL=]NEW\n       geomapper diff [OPTION]... --git "
      + "REPO [LABEL=]REV [LABEL=]REV\n       geomapper diff [OPTION]... --old STATE... --new "
      + "STATE...",
    description: [
      "Show what happened between two states of a tree: files that were added, removed, "
        + "changed or moved, folders that grew or shrank most, the largest new files. A state "
        + "is a folder on disk, a snapshot, a revision of a git repository (--git REPO, or "
        + "git:REV), a map that geomapper wrote as geojson, an export of ncdu or gdu, or a "
        + "list of paths. The type of a file is found by its content.",
      "Files are compared by type, size and modification time, revisions by mode and "
        + "content; no file is opened. With --format geojson and other maps, both states are "
        + "on one map, and nothing moves between them.",
    ],
    examples: [
      Example(
        line: "geomapper diff home.geosnap ~",
        effect: "Show what has changed in the home folder since the snapshot."),
      Example(
        line: "geomapper diff --git . v1.0 HEAD",
        effect: "Show what has changed in the repository since version 1.0."),
      Example(
        line: "geomapper diff --format geojson -o changes.geojson backup/src src",
        effect: "Map the differences of two folders."),
      Example(
        line: "geomapper diff --exit-code -q backup/src src || echo differs",
        effect: "Let a script know whether anything differs."),
    ],
    statuses: ExitMeaning.usual(
      "Everything was compared", incomplete: "What could not be read was not compared.",
      wrong: "a state that does not exist or can't be used",
      others: [ExitMeaning("5", "Something differs (with --exit-code), whatever else happened.")]),
    run: DiffCommand.run)
}

/// `geomapper diff`: tells what differs between two states.
enum DiffCommand {
  @Sendable
  static func run(_ low: LowArguments) throws(Failure) -> ExitStatus {
    let format = try low.format(
      among: FileFormat.holding([.reports, .changes]), usual: .text)
    let now = low.diff.isDated ? ThisProcess.unixNanoseconds / 1_000_000_000 : nil
    var comparison = Comparison(old: [], new: [])
    comparison.selection = try Selection(low.withoutRulesOfDisk)
    comparison.keepsAll = low.diff.showsAll
    comparison.keepsSums = format == .html
    let states = try OpenState.states(
      try operands(low), low, now: now,
      asFarAsTheyDiffer: comparison.passesOver && !low.usesGitignore)
    let low = low.withoutRulesOfDisk
    try low.checkDisk(of: states.flatMap(\.roots))
    try OpenState.refuseTimes(low, of: states)
    let place = try low.place
    (comparison.old, comparison.new) = (states[0].roots, states[1].roots)
    comparison.layout = low.layout ?? .settled
    comparison.scan.threads = low.threads
    comparison.scan.staysOnFileSystem = low.links.staysOnFileSystem
    comparison.scan.followsLinks = low.links.follows
    comparison.scan.temporary = place.temporary
    comparison.since = low.diff.since
    let isIncomplete = states.contains { $0.faults > 0 }
    if format.holds.contains(.reports) {
      // The summary has no times of folders.
      comparison.asksForFolders = false
      let status = try summarise(
        comparison, states.map(\.state), low, format, to: place)
      return status == .success && isIncomplete ? .incomplete : status
    }
    var request = ChangeMapRequest(
      comparison, states: states.map(\.state), frame: StandalonePage.changes.frame)
    request.format = format
    request.filter.zoom = low.zoom
    request.filter.box = low.box
    request.filter.maxDepth = low.maxDepth
    let status = try map(request, low, to: place)
    return status == .success && isIncomplete ? .incomplete : status
  }

  /// The operands of both states, the old one first.
  private static func operands(_ low: LowArguments) throws(Failure) -> [[[UInt8]]] {
    if low.diff.old.isEmpty, low.diff.new.isEmpty {
      guard low.operands.count == 2 else {
        throw .usage(
          "diff compares two states, OLD and NEW, and \(low.operands.count) "
            + (low.operands.count == 1 ? "is" : "are") + " given"
            + (isRange(low.operands) ? "; of a range such as v1..v2 give both ends" : ""))
      }
      return low.operands.map { [$0] }
    }
    if let operand = low.operands.first {
      throw .usage(
        "'\(TerminalText.escaped(operand))' is neither --old nor --new: say of each root which it is"
      )
    }
    if low.diff.old.isEmpty { throw .usage("no old state given: use --old") }
    if low.diff.new.isEmpty { throw .usage("no new state given: use --new") }
    return [low.diff.old, low.diff.new]
  }

  /// Whether there is one operand only, and git would take it for two revisions.
  private static func isRange(_ operands: [[UInt8]]) -> Bool {
    guard operands.count == 1, let name = operands.first?.prefix(while: { $0 != UInt8(ascii: "/") })
    else { return false }
    let dot = UInt8(ascii: ".")
    return zip(name, name.dropFirst()).dropFirst().contains { $0 == dot && $1 == dot }
  }

  private static func map(
    _ request: ChangeMapRequest, _ low: LowArguments, to place: OutputPlace
  ) throws(Failure) -> ExitStatus {
    let (mode, isQuiet) = (low.progress ?? .auto, low.isQuiet)
    let (status, isDifferent) = try onMainThread {
      let report = Report(
        mode: mode, isQuiet: isQuiet, outputIsTerminal: place.isTerminal)
      var request = request
      request.comparison.scan.tellsReach = report.listener(
        "comparison", of: request.comparison.entryCount)
      let stream = try await request.open()
      let status = try await StreamOutput(
        name: "map", report: report, most: request.mostNodes
      )
      .drain(stream, into: OutputFile(opening: place))
      return (status, stream.isDifferent ?? false)
    }
    return low.diff.tellsByStatus && isDifferent ? .difference : status
  }

  private static func summarise(
    _ comparison: Comparison, _ states: [MapState], _ low: LowArguments, _ format: FileFormat,
    to place: OutputPlace
  ) throws(Failure) -> ExitStatus {
    let isQuiet = low.isQuiet
    let progress = low.progressLine()
    progress?.begin(of: comparison.entryCount)
    var comparison = comparison
    comparison.scan.tellsReach = progress?.listener
    let (tree, faults) = try onMainThread { [comparison] in
      let faults = FaultList(isQuiet: isQuiet, progress)
      var batches = try await comparison.start().makeAsyncIterator()
      while let progress = try await batches.next(isolation: nil) { faults.add(progress.faults) }
      faults.finish()
      return (try batches.finish(), faults.count)
    }
    var text = DiffText(states: states, tree: tree, top: low.limit ?? 10)
    text.isColored = place.isTerminal && Style.hasColor(on: Descriptor.standardOutput)
    let bytes = format == .json ? text.json : Array(text.text.utf8)
    // What can't be read again is not told as if it weren't there.
    if let failure = tree.failure { throw Failure(MapError.noScratch(failure)) }
    try OutputFile.write(bytes, to: place)
    if low.diff.tellsByStatus, !tree.isEmpty { return .difference }
    return faults == 0 ? .success : .incomplete
  }
}

extension Comparison {
  /// How many entries are read of both states, if that is known beforehand.
  fileprivate var entryCount: Int? { selection.isActive ? nil : [old, new].entryCount }
}
