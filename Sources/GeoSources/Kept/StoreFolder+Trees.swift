import GeoCore
import GeoSystem

enum TreeLink: Equatable {
  case whole
  case difference(from: [UInt8])
  case missing
  case damaged
}

/// The files that hold trees: `ID.geosnap` is whole, `ID.delta` the difference from a later state's.
/// If there are both, the whole one counts.
extension StoreFolder {
  /// The longest chain of differences.
  ///
  /// Opening the oldest state applies all of them. Whole trees of a million files take some 20 MB.
  static let longestChain = 32

  func isWhole(_ id: [UInt8]) -> Bool { has(id + Self.snapshot) }

  func path(ofTree id: [UInt8]) -> [UInt8] {
    let isDelta = !isWhole(id) && has(id + Self.delta)
    return path.appending(component: id + (isDelta ? Self.delta : Self.snapshot))
  }

  func link(of id: [UInt8], readingAll all: Bool = false) throws(Failure) -> TreeLink {
    do throws(Failure) {
      if let snapshot = try snapshot(id) {
        if all { try checked(id, WholeTree(snapshot).check()) }
        return .whole
      }
      guard let file = try difference(id) else { return .missing }
      return .difference(
        from: try checked(id, all ? file.check() : file.directory().base))
    } catch {
      if error.group == .damage { return .damaged }
      throw error
    }
  }

  /// Begins with a known tree, if it is a difference from that.
  func tree(
    _ id: [UInt8], from known: (id: [UInt8], tree: BlockTree)? = nil
  ) throws(Failure) -> BlockTree {
    var tries = 5
    while true {
      if let tree = try treeOnce(id, from: known) { return tree }
      // A process that keeps or removes states may have replaced a file meanwhile.
      tries -= 1
      if tries == 0 { throw .damaged(file: path(ofTree: id)) }
    }
  }

  private func treeOnce(
    _ id: [UInt8], from known: (id: [UInt8], tree: BlockTree)?
  ) throws(Failure) -> BlockTree? {
    var chain: [(file: DeltaReader, directory: DeltaDirectory, id: [UInt8])] = []
    var passed: Set<[UInt8]> = []
    var next = id
    var base: BlockTree
    while true {
      if let known, known.id == next {
        base = known.tree
        break
      }
      if let snapshot = try snapshot(next) {
        base = try checked(next, BlockTree(snapshot))
        break
      }
      guard let file = try difference(next) else { return nil }
      guard passed.insert(next).inserted else { throw .damaged(file: path(ofTree: next)) }
      let directory = try checked(next, file.directory())
      chain.append((file, directory, next))
      next = directory.base
    }
    do {
      for link in chain.reversed() {
        next = link.id
        base = try base.applying(link.file, link.directory)
      }
      return base
    } catch {
      throw failure(error, in: path(ofTree: next), Failure.noScratch)
    }
  }

  func snapshot(_ id: [UInt8]) throws(Failure) -> Snapshot? {
    let file = path.appending(component: id + Self.snapshot)
    do throws(SnapshotError) {
      return try Snapshot(opening: file)
    } catch {
      switch error {
      case .unreadable(_, .noEntry): return nil
      case .unreadable: throw Failure(error)
      default: throw .damaged(file: file)
      }
    }
  }

  private func difference(_ id: [UInt8]) throws(Failure) -> DeltaReader? {
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
    _ id: [UInt8], _ body: @autoclosure () throws(ByteDamage) -> Value
  ) throws(Failure) -> Value {
    try rethrowing(body()) { (_: ByteDamage) in Failure.damaged(file: path(ofTree: id)) }
  }

  /// The failure to write; the tree in a file is damaged if it isn't the system's.
  private func failure(
    _ error: any Error, in file: [UInt8], _ convert: (Errno) -> Failure
  ) -> Failure {
    (error as? Errno).map(convert) ?? .damaged(file: file)
  }

  func rebuilt(_ id: [UInt8]) throws(Failure) -> Snapshot {
    let tree = try tree(id)
    let file = path(ofTree: id)
    do {
      let scratch = try ScratchFile()
      try tree.write(to: scratch, effort: .stored)
      return try Snapshot(in: scratch, named: file)
    } catch {
      throw failure(error, in: file, Failure.noScratch)
    }
  }

  // MARK: Writing, under the lock

  /// Replaces the tree of a state by the difference from another one, unless that has more bytes
  /// than the maximum.
  func writeDelta(
    of id: [UInt8], _ tree: BlockTree, from base: [UInt8], _ baseTree: BlockTree,
    maximum: Int64 = .max
  ) throws(Failure) {
    do {
      let file = try StoreFile(in: self, maximum: maximum)
      try DeltaWriter.write(tree, from: baseTree, named: base, to: file)
      try file.finish(as: id + Self.delta)
      try handle.synchronize()
      try remove(id + Self.snapshot)
    } catch {
      if error as? Errno == .fileTooLarge, maximum < .max { return }
      throw failure(error, in: path(ofTree: id), unwritable)
    }
  }

  func writeWhole(_ id: [UInt8], _ tree: BlockTree) throws(Failure) {
    do {
      let file = try StoreFile(in: self)
      try tree.write(to: file, effort: .swift)
      try file.finish(as: id + Self.snapshot)
      try handle.synchronize()
      try remove(id + Self.delta)
    } catch {
      throw failure(error, in: path(ofTree: id), unwritable)
    }
  }

