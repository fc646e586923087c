import GeoCore
import GeoSystem

/// The files that hold trees: `ID.geosnap` is whole, `ID.delta` the difference from the next
/// state's. If there are both, the whole one counts.
extension StoreFolder {
  /// The longest chain of differences that new states may make, and that removing states may make.
  static let longestChain = (new: 64, any: 128)

  /// Whether the tree of a state is whole.
  func isWhole(_ id: [UInt8]) -> Bool {
    (try? handle.facts(of: id + Self.snapshot, following: false)) != nil
  }

  /// The state that the tree of another is the difference from; nil if it is whole or missing.
  func base(of id: [UInt8]) throws(KeptError) -> [UInt8]? {
    if isWhole(id) { return nil }
    guard let file = try difference(id) else { return nil }
    return try checked(id) { () throws(SnapshotDamage) in try file.directory().base }
  }

  /// The path of the tree's file, for messages.
  func path(ofTree id: [UInt8]) -> [UInt8] {
    path.appending(component: id + (isWhole(id) ? Self.snapshot : Self.delta))
  }

  /// Opens the tree of a state.
  func tree(_ id: [UInt8]) throws(KeptError) -> any BlockTree {
    var tries = 5
    while true {
      if let tree = try treeOnce(id) { return tree }
      // A process that keeps or removes states may have replaced a file meanwhile.
      tries -= 1
      if tries == 0 { throw .damaged(file: path(ofTree: id)) }
    }
  }

  /// Opens the tree of a state; nil if a file is missing.
  private func treeOnce(_ id: [UInt8]) throws(KeptError) -> (any BlockTree)? {
    var chain: [(file: DeltaReader, directory: DeltaDirectory, id: [UInt8])] = []
    var next = id
    var tree: any BlockTree
    while true {
      if let snapshot = try snapshot(next) {
        tree = try checked(next) { () throws(SnapshotDamage) in try WholeTree(snapshot) }
        break
      }
      guard let file = try difference(next), chain.count < 2 * Self.longestChain.any else {
        return nil
      }
      let directory = try checked(next) { () throws(SnapshotDamage) in try file.directory() }
      chain.append((file, directory, next))
      next = directory.base
    }
    for link in chain.reversed() {
      let base = tree
      tree = try checked(link.id) { () throws(SnapshotDamage) in
        try DeltaTree(link.directory, in: link.file, base: base)
      }
    }
    return tree
  }

  /// Opens the snapshot of a state; nil if its tree is a difference.
  func snapshot(_ id: [UInt8]) throws(KeptError) -> Snapshot? {
    do throws(SnapshotError) {
      return try Snapshot(opening: path.appending(component: id + Self.snapshot))
    } catch {
      if case .unreadable(_, .noEntry) = error { return nil }
      throw .snapshot(error)
    }
  }

  private func difference(_ id: [UInt8]) throws(KeptError) -> DeltaReader? {
    let name = path.appending(component: id + Self.delta)
    do throws(Errno) {
      guard let file = try ReadableFile.open(name) else { throw Errno.stale }
      return DeltaReader(file)
    } catch {
      if error == .noEntry { return nil }
      throw .unreadable(store: path, error)
    }
  }

  private func checked<Value>(
    _ id: [UInt8], _ body: () throws(SnapshotDamage) -> Value
  ) throws(KeptError) -> Value {
    do throws(SnapshotDamage) {
      return try body()
    } catch {
      throw .damaged(file: path(ofTree: id))
    }
  }

  /// Rebuilds the tree of a state in a scratch file.
  func rebuilt(_ id: [UInt8]) throws(KeptError) -> Snapshot {
    let tree = try tree(id)
    let file = path(ofTree: id)
    do {
      let scratch = try ScratchFile()
      try TreeRebuilder.write(tree, .stored, to: scratch)
      return try Snapshot(in: scratch, named: file)
    } catch let error as Errno {
      throw .noScratch(error)
    } catch {
      throw .damaged(file: file)
    }
  }

  // MARK: Writing, under the lock

  /// Replaces the tree of a state by the difference from another one.
  ///
  /// - Parameter most: The largest difference in bytes; a larger one is not used.
  /// - Returns: Whether it was replaced.
  @discardableResult
  func writeDelta(
    of id: [UInt8], _ tree: any BlockTree, from base: [UInt8], _ baseTree: any BlockTree,
    most: Int64 = .max
  ) throws(KeptError) -> Bool {
    do {
      let file = try StoreFile(in: self, most: most)
      try DeltaWriter.write(tree, from: baseTree, named: base, to: file)
      try file.finish(as: id + Self.delta)
      try handle.synchronize()
      try remove(id + Self.snapshot)
    } catch let error as Errno {
      if error == .fileTooLarge, most < .max { return false }
      throw .unwritable(store: path, error)
    } catch {
      throw .damaged(file: path(ofTree: id))
    }
    return true
  }

  /// Replaces the difference of a state by its whole tree.
  func writeWhole(_ id: [UInt8], _ tree: any BlockTree) throws(KeptError) {
    do {
      let file = try StoreFile(in: self)
      try TreeRebuilder.write(tree, .compressed, to: file)
      try file.finish(as: id + Self.snapshot)
      try handle.synchronize()
      try remove(id + Self.delta)
    } catch let error as Errno {
      throw .unwritable(store: path, error)
    } catch {
      throw .damaged(file: path(ofTree: id))
    }
  }

  /// Removes a file, if it exists.
  func remove(_ name: [UInt8]) throws(Errno) {
    do throws(Errno) {
      try handle.remove(name)
    } catch {
      if error != .noEntry { throw error }
    }
  }

  /// A new name for a file that is being written.
  static func temporaryName() -> [UInt8] {
    temporary + Array(String(UInt64.random(in: 0...(.max)), radix: 36).utf8)
  }
}

/// A file of a store that is being written. It gets its name when it is complete; else it is removed.
final class StoreFile: ByteOutput {
  private let files: StoreFolder
  private let name = StoreFolder.temporaryName()
  private let file: Descriptor
  private let most: Int64
  /// The number of bytes written.
  private(set) var count: Int64 = 0
  private var isOpen = true

  /// - Parameter most: The largest number of bytes; it throws `Errno.fileTooLarge` beyond.
  init(in files: StoreFolder, most: Int64 = .max) throws(Errno) {
    (self.files, self.most) = (files, most)
    file = try files.handle.create(name, permissions: 0o600)
    files.handle.rememberTemporary(name)
    // Other processes don't sweep it up.
    try file.lock()
  }

  deinit { discard() }

  func append(_ bytes: Span<UInt8>) throws(Errno) {
    if count > most { throw .fileTooLarge }
    try file.write(bytes)
    count += Int64(bytes.count)
  }

  /// Makes the contents survive a crash, and gives the file its name.
  func finish(as name: [UInt8]) throws(Errno) {
    try file.synchronize()
    try files.handle.rename(self.name, to: name)
    isOpen = false
    FolderHandle.forgetTemporary()
  }

  /// Removes the file, unless it is complete.
  func discard() {
    if !isOpen { return }
    isOpen = false
    try? files.handle.remove(name)
    FolderHandle.forgetTemporary()
  }
}
