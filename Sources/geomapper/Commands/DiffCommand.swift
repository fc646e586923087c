import GeoChange
import GeoCore
import GeoDraw
import GeoFormats
import GeoPipeline
import GeoSystem
import GeoTree
import GeoWeb

extension Command {
  static let diff = Command(
    id: .diff,
    summary: "Show what changed between two states.",
    usage: "diff [OPTION]... [LABEL=]OLD [LABEL=]NEW\n       geomapper diff [OPTION]... --git REPO "
      + "[LABEL=]REV [LABEL=]REV\n       geomapper diff [OPTION]... --old STATE... --new STATE...",
    description: [
      "Show what happened between two states of a tree: files that were added, removed, "
        + "changed or moved, folders that grew or shrank most, the largest new files. A state "
        + "is a folder on disk, a snapshot or a revision of a git repository (--git REPO, or "
        + "git:REV). It can also be a geojson map of geomapper, an export of ncdu or gdu, or "
        + "a list of paths. The type of a file is found by its content.",
      "Files are compared by type, size and modification time, revisions by mode and content; no "
        + "file is opened. With --format geojson and other maps, both states are on one map, and "
        + "nothing moves between them. --card also draws a picture for a pull request or a chat.",
    ],
    examples: [
      "geomapper diff home.geosnap ~":
        "Show what has changed in the home folder since the snapshot.",
      "geomapper diff --git . v1.0 HEAD":
        "Show what has changed in the repository since version 1.0.",
      "geomapper diff --format geojson -o changes.geojson backup/src src":
        "Map the differences of two folders.",
      "geomapper diff --git . --card changes.png v1.0 HEAD":
        "Draw a picture of the differences for a link preview, too.",
      "geomapper diff --exit-code -q backup/src src || echo differs":
        "Let a script know whether anything differs.",
    ],
    statuses: statuses(
      "Everything was compared", incomplete: "What could not be read was not compared.",
      wrong: "a state that does not exist or can't be used, or no program that makes a PNG",
      others: [("5", "Something differs (with --exit-code), whatever else happened.")]),
    rules: [
      CommandRule { DiffCommand.refusal(ofOperands: $0.operands, $0.low.diff) },
      .refuses(
        when: .option("new"), unless: .option("old"), saying: "no old state given: use --old"),
      .refuses(
        when: .option("old"), unless: .option("new"), saying: "no new state given: use --new"),
      .format,
    ],
    run: DiffCommand.run)
}

enum DiffCommand {
  static func run(_ run: Run) throws(Failure) {
    let format = run.format
    let given = run.low
    let low = given.withoutRulesOfDisk
    let now =
      low.diff.isDated || format == .html ? ThisProcess.unixNanoseconds / 1_000_000_000 : nil
    var comparison = Comparison(old: [], new: [])
    comparison.selection = try Selection(low)
    comparison.keepsAll = low.diff.showsAll
    comparison.keepsSums = format == .html || low.diff.card != nil
    comparison.scan = low.map.scan
    let operands = operands(given)
    if operands.joined().contains(where: { (try? Operand($0))?.keptTime != nil }) {
      // Kept states lack the store.
      comparison.scan.ownFolder = try given.keptStore.ownFolder
    }
    let states = try run.states(
      operands, low, now: now,
      asFarAsTheyDiffer: comparison.skipsEqual && !given.usesGitignore && !given.redaction.isAsked)
    (comparison.old, comparison.new) = (states[0].roots, states[1].roots)
    comparison.since = low.diff.since
    comparison.ignoresTimes = low.diff.ignoresTimes
    try write(comparison, states.map(\.state), run, format)
  }

  /// Compares two states, and writes a map or a summary, with a report about growth over time.
  static func write(
    _ comparison: Comparison, _ states: [MapState], _ run: Run, _ format: FileFormat,
    growth: ((ChangeTree) -> GrowthText)? = nil
  ) throws(Failure) {
    var comparison = comparison
    comparison.keepsAll = run.low.diff.showsAll
    comparison.keepsSums = format == .html || run.low.diff.card != nil
    comparison.measure = run.low.measure
    comparison.layout = run.low.chosenLayout
    comparison.scan.temporary = try run.place.temporary
    let card = try CardFile(run.low)
    let isReport = format.holds.contains(.reports)
    let tree = try card != nil || isReport ? run.compare(comparison) : nil
    let picture = try tree.flatMap { (tree) throws(Failure) in
      try card?.draw(tree, comparison, states, run)
    }
    let isDifferent =
      if let tree, isReport {
        try summarise(tree, states, run, format, growth)
      } else {
        try map(comparison, states, run, format)
      }
    if let card, let picture { try OutputFile.write(picture, to: card.place) }
    if run.low.diff.setsStatus, isDifferent { run.end(.difference) }
  }

  private static func operands(_ low: LowArguments) -> [[[UInt8]]] {
    low.diff.old.isEmpty ? low.operands.map { [$0] } : [low.diff.old, low.diff.new]
  }

