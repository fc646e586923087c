import GeoChange
import GeoCore
import GeoFormats
import GeoPipeline
import GeoSources
import GeoSystem
import GeoTree

extension Command {
  static let keep = Command(
    id: .keep,
    summary: "Keep states of folders, and show what changed.",
    usage: "keep [OPTION]... [[LABEL=]DIR]...\n       geomapper keep --list [OPTION]... [DIR]...\n"
      + "       geomapper keep --drop [OPTION]... TIME...\n"
      + "       geomapper keep --every TIME [--install] [OPTION]... [[LABEL=]DIR]...\n"
      + "       geomapper keep --remove [OPTION]... [DIR]...",
    description: [
      "Take a snapshot of folders into a store, and print in one line what changed since the last "
        + "one. Without DIR the current folder is kept. Only states of the same folders on the "
        + "same file systems, with the same selection, are compared.",
      "All states of a store share what is equal. The store itself is left out of the states.",
    ],
    examples: [
      "geomapper keep ~": "Keep the state of the home folder.",
      "geomapper keep --list": "List all kept states.",
      "geomapper keep --drop 2026-11-20T08:00:00Z": "Remove a kept state.",
      "geomapper keep --every 1h --install ~": "Keep the state of the home folder every hour.",
      "geomapper keep --alert 'home growth > 10G/d' /home --exec notify-send full":
        "Run a command if /home grew by more than 10 GiB a day.",
    ],
    statuses: statuses(
      "The state was kept",
      incomplete: "The state lacks what could not be read or vanished, a kept state is damaged, "
        + "the command of an alert failed, or the service manager did not take the timer.",
      wrong: "a folder that does not exist, or a TIME without a state"),
    rules: [
      .takes(
        1..., when: .option("drop"),
        or: "--drop needs the times of states, as 'geomapper keep --list' prints them"),
      .noFolderInCommand,
      CommandRule { given in
        given.meets([], unless: [.option("list"), .option("drop"), .option("remove")])
          && !SourceResolver(given.low).areFolders(given.operands)
          ? "keep takes folders on a disk; to save the state of something else use "
            + "'geomapper snapshot'" : nil
      },
      .format,
    ],
    run: KeepCommand.run)
}

enum KeepCommand {
  static func run(_ run: Run) throws(Failure) {
    let (format, _) = try run.product
    if run.low.timer.interval != nil || run.low.timer.removes { return try TimerCommand.run(run) }
    let store = try run.low.keptStore
    if run.low.keep.lists { return try KeptList.run(store, format, run) }
    if run.low.keep.drops { return try KeptRemoval.run(store, format, run) }
    let request = try request(run)
    let alerts = try KeepAlerts(run.low, of: request.roots)
    let kept = try keep(request, into: store, run)
    // The state is in the store: no failure of what follows harms it, or keeps an alert back.
    defer { alerts?.evaluate(kept.state, since: kept.last, kept.trees, in: store, run) }
    let line = KeptLine(kept.state, since: kept.last, try changes(kept, run), by: run.low.measure)
    try run.write(as: format, json: line.json, text: line.text)
  }

  /// What to read, with real paths.
  static func request(_ run: Run) throws(Failure) -> SnapshotRequest {
    let low = run.low
    let inputs = try run.inputs(low.operands, read: .once)
    var request = try SnapshotCommand.request(of: inputs, low)
    request.roots = try request.roots.checked
    for index in request.roots.indices {
      let path = request.roots[index].directory
      request.roots[index].directory = try explaining(
        "can't find the real path of \(path.quoted)"
      ) { try ThisProcess.realPath(path) }
    }
    return request
  }

  private struct Kept {
    var state: KeptState
    var last: KeptState?
    var trees: (old: Snapshot, new: Snapshot)?
  }

  private static func keep(
    _ request: SnapshotRequest, into store: KeptStore, _ run: Run
  ) throws(Failure) -> Kept {
    let draft = try wording { try store.locked().begin() }
    // Other runs may keep states while this one reads.
    let newest = try wording { try store.states() }.map(\.number).max() ?? 0
    // The time comes after the list: another run may have kept a state since this one began.
    var request = request
    request.setTimeToNow()
    var state = try self.state(request)
    let total = request.selection.isActive ? nil : request.roots.entryCount
    // The store exists by now.
    let own = store.ownFolder
    let expected = run.expectedEntries(of: request.roots)
    let taken = try run.read("snapshot", of: total, about: expected) { [request] faults in
      var request = request
      request.scan = request.scan.heard(by: faults.progress)
      request.scan.ownFolder = own
      let header = try await MapPipeline.keep(request, in: draft) { faults.add($0) }
      return (header, isIncomplete: faults.count > 0)
    }
    state.conditions = taken.0.options
    state.isIncomplete = taken.isIncomplete
    let before = try wording { try store.states() }.filter { $0.number <= newest }
    let last = KeptNotes(state, before, run).last
    let old = last.flatMap { last in
      run.reportingFailure("not compared with the last state") { try store.open(last) }
    }
    state = try add(draft, as: state, to: store, run)
    guard let last, let old else { return Kept(state: state) }
    return Kept(state: state, last: last, trees: (old, try wording { try store.open(state) }))
  }

