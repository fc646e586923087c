import GeoCore
import GeoSystem
import GeoTree

/// The place where states are kept: a folder with two files for each state.
///
/// A state is there once its file `ID.state` is. Its tree is in `ID.geosnap`, a snapshot, or in
/// `ID.delta`, the difference from a later state's. Files get their names when they are complete, so a
/// process that ends at any moment leaves the store whole: it is about to add the state of an
/// `ID.new`, and about to remove that of an `ID.gone`, whose tree stays as long as others may need it.
/// Processes that write hold the lock of the file `version`; readers need none.
package struct KeptStore: Sendable {
  package let folder: [UInt8]

  package init(at folder: [UInt8]) { self.folder = folder }

  package struct Contents: Sendable {
    package var states: [KeptState] = []
    /// States that are damaged, oldest first. What is known of one may be only its name, its number
    /// and its time; then it has no roots.
    package var damaged: [KeptDamage] = []
  }

  package func states() throws(Failure) -> [KeptState] { try contents().states }

  /// The states, and those that are damaged, as far as that is seen without reading their trees.
  package func contents() throws(Failure) -> Contents { try opened()?.contents() ?? Contents() }

  /// Reads all bytes of the store.
  package func checkedContents() throws(Failure) -> Contents {
    guard let files = try opened() else { return Contents() }
    var tries = 3
    while true {
      let contents = try files.checkedContents(readingAll: true)
      tries -= 1
      // A process that keeps or removes states may have replaced a file meanwhile.
      if tries == 0 || !contents.damaged.contains(where: \.isMissing) { return contents }
    }
  }

  private func opened() throws(Failure) -> StoreFolder? {
    do throws(Errno) {
      return StoreFolder(try FolderHandle(at: folder), at: folder)
    } catch {
      if error == .noEntry { return nil }
      throw .unreadable(store: folder, error)
    }
  }

  /// The states of the newest series on this machine that has a folder (its real path), oldest
  /// first.
  package func states(of path: [UInt8]) throws(Failure) -> [KeptState] {
    let machine = ThisMachine.identity
    let states = try states().filter { $0.machine == machine && $0.place(of: path) != nil }
    guard let last = states.max(by: { $0.number < $1.number }) else { return [] }
    return states.filter { $0.isComparable(with: last) }
  }

  /// Rebuilds a tree that is kept as a difference in a scratch file. Fails with `isOfRemovedState`
  /// if another process has removed the state.
  package func open(_ state: KeptState) throws(Failure) -> Snapshot {
    guard let files = try opened() else { throw .removed(state) }
    do throws(Failure) {
      if let snapshot = try files.snapshot(state.id) { return snapshot }
      return try files.rebuilt(state.id)
    } catch {
      if error.group == .damage, !files.has(state.id + StoreFolder.state) { throw .removed(state) }
      throw error
    }
  }

  /// Creates the store if needed; waits so long for another process that writes it. The store is
  /// locked until the value is destroyed.
  package func locked(waiting milliseconds: Int64 = 30_000) throws(Failure) -> LockedStore {
    try LockedStore(self, waiting: milliseconds)
  }

  /// The folder that scans have to skip, as an entry of its parent; nil if neither exists.
  package var ownFolder: OwnFolder? {
    var path = (try? ThisProcess.realPath(folder)) ?? folder
    while path.count > 1, path.last == .slash { path.removeLast() }
    let name = Array(path.lastComponent)
    let above = Array(path.dropLast(name.count))
    guard !name.isEmpty,
      let parent = try? FileSystem.rootFacts(above.isEmpty ? [UInt8(ascii: ".")] : above).identity
    else { return nil }
    return OwnFolder(name: name, parent: parent)
  }
}

/// A kept state that can't be opened, or of which only the time is known.
package struct KeptDamage: Sendable, Hashable {
  package var state: KeptState
  package var file: [UInt8]
  package var isMissing = false
  package var isOfOther = false
}

extension Failure {
  static func unreadable(store: [UInt8], _ reason: Errno) -> Failure {
    Failure(.source, "can't read the store '\(TerminalText.escaped(store))': \(reason)")
  }

  static func unwritable(store: [UInt8], _ reason: Errno) -> Failure {
    .output("can't write the store '\(TerminalText.escaped(store))': \(reason)")
  }

  static func foreign(store: [UInt8]) -> Failure {
    .usage(
      "'\(TerminalText.escaped(store))' holds something else than kept states; give a folder that is "
        + "empty or doesn't exist")
  }

  static func damaged(file: [UInt8]) -> Failure {
    .damage(
      "the kept state '\(TerminalText.escaped(file))' is damaged; remove it with 'geomapper keep "
        + "--drop'")
  }

  static func removed(_ state: KeptState) -> Failure {
    Failure(
      .source, "the kept state '\(TerminalText.escaped(state.id))' was removed meanwhile",
      cause: Errno.stale)
  }

  package var isOfRemovedState: Bool { cause as? Errno == .stale }
}
