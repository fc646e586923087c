import GeoCore
import GeoSystem
import GeoTree

/// The place where states are kept: a folder with two files for each state.
///
/// A state is there once its file `ID.state` is. Its tree is in `ID.geosnap`, a snapshot, or in
/// `ID.delta`, the difference from the next state's. Files get their names when they are complete, so a process that ends at any moment leaves the store whole.
/// Processes that write hold the lock of the file `version`; readers need none.
package struct KeptStore: Sendable {
  /// The path of the folder.
  package let folder: [UInt8]

  /// Names a store. It need not exist, and nothing is read.
  package init(at folder: [UInt8]) { self.folder = folder }

  /// What a store has.
  package struct Contents: Sendable {
    /// The states of all machines, oldest first.
    package var states: [KeptState] = []
    /// The paths of files of states that can't be read.
    package var damaged: [[UInt8]] = []
  }

  /// The states of all machines, oldest first; empty if there is no store.
  package func states() throws(KeptError) -> [KeptState] { try contents().states }

  /// The states, and the files that are damaged.
  package func contents() throws(KeptError) -> Contents {
    let handle: FolderHandle
    do throws(Errno) {
      handle = try FolderHandle(at: folder)
    } catch {
      if error == .noEntry { return Contents() }
      throw .unreadable(store: folder, error)
    }
    return try StoreFolder(handle, at: folder).contents()
  }

  /// The states of the newest series on this machine that has a folder, oldest first; empty if
  /// no state has it.
  ///
  /// - Parameter path: The real path of the folder, which is a root of the states or below one.
  package func states(of path: [UInt8]) throws(KeptError) -> [KeptState] {
    let machine = ThisMachine.identity
    let states = try states().filter { $0.machine == machine && $0.place(of: path) != nil }
    guard let last = states.max(by: { $0.number < $1.number }) else { return [] }
    return states.filter { $0.isComparable(with: last) }
  }

  /// Opens the tree of a state. If it is kept as a difference, it is rebuilt in a scratch file.
  package func open(_ state: KeptState) throws(KeptError) -> Snapshot {
    let files: StoreFolder
    do throws(Errno) {
      files = StoreFolder(try FolderHandle(at: folder), at: folder)
    } catch {
      throw .unreadable(store: folder, error)
    }
    if let snapshot = try files.snapshot(state.id) { return snapshot }
    return try files.rebuilt(state.id)
  }

  /// Opens the store for writing, and creates it if needed.
  ///
  /// - Parameter milliseconds: How long to wait for another process that writes the store.
  /// - Returns: The store, locked until the value is destroyed.
  package func locked(waiting milliseconds: Int64 = 30_000) throws(KeptError) -> LockedStore {
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

/// The files of a store.
struct StoreFolder {
  static let state = Array(".state".utf8)
  static let snapshot = Array(".geosnap".utf8)
  static let delta = Array(".delta".utf8)
  /// Begins the names of files that are being written.
  static let temporary = Array(".new-".utf8)
  /// The file with the version, which is also locked.
  static let version = Array("version".utf8)
  /// Its contents.
  static let head = Array("geomapper kept 1\n".utf8)

  let handle: FolderHandle
  let path: [UInt8]

  init(_ handle: FolderHandle, at path: [UInt8]) {
    (self.handle, self.path) = (handle, path)
  }

  /// The contents of a file of the folder.
  func read(_ name: [UInt8], limit: Int) throws(Errno) -> [UInt8] {
    let file = try handle.openRegular(name)
    guard let size = file.size, size <= Int64(limit) else { throw .fileTooLarge }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(Int(size))
    while try file.read(upTo: max(1, Int(size) - bytes.count), appendingTo: &bytes) > 0 {
      if bytes.count >= Int(size) { break }
    }
    return bytes
  }

  /// Whether there is a store in the folder; throws if there is something else.
  func check() throws(KeptError) -> Bool {
    let head: [UInt8]
    do throws(Errno) {
      head = try read(Self.version, limit: 1024)
    } catch {
      if error == .noEntry { return false }
      throw .unreadable(store: path, error)
    }
    if head.isEmpty { return false }
    if head != Self.head { throw .version(store: path) }
    return true
  }

  /// The states, and the files that are damaged.
  func contents() throws(KeptError) -> KeptStore.Contents {
    var contents = KeptStore.Contents()
    if try !check() { return contents }
    let names: NameTable
    do throws(Errno) {
      names = try handle.fileNames()
    } catch {
      throw .unreadable(store: path, error)
    }
    for index in names.records.indices {
      let name = names.name(at: index)
      guard name.suffix(Self.state.count).elementsEqual(Self.state), name.first != 0x2E else {
        continue
      }
      let id = Array(name.dropLast(Self.state.count))
      if let state = state(id), hasTree(id) {
        contents.states.append(state)
      } else if (try? handle.facts(of: name, following: false)) != nil {
        contents.damaged.append(path.appending(component: name))
      }
    }
    contents.states.sort { $0.isEarlier(than: $1) }
    return contents
  }

  /// Reads a state; nil if its file is damaged or gone.
  private func state(_ id: [UInt8]) -> KeptState? {
    guard let bytes = try? read(id + Self.state, limit: KeptState.longest),
      var state = try? KeptState(id: id, encoded: bytes)
    else { return nil }
    state.room = Int64(bytes.count)
    for kind in Self.trees {
      state.room += (try? handle.facts(of: id + kind, following: false).size) ?? 0
    }
    return state
  }

  private func hasTree(_ id: [UInt8]) -> Bool {
    Self.trees.contains { (try? handle.facts(of: id + $0, following: false)) != nil }
  }

  /// The extensions of the files that hold trees.
  static let trees = [snapshot, delta]
}

/// Why a store of kept states can't be used.
package enum KeptError: Error, Hashable, Sendable {
  /// The store can't be read.
  case unreadable(store: [UInt8], Errno)
  /// The store can't be written.
  case unwritable(store: [UInt8], Errno)
  /// The folder holds something else.
  case foreign(store: [UInt8])
  /// The store has another version of the format.
  case version(store: [UInt8])
  /// Another process writes the store.
  case busy(store: [UInt8])
  /// Files can't be locked there.
  case noLocks(store: [UInt8], Errno)
  /// A file of a state was changed or is missing.
  case damaged(file: [UInt8])
  /// A state's snapshot can't be opened.
  case snapshot(SnapshotError)
  /// A snapshot can't be written.
  case writing(SnapshotWritingError)
  /// The scratch file for a state can't be written.
  case noScratch(Errno)
}

extension KeptError: GroupedError {
  package var group: ErrorGroup {
    switch self {
    case .unreadable: .source
    case .foreign, .version, .noLocks: .usage
    case .unwritable, .busy, .writing, .noScratch: .output
    case .damaged: .damage
    case .snapshot(let error): error.group
    }
  }

  /// Says in one line what is wrong and what to do, safe for a terminal.
  package var description: String {
    func text(_ bytes: [UInt8]) -> String { TerminalText.escaped(bytes) }
    switch self {
    case .unreadable(let store, let reason):
      return "can't read the store '\(text(store))': \(reason)"
    case .unwritable(let store, let reason):
      return "can't write the store '\(text(store))': \(reason)"
    case .foreign(let store):
      return
        "'\(text(store))' holds something else than kept states; give a folder that is empty or "
        + "doesn't exist"
    case .version(let store):
      return "the store '\(text(store))' is of another version of geomapper"
    case .busy(let store):
      return
        "another geomapper is writing the store '\(text(store))'; try again when it has ended"
    case .noLocks(let store, let reason):
      return
        "can't lock the store '\(text(store))': \(reason); give a folder on a local disk: "
        + "--store DIR"
    case .damaged(let file):
      return "the kept state '\(text(file))' is damaged; remove it with 'geomapper keep --drop'"
    case .snapshot(let error): return error.description
    case .writing(let error): return error.description
    case .noScratch(let reason):
      return
        "can't write a scratch file: \(reason); set TMPDIR to a folder that has room for it"
    }
  }
}
