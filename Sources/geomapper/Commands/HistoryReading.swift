import GeoChange
import GeoCore
import GeoSources
import GeoSystem
import GeoTree

struct HistoryReading {
  private let low: LowArguments
  var keepsEvents = true
  var asksForSizes = true
  /// Whether to read the first lines of commit messages.
  var readsSubjects = false
  /// Whether to keep folders even if only files are selected.
  var keepsFolders = false
  var isQuiet: Bool

  /// Limit of descriptors, for the files of kept states.
  private static let descriptors = 16_384

  /// Reads the history that the operands name: of a repository, or of states.
  ///
  /// A single folder that is the top of a repository stands for the repository: a history of one
  /// state would show nothing.
  init(_ low: LowArguments) {
    var low = low
    if !low.readsKept, low.gitRepository == nil, !low.usesGitignore, low.newer == nil,
      low.older == nil, low.operands.count == 1,
      let operand = try? Operand(low.operands[0]), operand.isPath,
      GitRevision.isRepository(operand.path)
    {
      low.gitRepository = operand.path
      low.operands = operand.label.map { [$0 + Array("=HEAD".utf8)] } ?? []
      if !low.isQuiet {
        Messages.note(
          "\(operand.path.quoted) is a git repository; this is its history, as with --git")
      }
    }
    self.low = low
    isQuiet = low.isQuiet
  }

  /// The commit at which the history of a repository ends now; nil for a history of states.
  func head() throws(Failure) -> [UInt8]? {
    guard let repository = low.gitRepository, !repository.isEmpty else { return nil }
    let name = try revision().name
    return try wording { try GitRevision.commit(name, of: repository) }
  }

  private func revision() throws(Failure) -> (name: [UInt8], label: [UInt8]?) {
    let operand = try SourceResolver(low).operands(low.operands)[0]
    return (operand.revision ?? [], operand.label)
  }

  func world(_ run: Run) throws(Failure) -> HistoryWorld {
    let (world, faults) = try world()
    run.add(faults: faults)
    return world
  }

  func world() throws(Failure) -> (HistoryWorld, faults: Int) {
    let selection = try Selection(low.withoutRulesOfDisk)
    let redaction = try low.redaction.plan(isQuiet: isQuiet)
    var this = self
    this.asksForSizes = asksForSizes || selection.needsMetadata
    let (world, faults): (HistoryWorld, Int)
    if let repository = low.gitRepository {
      (world, faults) = try wording { [this] in try this.read(repository) }
    } else {
      (world, faults) = try this.readStates()
    }
    let selected = world.selecting(selection, keepsFolders: keepsFolders)
    return (redaction.map { selected.redacted(by: $0) } ?? selected, faults)
  }

  private func read(_ repository: [UInt8]) throws -> (HistoryWorld, faults: Int) {
    let revision = try revision()
    var history = try RepositoryHistory(revision.name, of: repository, label: revision.label)
    history.keepsEvents = keepsEvents
    history.asksForSizes = asksForSizes
    history.readsSubjects = readsSubjects
    let progress = low.progressLine()
    progress?.begin("history")
    // Count the commits in a second git process meanwhile.
    let counting = BackgroundTask { [history] () throws(Errno) in
      if let total = history.commitCount { progress?.expect(total) }
    }
    if progress != nil { counting.begin() }
    let (world, refused) = try history.world(
      low.chosenLayout, progress: { progress?.show($0, "commit") },
      isRead: { progress?.clear() })
    if refused > 0, !isQuiet {
      Messages.note("\(Quantity.count(refused, "path")) can't be on a map, and were left out")
    }
    return (world, refused)
  }

  private func readStates() throws(Failure) -> (HistoryWorld, faults: Int) {
    let (operands, named) = try low.readsKept ? keptStates() : namedStates()
    var states: [(time: Int64, state: OpenState)] = []
    for (operand, state) in zip(operands, named) {
      guard let time = state.state.time else {
        throw .usage(
          "the time of \(operand.quoted) is unknown; "
            + "a history takes snapshots, exports, revisions and folders")
      }
      states.append((time, state))
    }
    if states.count == 1, !isQuiet { Messages.note("this history has one state only") }
    let sorted = states.enumerated().sorted {
      ($0.element.time, $0.offset) < ($1.element.time, $1.offset)
    }.map(\.element)
    let progress = low.progressLine()
    progress?.begin("history", of: low.selects ? nil : sorted.map(\.state.roots).entryCount)
    var history = StateHistory(
      sorted.map(\.state.roots), times: sorted.map(\.time),
      names: sorted.map(\.state.state.name))
    history.scan.listener = progress?.listener
    let (layout, isQuiet, keepsEvents) = (low.chosenLayout, isQuiet, keepsEvents)
    let before = sorted.reduce(0) { $0 + $1.state.faults }
    return try onMainThread { [history] in
      let faults = FaultList(isQuiet: isQuiet, progress)
      let world = try await history.world(layout: layout, keepsEvents: keepsEvents) {
        faults.add($0)
      }
      faults.finish()
      return (world, faults: faults.count + before)
    }
  }

  private func namedStates() throws(Failure) -> ([[UInt8]], [OpenState]) {
    let now = ThisProcess.unixNanoseconds / 1_000_000_000
    let states = try OpenState.states(low.operands.map { [$0] }, low, now: now)
    try OpenState.refuseTimes(low, of: states)
    return (low.operands, states)
  }

  private func keptStates() throws(Failure) -> ([[UInt8]], [OpenState]) {
    let (kept, label) = try KeptStates.ofOneFolder(low)
    // Each state keeps its file open.
    FileSystem.raiseDescriptorLimit(to: Self.descriptors)
    let times = KeptTimes(kept.states)
    var names: [[UInt8]] = []
    var states: [OpenState] = []
    for (state, open) in try kept.openAll(label: label) {
      var open = open
      open.state.name = Array(times.text(of: state).utf8)
      names.append(open.state.name)
      states.append(open)
    }
    return (names, states)
  }
}
