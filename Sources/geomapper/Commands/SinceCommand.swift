import GeoChange
import GeoCore
import GeoSources
import GeoSystem
import GeoTree

extension Command {
  static let since = Command(
    id: .since,
    summary: "Show what grew since a kept state.",
    usage: "since [OPTION]... [WHEN] [[LABEL=]DIR]",
    description: [
      "Compare a state that 'geomapper keep' has kept with DIR [the current folder] as it is now: "
        + "what grew, new large files, folders that moved, what was deleted, the growth a day and "
        + "a week, and when the disk will be full at this rate. DIR is a kept folder or any folder "
        + "in one.",
      "WHEN is first, last or a time such as yesterday, monday, 3d or 2026-01-31 (see 'geomapper help "
        + "time'). The old state is the last one kept at or before WHEN, or the first one, with a note "
        + "[the last one kept]. A single operand that can be WHEN is WHEN: for a folder named "
        + "'tuesday' give './tuesday'.",
      "The disk is read with the selection that the states were kept with.",
    ],
    examples: [
      "geomapper since ~": "Show what grew in the home folder since the last kept state.",
      "geomapper since monday": "Show what grew here since Monday began.",
      "geomapper since --kept 4w ~/src":
        "Compare two kept states of a folder: four weeks old, and the newest.",
      "geomapper since --format html -o week.html 7d": "Show a week's changes on a map.",
    ],
    statuses: statuses(
      "Everything was compared", incomplete: "What could not be read was not compared.",
      wrong: "a folder that does not exist or of which no state is kept",
      others: [("5", "Something differs (with --exit-code), whatever else happened.")]),
    rules: [.format], run: SinceCommand.run)
}

enum SinceCommand {
  private struct Given {
    var time: When?
    var text: [UInt8] = []
    var folder: Operand

    init(_ operands: [[UInt8]], now: Int64) throws(Failure) {
      var rest = operands[...]
      if let first = rest.first {
        do throws(Failure) {
          time = try When(parsing: first, now: now, zone: .ofThisProcess)
        } catch {
          throw error.advising("for a folder of that name give './\(first.shown)'")
        }
        if time != nil {
          text = first
          rest.removeFirst()
        } else if rest.count == 2 {
          throw .wrong(first, "is not a time (try first, last, \(When.examples))")
        }
      }
      try Array(rest).expect(...1, or: "since compares one folder; \(rest.count) are given")
      let text = rest.first ?? [UInt8(ascii: ".")]
      folder = try wording { try Operand(text) }
      if folder.revision != nil || folder.keptTime != nil || Snapshot.begins(folder.path) {
        throw .usage(
          "since compares a folder on a disk, not \(text.quoted); two states of any "
            + "kind are compared by 'geomapper diff'")
      }
    }

    /// The wanted time for the report; nil for none, `first` or `last`.
    var wanted: (text: [UInt8], seconds: Int64)? {
      if case .time(let seconds, _) = time { (text, seconds) } else { nil }
    }
  }

  static func run(_ run: Run) throws(Failure) {
    let format = run.format
    let now = ThisProcess.unixNanoseconds / 1_000_000_000
    let given = try Given(run.low.operands, now: now)
    let store = try run.low.keptStore
    if run.low.readsKept {
      try compareKept(given, in: store, run, format)
    } else {
      try compareDisk(given, in: store, run, format, now: now)
    }
  }

  private static func compareDisk(
    _ given: Given, in store: KeptStore, _ run: Run, _ format: FileFormat, now: Int64
  ) throws(Failure) {
    let states = try KeptStates(of: given.folder.path, in: store, .onThisDisk)
    let state = states.state(at: given.time ?? .last, isQuiet: run.low.isQuiet)
    // The disk is read as it was read for the state.
    var low = run.low
    try low.repeatSelection(of: state)
    low.map.scan.ownFolder = store.ownFolder
    let resolver = SourceResolver(low)
    var new = try OpenState([resolver.openState(given.folder)], now: now)
    new.state.time = now
    let label = new.roots.first?.label
    let old = try states.open(state, label: label)
    let path = given.folder.path
    let free = try? FileSystem.freeBytes(of: path)
    try compare(old, new, states, state, run, low, format) { tree in
      GrowthText(
        wanted: given.wanted, values: values(of: states, from: state, to: now, tree, run),
        measure: tree.measure, free: free)
    }
  }

