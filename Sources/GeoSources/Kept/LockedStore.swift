import GeoCore
import GeoSystem
import GeoTree

/// A store that no other process writes as long as the value exists.
package final class LockedStore {
  let files: StoreFolder
  private let lock: FileLock

  init(_ store: KeptStore, waiting milliseconds: Int64) throws(Failure) {
    let path = store.folder
    do throws(Errno) {
      try FolderHandle.makeFolders(path, permissions: 0o700)
      files = StoreFolder(try FolderHandle(at: path), at: path)
    } catch {
      throw .unwritable(store: path, error)
    }
    if try files.isForeign() { throw .foreign(store: path) }
    do throws(Errno) {
      lock = try FileLock(on: StoreFolder.version, in: files.handle, waiting: milliseconds)
    } catch {
      let shown = TerminalText.escaped(path)
      if error == .wouldBlock {
        throw .output(
          "another geomapper is writing the store '\(shown)'; try again when it has ended")
      }
      if !error.meansNoLocks { throw .unwritable(store: path, error) }
      throw .usage(
        "can't lock the store '\(shown)': \(error); give a folder on a local disk: --store DIR")
    }
    _ = try files.check()
    let head = StoreFolder.head
    try files.writing { () throws(Errno) in
      if try lock.beginning(head.count + 1) != head { try lock.write(head) }
    }
    files.sweep()
  }

  /// As far as damage is seen without reading all of the trees.
  package func checkedContents() throws(Failure) -> KeptStore.Contents {
    try files.checkedContents(readingAll: false)
  }

  package func begin() throws(Failure) -> KeptDraft {
    return try rethrowing(KeptDraft(files), as: files.unwritable)
  }

  package func add(_ draft: KeptDraft, as state: KeptState) throws(Failure) -> KeptState {
    let contents = try files.contents()
    let states = contents.states
    var state = state
    // The numbers of damaged states are not used again.
    let numbers = (states + contents.damaged.map(\.state)).map(\.number)
    state.number = (numbers.max() ?? 0) + 1
    state.id = state.newName
    (state.files, state.folders) = (draft.sums.files, draft.sums.folders)
    (state.bytes, state.allocated) = (draft.sums.bytes, draft.sums.allocated)
    let encoded = state.encoded
    try files.writing { () throws(Errno) in
      try files.write(encoded, as: state.id + StoreFolder.new)
      // If the process ends from here on, the next one adds the state, or sweeps it up.
      try draft.file.finish(as: state.id + StoreFolder.snapshot)
      try files.handle.synchronize()
      try files.handle.rename(state.id + StoreFolder.new, to: state.id + StoreFolder.state)
      try files.handle.synchronize()
    }
    state.room = Int64(encoded.count) + draft.file.count
    share(in: states.filter { $0.isComparable(with: state) } + [state])
    return state
  }
}

extension StoreFolder {
  fileprivate func isForeign() throws(Failure) -> Bool {
    if try check() { return false }
    return try writing { () throws(Errno) in
      try !handle.isEmpty { $0 == Self.version || $0.starts(with: Self.temporary) }
    }
  }
}

/// A state that is being written. It gets its name in the store when it is complete.
package final class KeptDraft: @unchecked Sendable {
  // Sendable: one task at a time writes.
  /// Sums over the entries. The bytes of a file with several names count once.
  package struct Sums: Sendable {
    package var files: Int64 = 0
    package var folders: Int64 = 0
    package var bytes: Int64 = 0
    package var allocated: Int64 = 0
    private var linked: Set<FileSystem.Identity> = []

    package init() {}

    package mutating func add(_ part: SnapshotPart) {
      for index in part.facts.indices {
        let facts = part.facts[index]
        guard facts.status.hasSize else { continue }
        let storage = index < part.storage.count ? part.storage[index] : .unknown
        if storage.isKnown, facts.links > 1, !linked.insert(storage.identity).inserted { continue }
        bytes = TreeTotals.sum(bytes, facts.size)
        allocated = TreeTotals.sum(allocated, max(0, storage.allocated))
      }
    }
  }

  package var sums = Sums()
  private let files: StoreFolder
  fileprivate let file: StoreFile

  fileprivate init(_ files: StoreFolder) throws(Errno) {
    self.files = files
    file = try StoreFile(in: files)
  }

  package func append(_ bytes: Span<UInt8>) throws(Errno) {
    try file.append(bytes)
  }

  package func failure(_ reason: Errno) -> Failure { files.unwritable(reason) }
}

/// Sharing between the states of a series: the newest tree is whole, an older one mostly the
/// difference from the next.
extension LockedStore {
  /// Replaces the tree of the state before the newest by a difference, unless the chain of
  /// differences is long enough or little would be saved.
  ///
  /// Nothing depends on it, so failures are ignored.
  func share(in series: [KeptState]) {
    guard series.count >= 2 else { return }
    let series = series.sorted { $0.number < $1.number }
    let (old, new) = (series[series.count - 2].id, series[series.count - 1].id)
    let older = series.dropLast(2).reversed().prefix { !files.isWhole($0.id) }
    guard older.count < StoreFolder.longestChain - 1, files.isWhole(old),
      let tree = try? files.tree(old), let base = try? files.tree(new)
    else { return }
    let size = (try? files.handle.facts(of: old + StoreFolder.snapshot, following: false).size) ?? 0
    try? files.writeDelta(of: old, tree, from: new, base, maximum: size / 4 * 3)
  }

  /// Removes states; those that don't exist any more are ignored.
  ///
  /// First, differences from them are replaced. If that fails, nothing is removed. What a damaged
  /// state may need stays until that state is removed.
  package func remove(_ states: [KeptState]) throws(Failure) {
    if states.isEmpty { return }
    let removed = Set(states.map(\.id))
    try files.rebase(without: removed)
    try files.writing { () throws(Errno) in
      try files.handle.synchronize()
      for id in removed { try files.bury(id) }
      try files.handle.synchronize()
    }
    files.sweep()
  }

  package func thin(
    _ state: KeptState, _ retention: Retention
  ) throws(Failure) -> [KeptState] {
    let series = try files.contents().states.filter { $0.isComparable(with: state) }
    let removed = retention.dropped(of: series)
    try remove(removed)
    return removed
  }
}

extension LockedStore {
  package func contents(of name: [UInt8], limit: Int) throws(Failure) -> [UInt8]? {
    do throws(Errno) {
      return try files.read(name, limit: limit)
    } catch {
      if error == .noEntry { return nil }
      throw .unreadable(store: files.path, error)
    }
  }

  package func write(_ bytes: [UInt8], asFile name: [UInt8]) throws(Failure) {
    try rethrowing(files.write(bytes, as: name), as: files.unwritable)
  }
}
