import GeoCore
import GeoSystem
import Synchronization

/// The file system of this machine.
public final class DiskSource: TreeSource {
  /// The instance for all folders.
  public static let shared = DiskSource(staysOnFileSystem: false)
  /// An instance that shows folders on other file systems than their root's, but doesn't enter
  /// them.
  package static let withinFileSystem = DiskSource(staysOnFileSystem: true)

  private let staysOnFileSystem: Bool

  private init(staysOnFileSystem: Bool) { self.staysOnFileSystem = staysOnFileSystem }

  /// The tree can change at any time.
  public var isLive: Bool { true }

  /// Times have nanoseconds.
  public var knowledge: ContentKnowledge { .nanoseconds }

  /// Throws unless the root is a folder, readable or not.
  public func check(_ root: ScanRoot) throws(ScanRoot.Failure) {
    let facts: FileSystem.Facts
    do throws(Errno) {
      facts = try FolderPathWalker().facts(root.directory, root.names, method: .preferred)
    } catch {
      throw error == .notDirectory || !root.names.isEmpty && error == .linkLoop
        ? .notFolder : .notFound(error)
    }
    if facts.kind != .directory { throw .notFolder }
  }

  /// Starts a reading session.
  public func session(
    _ options: FileSystemScanner.Options, readers: Int
  ) -> any TreeSession {
    var options = options
    if staysOnFileSystem { options.staysOnFileSystem = true }
    return DiskSession(options, readers: readers)
  }
}

/// A reading session of the disk.
final class DiskSession: TreeSession {
  let options: FileSystemScanner.Options
  let budget: DescriptorBudget
  /// Which facts to read of files.
  let questions: EntryQuestions
  /// Whether to check folders before listing them, and to record their ancestors.
  let keepsAncestors: Bool

  init(_ options: FileSystemScanner.Options, readers: Int) {
    self.options = options
    // Leave half of the descriptors to the rest of the program. Each thread needs up to three.
    let limit = FileSystem.descriptorLimit
    budget = DescriptorBudget(limit: max(4, min(limit / 2, limit - 16 - 3 * readers)))
    questions = EntryQuestions(
      readsMetadata: options.readsMetadata, method: options.method,
      followsLinks: options.followsLinks, countsLinks: options.countsLinks,
      asksForStorage: options.asksForStorage)
    keepsAncestors = options.staysOnFileSystem || options.followsLinks
  }

  func makeReader() -> any FolderReader { DiskReader(self) }

  func stamp(of folder: FolderReference) -> ListingStamp? {
    guard case .path(let root, let path, _) = folder else { return nil }
    // By one path, links included: if it leads elsewhere by now, the identity differs.
    let names = root.names.reduce([]) { $0.appending(component: $1) }
    let rest = path.dropFirst(root.label.count)
    return (try? FileSystem.rootFacts(root.directory + names + rest)).map { ListingStamp($0) }
  }
}

extension ListingStamp {
  init(_ facts: FileSystem.Facts) {
    self.init(
      identity: facts.identity, seconds: facts.modified, nanoseconds: facts.modifiedNanoseconds)
  }
}

/// An open folder on disk. Its descriptor is closed when descriptors are scarce, and reopened on
/// demand.
final class DiskFolder: KeptFolder {
  private struct State: Sendable {
    /// −1 while it is closed.
    var descriptor: Int32
    /// The number of threads that use the descriptor.
    var users = 0
    /// The identity before closing, to check after reopening.
    var identity: FileSystem.Identity?
  }

  /// The folder's root. If its path is relative, the working directory must not change.
  let root: ScanRoot
  /// The path on the map: the root's label, then names, joined by `/`.
  private let path: [UInt8]
  private let budget: DescriptorBudget
  /// The folder's ancestors, if the session records them.
  let ancestors: AncestorChain?
  private let state: Mutex<State>

  /// Takes ownership of an open folder.
  init(
    _ descriptor: consuming Descriptor?, root: ScanRoot, path: [UInt8], budget: DescriptorBudget,
    ancestors: AncestorChain?
  ) {
    self.root = root
    self.ancestors = ancestors
    self.path = path
    self.budget = budget
    state = Mutex(State(descriptor: descriptor?.take() ?? -1))
    budget.add(self)
  }