  private static func compareKept(
    _ given: Given, in store: KeptStore, _ run: Run, _ format: FileFormat
  ) throws(Failure) {
    let states = try KeptStates(of: given.folder.path, in: store, .newest)
    let newest = states.newest
    let label = given.folder.label ?? states.label
    let state: KeptState
    if let time = given.time {
      state = states.state(at: time, isQuiet: run.low.isQuiet)
    } else if let second = states.second {
      state = second
    } else {
      let shown = given.folder.path.shown
      throw .usage(
        "only one state of '\(shown)' is kept, and none before it; keep another one: geomapper keep "
          + shown)
    }
    let (old, new) = try states.open(state, newest, label: label)
    if old.roots.isEmpty, new.roots.isEmpty {
      throw .usage(
        "neither the state of \(state.timeText) nor that of \(newest.timeText) has the folder "
          + given.folder.path.quoted)
    }
    let free = newest.place(of: states.folder)?.root.free
    try compare(old, new, states, state, run, run.low, format) { tree in
      GrowthText(
        wanted: given.wanted,
        values: values(of: states, from: state, to: newest.seconds, tree, run),
        measure: tree.measure, free: free)
    }
  }

  /// The number of states that are read between the two that are compared.
  private static let maximumBetween = 6

  /// The bytes of the folder in the old and the new state, and in some between them; nil if a size
  /// is unknown.
  private static func values(
    of states: KeptStates, from old: KeptState, to end: Int64, _ tree: ChangeTree, _ run: Run
  ) -> [(time: Int64, bytes: Int64)]? {
    guard let growth = tree.totalGrowth else { return nil }
    let between = states.states.filter {
      $0.seconds > old.seconds && $0.seconds < end && !$0.isIncomplete
    }.spread(maximumBetween)
    // Without states between them, the sizes themselves don't matter.
    guard !between.isEmpty, let first = room(of: old, states, run) else {
      return [(old.seconds, 0), (end, growth)]
    }
    var values = [(time: old.seconds, bytes: first)]
    for state in between {
      if let bytes = room(of: state, states, run) { values.append((state.seconds, bytes)) }
    }
    return values + [(end, TreeTotals.sum(first, growth))]
  }

  /// The room on disk of the folder in a state; nil if it is unknown, or the state can't be read.
  private static func room(of state: KeptState, _ states: KeptStates, _ run: Run) -> Int64? {
    guard let root = try? states.root(in: state) else { return nil }
    let stats = try? onMainThread { [threads = run.low.map.scan.threads] in
      var scan = StatsScan(now: 0)
      (scan.top, scan.depth, scan.scan.threads) = (0, 0, threads)
      return try await scan.run([root]) { _ in }
    }
    return stats?.total.allocated
  }

  private static func compare(
    _ old: OpenState, _ new: OpenState, _ states: KeptStates, _ state: KeptState, _ run: Run,
    _ low: LowArguments, _ format: FileFormat, _ growth: @escaping (ChangeTree) -> GrowthText
  ) throws(Failure) {
    if old.roots.isEmpty {
      run.note("the folder isn't in the state of \(state.timeText)")
    }
    if state.isIncomplete {
      run.note("the state of \(state.timeText) is incomplete: parts of it can't be compared")
    }
    run.add(faults: new.faults)
    var comparison = Comparison(old: old.roots, new: new.roots)
    let selecting = low.withoutRulesOfDisk
    comparison.scan = selecting.map.scan
    if !run.low.readsKept { comparison.selection = try Selection(selecting) }
    try DiffCommand.write(comparison, [old.state, new.state], run, format, growth: growth)
  }
}

extension LowArguments {
  mutating func repeatSelection(of state: KeptState) throws(Failure) {
    if state.conditions.isEmpty { return }
    let options = state.conditions.map { KeptCondition.modern($0) }
    do throws(Failure) {
      guard
        case .run(let kept) = try ArgumentParser.parse(
          options[...], options: Option.options(of: .keep))
      else { return }
      (rules, names, kinds, sizes) = (kept.rules, kept.names, kept.kinds, kept.sizes)
      (newer, older, scanDepth) = (kept.newer, kept.older, kept.scanDepth)
      map.scan.staysOnFileSystem = kept.map.scan.staysOnFileSystem
      map.scan.followsLinks = kept.map.scan.followsLinks
    } catch {
      throw error.prefixed(
        by: "can't read the disk with the selection of the kept state, \(state.selectionText)")
    }
  }
}