  private static func add(
    _ draft: KeptDraft, as state: KeptState, to store: KeptStore, _ run: Run
  ) throws(Failure) -> KeptState {
    let locked = try wording { try store.locked() }
    let state = try wording { try locked.add(draft, as: state) }
    run.reportingFailure("the state was kept, but older ones can't be removed") {
      _ = try locked.thin(state, run.low.keep.retention)
    }
    run.reportingFailure("the state was kept, but the others can't be checked") {
      KeptList.report(try locked.checkedContents().damaged, run)
    }
    return state
  }

  private static func state(_ request: SnapshotRequest) throws(Failure) -> KeptState {
    var state = KeptState(roots: [])
    for root in request.roots {
      let name = root.directory.shown
      let volume = try explaining("can't identify the file system of '\(name)'") {
        try FileSystem.volume(at: root.directory)
      }
      let free = try? FileSystem.freeBytes(of: root.directory)
      state.roots.append(
        KeptState.Root(
          label: root.label, directory: root.directory, fileSystem: volume, free: free))
    }
    (state.seconds, state.nanoseconds) = (request.seconds, request.nanoseconds)
    state.machine = ThisMachine.identity
    state.machineName = ThisMachine.names.host
    return state
  }

  private static func changes(_ kept: Kept, _ run: Run) throws(Failure) -> ChangeTree? {
    guard let (old, new) = kept.trees else { return nil }
    // Nothing is read where both states have the same blocks.
    let common = CommonBlocks(old, new)
    var comparison = Comparison(
      old: old.scanRoots(labelledAs: kept.state, sharing: common),
      new: new.scanRoots(sharing: common))
    comparison.scan = run.low.map.scan
    comparison.measure = run.low.measure
    let tree = try run.compare(comparison, as: "comparison")
    try tree.checkScratch()
    return tree
  }
}

/// Finds the state to compare a new one with, and says why others don't fit.
struct KeptNotes {
  /// The last state of the same series, in the order in which they were kept.
  let last: KeptState?

  /// - Parameter before: The states that were in the store when the scan began.
  init(_ state: KeptState, _ before: [KeptState], _ run: Run) {
    func newest(_ fits: (KeptState) -> Bool) -> KeptState? {
      before.filter { $0.machine == state.machine && fits($0) }.max { $0.number < $1.number }
    }
    last = newest { $0.isComparable(with: state) }
    if let last {
      if state.isEarlier(than: last) {
        run.note("the clock was set back: the last state is of a later time, \(last.timeText)")
      }
      return
    }
    let directories = state.key.directories
    if let other = newest({ $0.key == state.key }) {
      run.note(
        "not compared with the state of \(other.timeText), which has "
          + (other.conditions.isEmpty ? "no selection" : "the selection \(other.selectionText)"))
    } else if let other = newest({ $0.key.directories == directories }) {
      let pairs = zip(other.key.roots, state.key.roots)
      for (old, new) in pairs where old.fileSystem != new.fileSystem {
        run.note(
          "not compared with the state of \(other.timeText): another file system is at "
            + new.directory.quoted)
      }
    }
  }
}

extension LowArguments {
  var keptStore: KeptStore {
    get throws(Failure) {
      if let folder = keep.store { return KeptStore(at: folder) }
      let folder = try UserFolder.data.path(of: "kept", or: "give the store by --store DIR")
      return KeptStore(at: folder)
    }
  }
}

extension Snapshot {
  /// The roots, with the labels that another state of the same folders has.
  func scanRoots(labelledAs state: KeptState, sharing common: CommonBlocks? = nil) -> [ScanRoot] {
    var labels: [[UInt8]: [UInt8]] = [:]
    for root in state.roots { labels[root.directory] = root.label }
    var roots = scanRoots(sharing: common)
    for (index, root) in header.roots.enumerated() {
      if let label = labels[root.directory] { roots[index].label = label }
    }
    return roots.sorted { $0.label.span.orders(before: $1.label.span) }
  }
}

extension KeptState {
  var timeText: String { CivilTime.text(unixSeconds: seconds) }

  var selectionText: String {
    conditions.map { TerminalText.escaped(KeptCondition.modern($0)) }.joined(separator: " ")
  }
}