  fileprivate static func refusal(
    ofOperands operands: [[UInt8]], _ diff: DiffArguments
  ) -> String? {
    if diff.old.isEmpty, diff.new.isEmpty {
      if operands.count == 2 { return nil }
      return "diff compares two states, OLD and NEW, and \(operands.count) "
        + (operands.count == 1 ? "is" : "are") + " given"
        + (isRange(operands) ? "; of a range such as v1..v2 give both ends" : "")
    }
    return operands.first.map { operand in
      "\(operand.quoted) is neither --old nor --new: say of each root which it is"
    }
  }

  /// Whether there is one operand, which git would read as a range of revisions.
  private static func isRange(_ operands: [[UInt8]]) -> Bool {
    guard operands.count == 1, let name = operands.first?.prefix(while: { $0 != UInt8(ascii: "/") })
    else { return false }
    let dot = UInt8(ascii: ".")
    return zip(name, name.dropFirst()).dropFirst().contains { $0 == dot && $1 == dot }
  }

  /// Returns whether the states differ.
  private static func map(
    _ comparison: Comparison, _ states: [MapState], _ run: Run, _ format: FileFormat
  ) throws(Failure) -> Bool {
    var request = ChangeMapRequest(comparison, states: states, frame: StandalonePage.changes.frame)
    request.format = format
    request.filter = run.low.map.filter
    let stream = try run.write("map", maximum: request.maximumNodes) { [request] report in
      var request = request
      request.comparison.scan.listener = report.listener(
        "comparison", of: request.comparison.entryCount)
      request.comparison.scan.stallListener = report.stallListener
      return try await request.open()
    }
    return stream.isDifferent ?? false
  }

  /// Returns whether the states differ.
  private static func summarise(
    _ tree: ChangeTree, _ states: [MapState], _ run: Run, _ format: FileFormat,
    _ growth: ((ChangeTree) -> GrowthText)?
  ) throws(Failure) -> Bool {
    var text = DiffText(states: states, tree: tree, top: run.low.limit ?? 10)
    text.growth = growth?(tree)
    text.isIncomplete = run.isIncomplete
    text.isColored = try run.place.isTerminal && Style.hasColor(on: Descriptor.standardOutput)
    let bytes = format == .json ? text.json : Array(text.text.utf8)
    try tree.checkScratch()
    try run.write(bytes)
    return !tree.isEmpty
  }
}

extension Run {
  /// Compares two states for a summary, which has no times of folders.
  func compare(_ comparison: Comparison, as part: String = "") throws(Failure) -> ChangeTree {
    try read(part, of: comparison.entryCount) { faults in
      var comparison = comparison
      comparison.asksForFolders = false
      comparison.scan = comparison.scan.heard(by: faults.progress)
      var batches = try await comparison.start().makeAsyncIterator()
      while let progress = try await batches.next(isolation: nil) { faults.add(progress.faults) }
      return try batches.finish()
    }
  }
}

extension ChangeTree {
  /// Throws if entries are missing because the scratch file could not be read.
  func checkScratch() throws(Failure) {
    if let failure { throw Failure(MapError.noScratch(failure)) }
  }
}

extension Comparison {
  fileprivate var entryCount: Int? { selection.isActive ? nil : [old, new].entryCount }
}

/// The card of two states: a picture that is written next to the output of a comparison.
struct CardFile {
  let place: OutputPlace
  /// The program that converts SVG to PNG; nil for SVG output.
  private let program: PictureProgram?

  /// Resolves the place and the program, before anything is read; nil if no card is wanted.
  init?(_ low: LowArguments) throws(Failure) {
    guard let card = low.diff.card else { return nil }
    place = try OutputPlace(card.file)
    program = try wording { try card.format == .png ? PictureProgram.find() : nil }
  }

  func draw(
    _ tree: ChangeTree, _ comparison: Comparison, _ states: [MapState], _ run: Run
  ) throws(Failure) -> [UInt8] {
    try tree.checkScratch()
    let roots = try wording { try WorldRoots(comparison.union, comparison.layout) }
    let totals = try run.read("land", of: roots.roots.entryCount) {
      [roots = roots.roots, scan = comparison.scan] faults in
      // The comparison has reported all faults.
      try await TreeTotals.all(of: roots, options: scan.heard(by: faults.progress))
    }
    var options = CardOptions()
    (options.title, options.isDark) = (run.low.draw.poster.title, run.low.draw.poster.isDark)
    options.rootFiles = roots.roots.map(\.listing.files)
    let card = try rethrowing(
      ChangeCard(of: totals, by: roots.engine, comparing: ComparedStates(tree, states), options)
    ) { Failure($0, folder: []) }
    run.progress?.begin("picture")
    return try wording {
      try program?.png(
        of: card.svg, width: ChangeCard.width, height: ChangeCard.height, scale: 1
      ) { [progress = run.progress] in progress?.showTime() }
    } ?? card.svg
  }
}
