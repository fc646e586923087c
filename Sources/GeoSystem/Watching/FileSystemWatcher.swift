import CSystem
import Synchronization

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Tells what changes in some folders by watching their file systems as a whole, by fanotify, which needs
/// no watch for each of them; on other systems, and for who may not, it can't be made.
///
/// The system calls folders by handles. What is told of others than those that are watched is dropped as it
/// is read: it happened before they were watched, so who watches a folder first and lists it then misses
/// nothing.
package final class FileSystemWatcher: FolderNotifier {
  private let descriptor: Descriptor
  /// Whether what is told of other folders than those that are watched is kept.
  private let keepsAll: Bool
  private let state = Mutex(State())

  private struct State {
    /// The number of each folder that is watched, by its handle.
    var numbers: [[UInt8]: Int32] = [:]
    var handles: [Int32: [UInt8]] = [:]
    /// The next number. None is given twice.
    var next: Int32 = 1
    /// File systems that are watched, by the eight bytes with which handles begin, each with the path of a
    /// folder in it; an empty one if none is known.
    var marked: [[UInt8]: [UInt8]] = [:]
    /// The number that the two halves of the next renaming have in common.
    var cookie: UInt32 = 1

    /// Whether a folder is watched.
    func has(_ place: FileSystemEvent.Place?) -> Bool {
      place.map { numbers[$0.handle] != nil } ?? false
    }
  }

  /// Longer than any handle.
  static let longestHandle = 256
  /// How many bytes name a file system.
  package static let fileSystemBytes = 8

  /// A watcher of no folder.
  ///
  /// - Parameter keepsAll: Whether all is handed over that is told of file systems that are watched.
  /// - Throws: Why there is none, for instance because the process may not.
  package init(keepingAll keepsAll: Bool = false) throws(Errno) {
    self.keepsAll = keepsAll
    let number = csystem_tree_watcher_create()
    if number < 0 { throw Errno(rawValue: -number) }
    descriptor = Descriptor(owning: number)
  }

  /// The handle of an open folder.
  package static func handle(of directory: Int32) throws(Errno) -> [UInt8] {
    var length = 0
    let handle = [UInt8](unsafeUninitializedCapacity: longestHandle) { buffer, count in
      length = csystem_folder_handle(directory, buffer.baseAddress, longestHandle)
      count = max(0, length)
    }
    if length < 0 { throw Errno(rawValue: Int32(-length)) }
    // There are many of them: each in as much room as it needs.
    var exact: [UInt8] = []
    exact.reserveCapacity(length)
    exact += handle
    return exact
  }

  /// Opens the folder of a handle.
  ///
  /// - Parameter mount: Any folder of its file system, open.
  package static func open(_ handle: [UInt8], by mount: Int32) throws(Errno) -> Descriptor {
    let number = handle.withUnsafeBytes { csystem_open_handle(mount, $0.baseAddress, $0.count) }
    if number < 0 { throw Errno(rawValue: -number) }
    return Descriptor(owning: number)
  }

  /// Watches the whole file system of a folder.
  package func watchFileSystem(of path: [UInt8]) throws(Errno) {
    let folder = try FileSystem.openRoot(path)
    let handle = try Self.handle(of: folder.rawValue)
    try mark(Array(handle.prefix(Self.fileSystemBytes)), folder.rawValue, path)
  }

  private func mark(
    _ fileSystem: [UInt8], _ directory: Int32, _ path: [UInt8] = []
  ) throws(Errno) {
    if state.withLock({ $0.marked[fileSystem] != nil }) { return }
    var tellsRenames: Int32 = 0
    let error = csystem_tree_watch(descriptor.rawValue, directory, &tellsRenames)
    if error < 0 { throw Errno(rawValue: -error) }
    state.withLock { $0.marked[fileSystem] = path }
  }

  package func open(_ folder: Int32) -> Descriptor? {
    let known = state.withLock { state in
      state.handles[folder].flatMap { handle in
        state.marked[Array(handle.prefix(Self.fileSystemBytes))].map { (handle, $0) }
      }
    }
    guard let (handle, path) = known, !path.isEmpty else { return nil }
    // Nothing of a file system is kept open that somebody may want to unmount.
    guard let mount = try? FileSystem.openRoot(path) else { return nil }
    return try? Self.open(handle, by: mount.rawValue)
  }

  package func watch(_ directory: Int32) throws(Errno) -> Int32 {
    let handle = try Self.handle(of: directory)
    // The file system first: what happens from now on is told.
    try mark(Array(handle.prefix(Self.fileSystemBytes)), directory)
    return state.withLock { state in
      if let number = state.numbers[handle] { return number }
      let number = state.next
      state.next &+= 1
      state.numbers[handle] = number
      state.handles[number] = handle
      return number
    }
  }

  package func forget(_ folder: Int32) {
    state.withLock { state in
      if let handle = state.handles.removeValue(forKey: folder) { state.numbers[handle] = nil }
    }
  }

  package func awaitRecords() throws(Errno) {
    try Descriptor.wait(for: POLLIN, of: descriptor.rawValue)
  }

  package var hasRecords: Bool { Descriptor.isReadable(descriptor.rawValue) }

  @discardableResult
  package func nextRecords(appendingTo records: inout [UInt8]) throws(Errno) -> Bool {
    let (most, whole) = (FolderWatcher.mostRead, FolderWatcher.mostRead - FolderWatcher.mostRecord)
    if keepsAll { return try descriptor.read(upTo: most, appendingTo: &records) < whole }
    var told: [UInt8] = []
    if try descriptor.read(upTo: most, appendingTo: &told) == 0 { return true }
    state.withLock { state in
      for record in FileSystemEvent.records(of: told[...]) {
        let event = FileSystemEvent(record)
        if event.isOverflow || state.has(event.place) || state.has(event.new) {
          records += record
        }
      }
    }
    return told.count < whole
  }

  package func changes(in records: ArraySlice<UInt8>) -> [FolderWatcher.Change] {
    state.withLock { state in
      var changes: [FolderWatcher.Change] = []
      for event in FileSystemEvent.all(in: records) {
        Self.add(event, to: &changes, &state)
      }
      return changes
    }
  }

  /// Adds the changes that an event is, if it is about a folder that is watched.
  private static func add(
    _ event: FileSystemEvent, to changes: inout [FolderWatcher.Change], _ state: inout State
  ) {
    if event.isOverflow {
      changes.append(.overflow)
      return
    }
    func change(
      _ what: FolderWatcher.Change.What, _ place: FileSystemEvent.Place, cookie: UInt32 = 0,
      isVague: Bool = false
    ) -> FolderWatcher.Change? {
      let number = state.numbers[place.handle]
      // Of a renaming both halves belong together, also if one is elsewhere.
      if number == nil, cookie == 0 { return nil }
      return FolderWatcher.Change(
        folder: number ?? -1, what: what, name: place.name, isFolder: event.isFolder,
        cookie: cookie, isContent: event.isContent, isVague: isVague)
    }
    if let new = event.new, let old = event.place {
      if state.numbers[new.handle] == nil, state.numbers[old.handle] == nil { return }
      let cookie = state.cookie
      state.cookie = state.cookie &+ 1 == 0 ? 1 : state.cookie &+ 1
      changes += [
        change(.removed, old, cookie: cookie), change(.added, new, cookie: cookie),
        change(.added, old, isVague: true), change(.added, new, isVague: true),
      ].compactMap { $0 }
      return
    }
    guard let place = event.new ?? event.place else { return }
    if place.isSelf {
      guard event.isEnd, let number = state.numbers[place.handle] else { return }
      var change = FolderWatcher.Change(folder: number, what: .removed, name: [], isFolder: true)
      change.isForgotten = true
      changes.append(change)
      return
    }
    // The system puts all that is made and removed under one name into one event, in the place of the
    // first of it, and only renamings stand by themselves. So what is there after all has to be looked
    // at, also after a renaming.
    if event.isGone { changes += [change(.removed, place)].compactMap { $0 } }
    // What was read of a folder before it was listed again may be older than what was found there.
    if event.isNew || event.isGone {
      changes += [change(.added, place, isVague: true)].compactMap { $0 }
    }
    if event.isOther, !event.isNew, !event.isGone {
      changes += [change(.modified, place)].compactMap { $0 }
    }
  }
}