  deinit {
    budget.remove(self)
    state.withLock { state in
      if state.descriptor >= 0 { close(&state) }
    }
  }

  /// Returns the descriptor, which stays open until ``giveBack()``.
  ///
  /// - Throws: The error if it can't be reopened.
  func borrow() throws(Errno) -> Int32 {
    try state.withLock { (state) throws(Errno) in
      if state.descriptor < 0 { try reopen(&state) }
      state.users += 1
      return state.descriptor
    }
  }

  /// Ends the use of a borrowed descriptor.
  func giveBack() { state.withLock { $0.users -= 1 } }

  /// Closes the descriptor until it is needed again, unless it is in use.
  ///
  /// - Returns: Whether a descriptor was freed.
  func park() -> Bool {
    let isFreed = state.withLockIfAvailable { state in
      guard state.users == 0, state.descriptor >= 0,
        let facts = try? FileSystem.facts(of: state.descriptor)
      else { return false }
      state.identity = facts.identity
      close(&state)
      return true
    }
    return isFreed ?? false
  }

  private func close(_ state: inout State) {
    _ = Descriptor(owning: state.descriptor)
    state.descriptor = -1
    budget.closed()
  }

  /// Opens the folder again from the root, one name at a time. Only links that were followed before
  /// are followed.
  private func reopen(_ state: inout State) throws(Errno) {
    let way = FolderPathWalker(budget: budget, isForOne: true)
    let links = [Bool](repeating: false, count: root.names.count) + (ancestors?.links ?? [])
    let number = try way.open(root.directory, root.names(to: path), links: links)
    if try FileSystem.facts(of: number).identity != state.identity { throw .stale }
    state.descriptor = way.take()?.take() ?? -1
    budget.opened()
  }
}

/// Limits the number of folders that a scan keeps open.
///
/// Above the limit, folders opened first are closed: they are nearest to the root, and needed last.
final class DescriptorBudget: Sendable {
  private struct Entry: Sendable {
    let id: ObjectIdentifier
    weak let handle: DiskFolder?
  }

  private let limit: Int
  private let open = Atomic<Int>(0)
  /// How often a scan waits for descriptors before it fails: 400 times 5 ms, two seconds in all.
  private static let patience = 400
  private let patience = Atomic<Int>(DescriptorBudget.patience)
  /// All kept folders, open or closed, in order of creation.
  private let handles = Mutex<[Entry]>([])

  init(limit: Int) { self.limit = limit }

  func add(_ handle: DiskFolder) {
    opened()
    handles.withLock { $0.append(Entry(id: ObjectIdentifier(handle), handle: handle)) }
  }

  func remove(_ handle: DiskFolder) {
    let id = ObjectIdentifier(handle)
    handles.withLock { handles in
      // In a depth-first scan the last folder made is usually the first to go.
      if let index = handles.lastIndex(where: { $0.id == id }) { handles.remove(at: index) }
    }
  }

  func opened() { open.add(1, ordering: .relaxed) }

  func closed() { open.subtract(1, ordering: .relaxed) }

  /// Opens a descriptor. When descriptors are scarce, closes a folder that is needed later, or
  /// waits for other threads to close theirs.
  func opening(_ call: () throws(Errno) -> Descriptor) throws(Errno) -> Descriptor {
    if open.load(ordering: .relaxed) >= limit { _ = parkOne() }
    while true {
      do {
        let descriptor = try call()
        patience.store(Self.patience, ordering: .relaxed)
        return descriptor
      } catch {
        guard error == .tooManyOpen || error == .tooManyOpenInSystem else { throw error }
        if parkOne() { continue }
        if patience.subtract(1, ordering: .relaxed).newValue < 0 { throw error }
        WorkerThread.pause(milliseconds: 5)
      }
    }
  }

  /// Closes one folder until it is needed again.
  ///
  /// - Returns: Whether a descriptor was freed.
  private func parkOne() -> Bool {
    // Releasing the last reference locks the list, so references are released outside the lock.
    let all = handles.withLock { $0.compactMap(\.handle) }
    return all.contains { $0.park() }
  }
}