  func remove(_ name: [UInt8]) throws(Errno) {
    do throws(Errno) {
      try handle.remove(name)
    } catch {
      if error != .noEntry { throw error }
    }
  }

  static func temporaryName() -> [UInt8] {
    temporary + Array(String(UInt64.random(in: 0...(.max)), radix: 36).utf8)
  }
}

/// Removing states, so that no other one is lost, whatever is damaged. It goes by what the trees'
/// files say, also where nothing is known of a state.
extension StoreFolder {
  /// Makes the trees that stay independent of those that go.
  ///
  /// Each becomes the difference from the first tree of a state on its chain; without one it
  /// becomes whole. Trees that can't be read are left as they are.
  func rebase(without removed: Set<[UInt8]>) throws(Failure) {
    let all = try rethrowing(files(), as: unreadable)
    let staying = all.filter { !$0.value.isDisjoint(with: Self.trees) && !removed.contains($0.key) }
      .keys
      .compactMap { KeptState(named: $0) }.sorted { $0.number > $1.number }
    let left = Set(all.filter { $0.value.contains(Self.gone) }.keys)
    let gone = removed.union(left)
    /// The trees that became whole, by those that were whole and go.
    var heirs: [[UInt8]: [UInt8]] = [:]
    for id in staying.map(\.id) {
      guard case .difference(var next) = try link(of: id),
        (left.contains(id) ? removed : gone).contains(next)
      else { continue }
      var passed: Set<[UInt8]> = []
      while gone.contains(next), passed.insert(next).inserted,
        case .difference(let other) = try link(of: next)
      {
        next = other
      }
      do throws(Failure) {
        if let base = gone.contains(next) ? heirs[next] : next {
          let baseTree = try tree(base)
          try writeDelta(
            of: id, try tree(id, from: (base, baseTree)), from: base, baseTree)
        } else {
          try writeWhole(id, try tree(id))
          heirs[next] = id
        }
      } catch {
        if error.group != .damage { throw error }
      }
    }
  }

  /// Takes a state out of the store. The next ``sweep()`` removes its tree.
  func bury(_ id: [UInt8]) throws(Errno) {
    do throws(Errno) {
      try handle.rename(id + Self.state, to: id + Self.gone)
    } catch {
      if error != .noEntry { throw error }
      if hasTree(id) {
        try StoreFile(in: self).finish(as: id + Self.gone)
      }
    }
  }

  /// Finishes what processes that ended too early have begun, and removes files that are in use no
  /// more: those that no process writes, and trees of removed states that no other one may need.
  func sweep() {
    if let names = try? handle.fileNames() {
      for index in names.records.indices {
        let name = names.name(at: index)
        if name.starts(with: Self.temporary), !handle.isLocked(name) { try? handle.remove(name) }
      }
    }
    guard let all = try? files() else { return }
    for (id, files) in all where files.contains(Self.new) {
      if !files.isDisjoint(with: Self.trees) {
        try? handle.rename(id + Self.new, to: id + Self.state)
      } else {
        try? handle.remove(id + Self.new)
      }
    }
    let gone = all.filter { $0.value.contains(Self.gone) }.keys
    if gone.isEmpty { return }
    guard let needed = try? needed(of: all, besides: Set(gone)) else { return }
    for id in gone where !needed.contains(id) {
      guard (try? Self.trees.forEach { (kind) throws(Errno) in try remove(id + kind) }) != nil
      else {
        continue
      }
      try? remove(id + Self.gone)
    }
  }

  /// The removed trees from which others are differences; all, if there is one of which that isn't
  /// known.
  private func needed(
    of all: [[UInt8]: Set<[UInt8]>], besides gone: Set<[UInt8]>
  ) throws(Failure) -> Set<[UInt8]> {
    var needed: Set<[UInt8]> = []
    var open = all.filter { !gone.contains($0.key) && $0.value != [Self.new] }.map(\.key)
    while let id = open.popLast() {
      switch try link(of: id) {
      case .whole: break
      case .difference(let base):
        if gone.contains(base), needed.insert(base).inserted { open.append(base) }
      case .damaged where isWhole(id): break
      case .damaged, .missing: return gone
      }
    }
    return needed
  }
}

/// A file of a store that is being written. It gets its name when it is complete; else it is removed.
final class StoreFile: ByteOutput {
  private let files: StoreFolder
  private let name = StoreFolder.temporaryName()
  private let file: Descriptor
  private let maximum: Int64
  private(set) var count: Int64 = 0
  private var isOpen = true

  init(in files: StoreFolder, maximum: Int64 = .max) throws(Errno) {
    (self.files, self.maximum) = (files, maximum)
    file = try files.handle.create(name, permissions: 0o600)
    files.handle.rememberTemporary(name)
    // Other processes don't sweep it up.
    try file.lock()
  }

  deinit { discard() }

  func append(_ bytes: Span<UInt8>) throws(Errno) {
    if count > maximum { throw .fileTooLarge }
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

  func discard() {
    if !isOpen { return }
    isOpen = false
    try? files.handle.remove(name)
    FolderHandle.forgetTemporary()
  }
}
