import GeoCore
import GeoFormats
import GeoPipeline
import GeoSources
import GeoTree

/// One of the states to compare, opened.
struct OpenState {
  var roots: [ScanRoot] = []
  var state = MapState(name: [])
  var faults = 0
  private var revision: GitRevision?

  init() {}

  /// Opens states, each of which may have several roots. `now` is the time of folders on disk in
  /// Unix seconds, nil if times are not wanted; `asFarAsTheyDiffer` skips what two revisions or
  /// snapshots have in common.
  static func states(
    _ texts: [[[UInt8]]], _ low: LowArguments, now: Int64?, asFarAsTheyDiffer: Bool = false
  ) throws(Failure) -> [OpenState] {
    var states: [OpenState]
    do throws(Failure) {
      var rest = try Operand.all(Array(texts.joined()), low.gitRepository)[...]
      let operands = texts.map { state in
        defer { rest = rest.dropFirst(state.count) }
        return Array(rest.prefix(state.count))
      }
      states = try read(operands, low, now: now, asFarAsTheyDiffer: asFarAsTheyDiffer)
    } catch {
      throw low.gitRepository == nil ? pointing(at: error) : error
    }
    if !low.isQuiet { noteWholeRepository(among: states) }
    if let last = states.indices.last {
      states[last].faults += low.reportUnshown(in: states.flatMap(\.roots))
    }
    return states
  }

  static func redact(_ states: inout [OpenState], _ low: LowArguments) throws(Failure) {
    guard let redaction = try low.redaction.plan(isQuiet: low.isQuiet) else { return }
    let label = states.allSatisfy { $0.roots.count == 1 } ? states.last?.roots[0].label : nil
    for index in states.indices {
      if low.map.scan.followsLinks || states[index].roots.contains(where: \.source.isSequential) {
        let kept = try low.keep(SnapshotRequest(roots: states[index].roots))
        states[index].roots = kept.roots
        states[index].faults += kept.faults
      }
      states[index].roots = redaction.roots(states[index].roots, keepsObjects: true)
      // Names depend on the label, so those of both states need one.
      if let label {
        (states[index].roots[0].label, states[index].roots[0].directory) = (label, label)
      }
    }
  }

  private static func read(
    _ operands: [[Operand]], _ low: LowArguments, now: Int64?, asFarAsTheyDiffer: Bool
  ) throws(Failure) -> [OpenState] {
    let resolver = SourceResolver(low)
    if asFarAsTheyDiffer, operands.count == 2, operands.allSatisfy({ $0.count == 1 }),
      let sources = try resolver.differing(operands[0][0], operands[1][0])
    {
      return try sources.map { (source) throws(Failure) in try OpenState([source], now: now) }
    }
    var states: [[OpenSource]] = []
    for operands in operands {
      states.append(
        try operands.map { (operand) throws(Failure) in try resolver.openUnread(operand) })
    }
    SourceResolver.shareRoot(of: &states)
    return try states.map { (sources) throws(Failure) -> OpenState in
      var sources = sources
      for index in sources.indices { try resolver.keepList(&sources[index]) }
      return try OpenState(sources, now: now)
    }
  }

  init(_ sources: [OpenSource], now: Int64?) throws(Failure) {
    let roots = sources.flatMap(\.roots)
    let names = sources.flatMap { source in source.name.map { [$0] } ?? source.roots.map(\.label) }
    state.name = Array(names.joined(separator: Array(", ".utf8)))
    var times: Set<Int64?> = []
    for source in sources { times.insert(try source.time(now: now)) }
    state.time = times.count == 1 ? times.first ?? nil : nil
    faults = sources.reduce(0) { $0 + $1.faults }
    if roots.count == 1 { revision = sources.first?.revision }
    self.roots = try roots.checked
  }
}

extension SourceResolver {
  func openState(_ operand: Operand) throws(Failure) -> OpenSource {
    var source = try openUnread(operand)
    try keepList(&source)
    return source
  }

  /// Opens the source of a state. A list is not read yet, so that its root can be changed.
  fileprivate func openUnread(_ operand: Operand) throws(Failure) -> OpenSource {
    if operand.isPath, let source = try stateFile(operand) {
      if low.usesGitignore { try low.checkDisk(of: source.roots) }
      return source
    }
    if !low.usesGitignore { return try open(operand) }
    // The rules files belong to the state, so apply them while reading it.
    var source = try open(operand)
    let request = request(source.roots, selection: try Selection(low.rulesAlone))
    try low.checkDisk(of: source.roots)
    (source.roots, source.faults) = try low.keep(request)
    source.name = nil
    return source
  }
}

extension OpenState {
  static func refuseTimes(_ low: LowArguments, of states: [OpenState]) throws(Failure) {
    // `diff --since` reads the times of the new state only.
    let times: [(option: String, isGiven: Bool, states: ArraySlice<OpenState>)] = [
      ("--newer", low.newer != nil, states[...]), ("--older", low.older != nil, states[...]),
      ("--since", low.diff.since != nil, states.suffix(1)),
    ]
    for (option, isGiven, states) in times where isGiven {
      if let root = states.flatMap(\.roots).first(where: { $0.source.knowledge == .objects }) {
        throw .usage(
          "\(option) needs times, and the revision \(root.directory.quoted) has none: "
            + "drop one of them")
      }
    }
  }

  /// Adds advice to a failure if a missing path is the name of a git revision, as git's own
  /// commands take it.
  static func pointing(at failure: Failure) -> Failure {
    guard let name = failure.missing,
      (try? GitRevision.commit(name, of: [UInt8(ascii: ".")])) != nil
    else { return failure }
    let revision = TerminalText.escaped(Operand.revisionPrefix + name)
    return failure.advising("the revision is '\(revision)'")
  }

  /// Warns if a revision of a whole repository is compared with a folder that is only a part of the
  /// work tree.
  ///
  /// Asks git only if a folder on disk is compared with a revision.
  static func noteWholeRepository(among states: [OpenState]) {
    let whole = states.first { $0.revision?.name.contains(UInt8(ascii: ":")) == false }
    guard let revision = whole?.revision, let directory = whole?.roots.first?.directory else {
      return
    }
    for state in states where state.roots.count == 1 && state.roots[0].source.isLive {
      let root = state.roots[0]
      // Skip folders whose path in the repository git can't find.
      guard let path = try? revision.path(of: root.directory) else { continue }
      let (name, part) = (directory.shown, path.shown)
      Messages.note(
        "'\(name)' is the whole repository, and \(root.directory.quoted) is only its "
          + "folder '\(part)'; that folder of the revision is '\(name):\(part)'")
      return
    }
  }
}

extension Run {
  /// Opens states to compare, checks that the options can be used with them, and replaces names.
  /// `rest` are the options to apply to open states, if some are applied while opening them.
  func states(
    _ operands: [[[UInt8]]], _ rest: LowArguments? = nil, now: Int64?,
    asFarAsTheyDiffer: Bool = false
  ) throws(Failure) -> [OpenState] {
    let rest = rest ?? low
    var states = try OpenState.states(operands, low, now: now, asFarAsTheyDiffer: asFarAsTheyDiffer)
    try rest.checkDisk(of: states.flatMap(\.roots))
    try OpenState.refuseTimes(rest, of: states)
    try OpenState.redact(&states, rest)
    for state in states { add(faults: state.faults) }
    return states
  }
}
