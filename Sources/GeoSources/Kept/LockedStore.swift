import GeoCore
import GeoSystem
import GeoTree

/// A store that no other process writes as long as the value exists.
package final class LockedStore {
  let files: StoreFolder
  private let lock: FileLock

  init(_ store: KeptStore, waiting milliseconds: Int64) throws(KeptError) {
    let path = store.folder
    let isForeign: Bool
    do throws(Errno) {
      try FolderHandle.makeFolders(path, permissions: 0o700)
      files = StoreFolder(try FolderHandle(at: path), at: path)
      isForeign = try files.isForeign()
    } catch {
      throw .unwritable(store: path, error)
    }
    if isForeign { throw .foreign(store: path) }
    do throws(Errno) {
      lock = try FileLock(on: StoreFolder.version, in: files.handle, waiting: milliseconds)
    } catch {
      if error == .wouldBlock { throw .busy(store: path) }
      throw error.meansNoLocks ? .noLocks(store: path, error) : .unwritable(store: path, error)
    }
    do throws(Errno) {
      if try lock.beginning(1).isEmpty { try lock.write(StoreFolder.head) }
    } catch {
      throw .unwritable(store: path, error)
    }
    _ = try files.check()
    files.sweep()
  }

  /// The states, and the files that are damaged.
  package func contents() throws(KeptError) -> KeptStore.Contents { try files.contents() }

  /// Starts a new state.
  package func begin() throws(KeptError) -> KeptDraft {
    do throws(Errno) {
      return try KeptDraft(files)
    } catch {
      throw .unwritable(store: files.path, error)
    }
  }

  /// Keeps a state that is complete.
  ///
  /// - Parameter state: What is known of it; its number, name and sums are set here.
  package func add(_ draft: KeptDraft, as state: KeptState) throws(KeptError) -> KeptState {
    let states = try contents().states
    var state = state
    state.number = (states.map(\.number).max() ?? 0) + 1
    state.id = Self.name(of: state)
    (state.files, state.folders) = (draft.sums.files, draft.sums.folders)
    (state.bytes, state.allocated) = (draft.sums.bytes, draft.sums.allocated)
    let encoded = state.encoded
    do throws(Errno) {
      try draft.finish(as: state.id + StoreFolder.snapshot)
      try files.handle.synchronize()
    } catch {
      throw .unwritable(store: files.path, error)
    }
    do throws(Errno) {
      let file = try StoreFile(in: files)
      try file.append(encoded.span)
      try file.finish(as: state.id + StoreFolder.state)
      try files.handle.synchronize()
    } catch {
      // The next process sweeps up the tree.
      throw .unwritable(store: files.path, error)
    }
    state.room = Int64(encoded.count) + draft.count
    share(in: (states.filter { $0.isComparable(with: state) } + [state]).series.first ?? [])
    return state
  }

  /// The time in a form that is fit for file names, the number, and a random part.
  private static func name(of state: KeptState) -> [UInt8] {
    let random = String(UInt32.random(in: 0...(.max)), radix: 36)
    return Array("\(state.seconds)-\(state.number)-\(random)".utf8)
  }
}

extension StoreFolder {
  /// Whether the folder has other files but no version.
  fileprivate func isForeign() throws(Errno) -> Bool {
    do throws(Errno) {
      if try handle.facts(of: Self.version, following: false).size > 0 { return false }
    } catch {
      if error != .noEntry { throw error }
    }
    return try !handle.isEmpty { $0 == Self.version || $0.starts(with: Self.temporary) }
  }

  /// Whether a name is one that states get: `SECONDS-NUMBER-RANDOM`.
  private static func isName(_ id: some Collection<UInt8>) -> Bool {
    let parts = id.drop { $0 == UInt8(ascii: "-") }.split(separator: UInt8(ascii: "-"))
    let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
    let letters = UInt8(ascii: "a")...UInt8(ascii: "z")
    return parts.count == 3 && parts.prefix(2).joined().allSatisfy(digits.contains)
      && parts[2].allSatisfy { digits.contains($0) || letters.contains($0) }
  }

  /// Removes what processes left behind that ended too early: files that are being written by none,
  /// and trees without a state.
  fileprivate func sweep() {
    guard let names = try? handle.fileNames() else { return }
    let all = names.records.indices.map { names.name(at: $0) }
    let states = Set(
      all.filter { $0.suffix(Self.state.count).elementsEqual(Self.state) }
        .map { $0.dropLast(Self.state.count) })
    for name in all {
      if name.starts(with: Self.temporary) {
        if !handle.isLocked(name) { try? handle.remove(name) }
        continue
      }
      for kind in Self.trees
      where name.suffix(kind.count).elementsEqual(kind)
        && !states.contains(name.dropLast(kind.count)) && Self.isName(name.dropLast(kind.count))
      {
        try? handle.remove(name)
      }
    }
  }
}

/// A state that is being written. It gets its name in the store when it is complete.
package final class KeptDraft: @unchecked Sendable {
  // Sendable: one task at a time writes.
  /// Sums over the entries.
  package struct Sums: Sendable {
    package var files: Int64 = 0
    package var folders: Int64 = 0
    package var bytes: Int64 = 0
    package var allocated: Int64 = 0

    /// Adds the entries of a part.
    package mutating func add(_ part: SnapshotPart) {
      for step in part.steps {
        if let folder = step.folder { allocated &+= folder.storage?.allocated ?? 0 }
      }
      for index in part.facts.indices {
        let facts = part.facts[index]
        guard facts.status.hasSize else { continue }
        bytes &+= facts.size
        if index < part.storage.count { allocated &+= part.storage[index].allocated }
      }
    }
  }

  package var sums = Sums()
  private let files: StoreFolder
  private let file: StoreFile

  fileprivate init(_ files: StoreFolder) throws(Errno) {
    self.files = files
    file = try StoreFile(in: files)
  }

  /// The number of bytes written.
  var count: Int64 { file.count }

  /// Adds bytes at the end.
  package func append(_ bytes: Span<UInt8>) throws(Errno) {
    try file.append(bytes)
  }

  /// The failure to write it.
  package func failure(_ reason: Errno) -> KeptError {
    .unwritable(store: files.path, reason)
  }

  fileprivate func finish(as name: [UInt8]) throws(Errno) { try file.finish(as: name) }
}
