import GeoCore
import GeoFormats
import GeoSources
import GeoSystem
import GeoTree

/// The kept states of a folder that can be compared with each other, and with the disk.
struct KeptStates: Sendable {
  enum Finding {
    /// On the file system that the folder is on now; they can be compared with the disk.
    case onThisDisk
    /// The newest ones; the folder need not exist any more.
    case newest
  }

  /// The states, oldest first by the clock; at least one.
  let states: [KeptState]
  /// The real path of the folder: a root of the states, or below one.
  let folder: [UInt8]
  private let directory: [UInt8]
  private let store: KeptStore
  /// States of the folder that can't be compared with these, oldest first.
  private let others: [KeptState]

  init(of directory: [UInt8], in store: KeptStore, _ finding: Finding) throws(Failure) {
    let folder = try Self.realPath(directory, mayBeMissing: finding == .newest)
    try self.init(of: directory, at: folder, in: store, finding)
  }

  /// Finds the states of the folder that an operand names, the current one without operands; also
  /// its label.
  static func ofOneFolder(
    _ low: LowArguments
  ) throws(Failure) -> (states: KeptStates, label: [UInt8]) {
    let operand = try wording { try Operand(low.operands.first ?? [UInt8(ascii: ".")]) }
    let states = try KeptStates(of: operand.path, in: low.keptStore, .newest)
    return (states, operand.label ?? states.label)
  }

  init(
    of directory: [UInt8], at folder: [UInt8], in store: KeptStore, _ finding: Finding
  ) throws(Failure) {
    self.directory = directory
    self.store = store
    self.folder = folder
    let all = try wording { try store.states() }
    let machine = ThisMachine.identity
    let here = all.filter { $0.machine == machine && $0.place(of: folder) != nil }
    var found = here
    if finding == .onThisDisk, !here.isEmpty {
      found = Self.onThisDisk(here, folder)
      if found.isEmpty { throw Self.otherDisk(here, folder) }
    }
    guard let last = found.max(by: { $0.number < $1.number }) else {
      throw Self.nothing(directory, all.contains { $0.machine != machine })
    }
    states = found.filter { $0.isComparable(with: last) }
    others = here.filter { !$0.isComparable(with: last) }
  }

  /// The real path of a folder; if it is missing, by that of the last folder above it that exists.
  static func realPath(_ path: [UInt8], mayBeMissing: Bool) throws(Failure) -> [UInt8] {
    var (above, names): ([UInt8], [[UInt8]]) = (path, [])
    while true {
      do throws(Errno) {
        return names.reversed().reduce(try ThisProcess.realPath(above)) {
          $0.appending(component: $1)
        }
      } catch {
        let shown = path.shown
        guard mayBeMissing, error == .noEntry || error == .notDirectory,
          let name = RootArgument.lastName(of: above)
        else {
          throw Failure.usage("can't find the real path of '\(shown)': \(error)")
        }
        names.append(name)
        while above.last == .slash { above.removeLast() }
        above.removeLast(name.count)
        if above.isEmpty { above = [UInt8(ascii: ".")] }
      }
    }
  }

  // MARK: File systems

  private static func onThisDisk(_ states: [KeptState], _ folder: [UInt8]) -> [KeptState] {
    var volumes: [[UInt8]: [UInt8]] = [:]
    return states.filter { state in
      guard let root = state.place(of: folder)?.root else { return false }
      if volumes[root.directory] == nil {
        // A folder that is missing now is on none.
        volumes[root.directory] = (try? FileSystem.volume(at: root.directory)) ?? []
      }
      return volumes[root.directory] == root.fileSystem
    }
  }

  private static func otherDisk(_ states: [KeptState], _ folder: [UInt8]) -> Failure {
    let last = states.max { $0.number < $1.number }
    let root = last?.place(of: folder)?.root.directory ?? folder
    return .usage(
      "another file system is at \(root.quoted) than in its "
        + "\(Quantity.count(states.count, "kept state")), so nothing can be compared; keep a state "
        + "of it: geomapper keep \(root.shown)")
  }

  private static func nothing(_ directory: [UInt8], _ isElsewhere: Bool) -> Failure {
    let shown = directory.shown
    return .usage(
      "no state of '\(shown)' is kept\(isElsewhere ? " on this machine" : ""); begin with: geomapper "
        + "keep \(shown)")
  }

  // MARK: Choosing

  /// The state that was kept last, whatever the clock said.
  var newest: KeptState { states.max { $0.number < $1.number } ?? states[0] }

  var second: KeptState? {
    let newest = newest
    return states.filter { $0.number != newest.number }.max { $0.number < $1.number }
  }

