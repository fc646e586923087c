import GeoCore
import GeoFormats
import GeoPipeline
import GeoSources
import GeoSystem
import GeoTree

/// One of the states that are compared, as operands name it.
struct StateArgument {
  var roots: [ScanRoot] = []
  /// What it is called, and when it was, if that is known.
  var state = MapState(name: [])
  /// What of a list could not be used, or of a revision not be shown; each was named.
  var faults = 0

  /// The states that operands name, each of which may have several roots.
  ///
  /// - Parameters:
  ///   - now: When folders on disk are read, in Unix seconds; nil if nobody wants to know.
  ///   - asFarAsTheyDiffer: Whether nobody will ask what two revisions have in common.
  static func states(
    _ operands: [[[UInt8]]], _ low: LowArguments, now: Int64?, asFarAsTheyDiffer: Bool = false
  ) throws(Failure) -> [StateArgument] {
    var states: [StateArgument]
    do throws(Failure) {
      var rest = try MapPlan.marked(Array(operands.joined()), low)[...]
      let operands = operands.map { state in
        defer { rest = rest.dropFirst(state.count) }
        return Array(rest.prefix(state.count))
      }
      states = try read(operands, low, now: now, asFarAsTheyDiffer: asFarAsTheyDiffer)
    } catch {
      throw low.gitRepository == nil ? pointing(at: error) : error
    }
    if !low.isQuiet { noteWholeRepository(among: states) }
    if let last = states.indices.last {
      states[last].faults += MapPlan.nameUnshown(in: states.flatMap(\.roots), isQuiet: low.isQuiet)
    }
    return states
  }

  private static func read(
    _ operands: [[[UInt8]]], _ low: LowArguments, now: Int64?, asFarAsTheyDiffer: Bool
  ) throws(Failure) -> [StateArgument] {
    if asFarAsTheyDiffer, let roots = try MapPlan.differing(operands, low) {
      return try roots.map { (root) throws(Failure) in
        var state = StateArgument()
        state.state.time = try state.add(root, now: now)
        return state
      }
    }
    // Whether revisions are marked as such is one question for all of them.
    let marked = operands.joined().filter { MapPlan.isMarked($0) }
    var states: [StateArgument] = []
    for operands in operands {
      var state = StateArgument()
      var times: Set<Int64?> = []
      for operand in operands {
        var low = low
        if !marked.isEmpty, !marked.contains(operand) { low.gitRepository = nil }
        if let file = try StateFile(operand, low) {
          if low.usesGitignore { try low.checkDisk(of: file.roots) }
          for root in file.roots { state.add(root, name: root.label) }
          times.insert(file.seconds)
          state.faults += file.faults
          continue
        }
        if low.usesGitignore {
          // Each state has rules of its own, which are read with it: what they leave out is known then.
          let (roots, faults) = try WorldSources.index(
            SnapshotCommand.request(low.rulesAlone, [operand]), low)
          for root in roots { state.add(root, name: root.label) }
          times.insert(now)
          state.faults += faults
          continue
        }
        for root in try MapPlan.sources(low, [operand]) {
          times.insert(try state.add(root, now: now))
        }
      }
      state.roots = try MapPlan.checked(state.roots)
      state.state.time = times.count == 1 ? times.first ?? nil : nil
      states.append(state)
    }
    return states
  }

  /// Adds a source.
  ///
  /// - Returns: When it was what it is, in Unix seconds, if that is known.
  private mutating func add(_ root: ScanRoot, now: Int64?) throws(Failure) -> Int64? {
    add(root, name: (root.source as? GitRevision)?.name ?? root.label)
    return try Self.time(of: root, now: now)
  }

  private mutating func add(_ root: ScanRoot, name: [UInt8]) {
    roots.append(root)
    if !state.name.isEmpty { state.name += Array(", ".utf8) }
    state.name += name
  }

  private static func time(of root: ScanRoot, now: Int64?) throws(Failure) -> Int64? {
    do throws(GitError) {
      switch root.source {
      case let snapshot as SnapshotSource: return snapshot.snapshot.header.seconds
      case let revision as GitRevision: return try revision.committed()
      default: return now
      }
    } catch {
      throw Failure(error)
    }
  }
}

extension LowArguments {
  /// Whether git's rules are asked for, which are read from files.
  var usesGitignore: Bool {
    rules.contains { rule in
      if case .gitignore = rule { true } else { false }
    }
  }

  /// What is read of a disk, with all rules of paths and nothing else that selects.
  var rulesAlone: LowArguments {
    var low = self
    (low.names, low.kinds, low.sizes, low.newer, low.older) = ([], nil, [], nil, nil)
    return low
  }

  /// The same without what was decided when a disk was read by git's rules.
  var withoutRulesOfDisk: LowArguments {
    if !usesGitignore { return self }
    var low = self
    low.rules = []
    low.links = LinkArguments()
    for option in Option.all where option.needsDisk { low.given[option.name] = nil }
    return low
  }
}

extension StateArgument {
  /// Refuses options that ask for times where a state has none.
  static func refuseTimes(
    _ low: LowArguments, of states: [StateArgument]
  ) throws(Failure) {
    // --since of a comparison asks the new state alone.
    let times: [(option: String, isGiven: Bool, states: ArraySlice<StateArgument>)] = [
      ("--newer", low.newer != nil, states[...]), ("--older", low.older != nil, states[...]),
      ("--since", low.diff.since != nil, states.suffix(1)),
    ]
    for (option, isGiven, states) in times where isGiven {
      if let root = states.flatMap(\.roots).first(where: { $0.source.knowledge == .objects }) {
        throw .usage(
          "\(option) needs times, and the revision '\(TerminalText.escaped(root.directory))' has none: "
            + "drop one of them")
      }
    }
  }

  /// Why a state can't be used, and how it is given if its name is a revision of the current folder's
  /// repository, as whoever knows git's commands gives it.
  static func pointing(at failure: Failure) -> Failure {
    guard let name = failure.missing,
      (try? GitRevision.commit(name, of: [UInt8(ascii: ".")])) != nil
    else { return failure }
    let marked = TerminalText.escaped(MapPlan.revisionMark + name)
    return .usage("\(failure.message); the revision is '\(marked)'")
  }

  /// Says that a revision is of a whole repository where it is compared with a folder that is only a part of
  /// the work tree, as whoever is in that folder may take both for the same.
  ///
  /// Git is asked only if there is a folder on a disk beside a revision.
  static func noteWholeRepository(among states: [StateArgument]) {
    let roots = states.compactMap { $0.roots.count == 1 ? $0.roots.first : nil }
    let whole = roots.first { root in
      (root.source as? GitRevision)?.name.contains(UInt8(ascii: ":")) == false
    }
    guard let whole, let revision = whole.source as? GitRevision else { return }
    for root in roots where root.source is DiskSource {
      // Where git can't tell there is nothing to say.
      guard let path = try? revision.path(of: root.directory) else { continue }
      let (name, part) = (TerminalText.escaped(whole.directory), TerminalText.escaped(path))
      Messages.note(
        "'\(name)' is the whole repository, and '\(TerminalText.escaped(root.directory))' is only its "
          + "folder '\(part)'; that folder of the revision is '\(name):\(part)'")
      return
    }
  }
}
