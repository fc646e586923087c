import CSystem
import Synchronization

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Reports changes in folders with fanotify, which watches whole file systems instead of single
/// folders.
///
/// It can't be created on other systems, or without the privilege.
///
/// The kernel identifies folders by handles. Events of folders that aren't watched are dropped when
/// they are read, because they happened before the folder was watched. So a caller that first
/// watches a folder and then lists it misses nothing.
package final class FileSystemWatcher: FolderNotifier {
  private let descriptor: Descriptor
  /// Whether events of folders that aren't watched are kept.
  private let keepsAll: Bool
  private let state = Mutex(State())

  private struct State {
    /// The number of each watched folder, by its handle.
    var numbers: [[UInt8]: Int32] = [:]
    var handles: [Int32: [UInt8]] = [:]
    /// The next number. Numbers are not reused.
    var next: Int32 = 1
    /// The watched file systems, by the first eight bytes of their handles, each with the path of a
    /// folder in it; empty if no path is known.
    var marked: [[UInt8]: [UInt8]] = [:]
    /// The cookie of the next rename, which its two halves share.
    var cookie: UInt32 = 1

    /// Whether a folder is watched.
    func has(_ place: FileSystemEvent.Place?) -> Bool {
      place.map { numbers[$0.handle] != nil } ?? false
    }
  }

  /// An upper bound of the size of a handle, in bytes.
  static let longestHandle = 256
  /// The number of a handle's first bytes, which identify the file system.
  package static let fileSystemBytes = 8

  /// Creates a watcher without folders.
  ///
  /// - Parameter keepsAll: Whether to return all events of the watched file systems.
  /// - Throws: The system's error, such as a missing privilege.
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
    // Copied to save memory: there are many handles.
    var exact: [UInt8] = []
    exact.reserveCapacity(length)
    exact += handle
    return exact
  }

  /// Opens the folder of a handle.
  ///
  /// - Parameter mount: The descriptor of any folder of its file system.
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
    var reportsRenames: Int32 = 0
    let error = csystem_tree_watch(descriptor.rawValue, directory, &reportsRenames)
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
    // Opened only now, because an open folder keeps the file system from being unmounted.
    guard let mount = try? FileSystem.openRoot(path) else { return nil }
    return try? Self.open(handle, by: mount.rawValue)
  }

  package func watch(_ directory: Int32) throws(Errno) -> Int32 {
    let handle = try Self.handle(of: directory)
    // The file system is marked first, so that events are reported from now on.
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
    var buffer: [UInt8] = []
    if try descriptor.read(upTo: most, appendingTo: &buffer) == 0 { return true }
    state.withLock { state in
      for record in FileSystemEvent.records(of: buffer[...]) {
        let event = FileSystemEvent(record)
        if event.isOverflow || state.has(event.place) || state.has(event.new) {
          records += record
        }
      }
    }
    return buffer.count < whole
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

  /// Adds the changes of an event, if it is about a watched folder.
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
      // Both halves of a rename are kept, even if one is in a folder that isn't watched.
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
    // The kernel merges creations and removals of the same name into one event, in place of the
    // first; only renames stay separate. So the entry's current state has to be read, even after a
    // rename.
    if event.isGone { changes += [change(.removed, place)].compactMap { $0 } }
    // The event may be older than the latest listing, so the current state has to be read.
    if event.isNew || event.isGone {
      changes += [change(.added, place, isVague: true)].compactMap { $0 }
    }
    if event.isOther, !event.isNew, !event.isGone {
      changes += [change(.modified, place)].compactMap { $0 }
    }
  }
}