  /// The last state at or before a time; if all are later, the first one, with a note.
  func state(at time: When, isQuiet: Bool) -> KeptState {
    switch time {
    case .first:
      noteOthers(before: states[0], isQuiet)
      return states[0]
    case .last: return newest
    case .time(let seconds, let millisecond):
      let found = states.last {
        ($0.seconds, Int64($0.nanoseconds) / 1_000_000) <= (seconds, millisecond)
      }
      if let found { return found }
      if !isQuiet {
        Messages.note(
          "no state of \(directory.quoted) is kept from "
            + "\(CivilTime.text(unixSeconds: seconds)) or before; taking the first, of "
            + states[0].timeText)
      }
      noteOthers(before: states[0], isQuiet)
      return states[0]
    }
  }

  private func noteOthers(before first: KeptState, _ isQuiet: Bool) {
    guard !isQuiet, let other = others.last(where: { $0.isEarlier(than: first) }) else { return }
    let reason: String
    if other.conditions != first.conditions {
      reason =
        other.conditions.isEmpty ? "has no selection" : "has the selection \(other.selectionText)"
    } else if other.key.directories != first.key.directories {
      let paths = other.key.directories.map(\.quoted)
      reason = "is of \(paths.listed(by: "and"))"
    } else {
      reason = "is of another file system"
    }
    Messages.note("not compared with the state of \(other.timeText), which \(reason)")
  }

  // MARK: Opening

  var label: [UInt8] {
    let place = newest.place(of: folder)
    return place?.names.last ?? place?.root.label ?? RootArgument.label(ofRealPath: folder)
  }

  /// Opens the folder in a state; nil if the state doesn't have it.
  func root(in state: KeptState, label: [UInt8]? = nil) throws(Failure) -> ScanRoot? {
    root(in: state, among: try snapshot(of: state).scanRoots(), label)
  }

  private func snapshot(of state: KeptState) throws(Failure) -> Snapshot {
    try wording { try store.open(state) }
  }

  /// Does something with each of some states, but those that another process has removed meanwhile.
  func forEach(
    of states: [KeptState], label: [UInt8],
    _ body: (KeptState, ScanRoot?) throws(Failure) -> Void
  ) throws(Failure) {
    for state in states {
      let snapshot: Snapshot
      do throws(Failure) {
        snapshot = try store.open(state)
      } catch {
        if error.isOfRemovedState { continue }
        throw error
      }
      try body(state, root(in: state, among: snapshot.scanRoots(), label))
    }
  }

  private func root(in state: KeptState, among roots: [ScanRoot], _ label: [UInt8]?) -> ScanRoot? {
    guard let place = state.place(of: folder),
      var root = roots.first(where: { $0.label == place.root.label })
    else { return nil }
    root.label = label ?? self.label
    root.names = place.names
    return (try? root.check()) == nil ? nil : root
  }

  func open(_ state: KeptState, label: [UInt8]? = nil) throws(Failure) -> OpenState {
    open(state, by: try root(in: state, label: label), label)
  }

  func openAll(label: [UInt8]) throws(Failure) -> [(state: KeptState, open: OpenState)] {
    var all: [(state: KeptState, open: OpenState)] = []
    try forEach(of: states, label: label) { (state, root) in
      all.append((state, open(state, by: root, label)))
    }
    return all
  }

  /// Opens the folder in two states, to read only where they differ.
  func open(
    _ old: KeptState, _ new: KeptState, label: [UInt8]? = nil
  ) throws(Failure) -> (old: OpenState, new: OpenState) {
    let snapshots = (old: try snapshot(of: old), new: try snapshot(of: new))
    let common = CommonBlocks(snapshots.old, snapshots.new)
    func opened(_ state: KeptState, _ snapshot: Snapshot) -> OpenState {
      let roots = snapshot.scanRoots(sharing: common)
      return open(state, by: root(in: state, among: roots, label), label)
    }
    return (opened(old, snapshots.old), opened(new, snapshots.new))
  }

  private func open(_ state: KeptState, by root: ScanRoot?, _ label: [UInt8]?) -> OpenState {
    var open = OpenState()
    open.roots = root.map { [$0] } ?? []
    open.state = MapState(name: label ?? self.label, time: state.seconds)
    return open
  }

}

extension [KeptState] {
  /// Some of the states, evenly spread over all, with the first and the last.
  func spread(_ maximum: Int) -> [KeptState] {
    count <= maximum ? self : (0..<maximum).map { self[$0 * (count - 1) / (maximum - 1)] }
  }
}
