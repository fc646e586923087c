import GeoCore
import GeoSystem
import Synchronization

/// The folders of this machine.
public final class DiskSource: TreeSource {
  /// All of them.
  public static let shared = DiskSource(staysOnFileSystem: false)
  /// The same, but what is in another file system than its root is shown and not entered.
  package static let withinFileSystem = DiskSource(staysOnFileSystem: true)

  private let staysOnFileSystem: Bool

  private init(staysOnFileSystem: Bool) { self.staysOnFileSystem = staysOnFileSystem }

  /// Is what is on the disk at the moment.
  public var isLive: Bool { true }

  /// Knows times to the nanosecond.
  public var knowledge: ContentKnowledge { .nanoseconds }

  /// Looks whether a root is a folder, which need not be readable.
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

  /// Begins to read.
  public func session(
    _ options: FileSystemScanner.Options, readers: Int
  ) -> any TreeSession {
    var options = options
    if staysOnFileSystem { options.staysOnFileSystem = true }
    return DiskSession(options, readers: readers)
  }
}

/// The disk while it is read.
final class DiskSession: TreeSession {
  let options: FileSystemScanner.Options
  let budget: DescriptorBudget
  /// What files are asked.
  let questions: EntryQuestions
  /// Whether folders are looked at before they are listed, and their ancestors kept.
  let keepsLineage: Bool

  init(_ options: FileSystemScanner.Options, readers: Int) {
    self.options = options
    // Half of the descriptors are left to the rest of the program; each thread needs up to three.
    let limit = FileSystem.descriptorLimit
    budget = DescriptorBudget(limit: max(4, min(limit / 2, limit - 16 - 3 * readers)))
    questions = EntryQuestions(
      readsMetadata: options.readsMetadata, method: options.method,
      followsLinks: options.followsLinks, countsLinks: options.countsLinks,
      asksForStorage: options.asksForStorage)
    keepsLineage = options.staysOnFileSystem || options.followsLinks
  }

  func makeReader() -> any FolderReader { DiskReader(self) }

  func stamp(of folder: FolderReference) -> ListingStamp? {
    guard case .path(let root, let path, _) = folder else { return nil }
    // Whatever the path leads to by now: it is the same folder, or it isn't.
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

/// An open folder of a disk, which may be closed when descriptors are scarce, and is then opened
/// again.
final class DiskFolder: KeptFolder {
  private struct State: Sendable {
    /// −1 while it is closed.
    var descriptor: Int32
    /// How many threads are using the descriptor.
    var users = 0
    /// What was closed, so that nothing else is taken for it.
    var identity: FileSystem.Identity?
  }

  /// The folder's root; if its path is relative, the program has to stay where it is.
  let root: ScanRoot
  /// Its path on the map: the root's label, then the names that lead to it, joined by `/`.
  private let path: [UInt8]
  private let budget: DescriptorBudget
  /// What it was reached through, if somebody asked for it.
  let ancestors: AncestorChain?
  private let state: Mutex<State>

  /// Takes over an open folder.
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

  /// Lends the descriptor, which stays open until it is given back.
  ///
  /// - Throws: Why it could not be opened again.
  func borrow() throws(Errno) -> Int32 {
    try state.withLock { (state) throws(Errno) in
      if state.descriptor < 0 { try reopen(&state) }
      state.users += 1
      return state.descriptor
    }
  }

  /// Ends a loan.
  func giveBack() { state.withLock { $0.users -= 1 } }

  /// Closes the descriptor for now, unless somebody is using it.
  ///
  /// - Returns: Whether a descriptor was set free.
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

  /// Walks from the root again, a name at a time, so that no link can lead elsewhere but those that
  /// were followed before.
  private func reopen(_ state: inout State) throws(Errno) {
    let way = FolderPathWalker(budget: budget, isForOne: true)
    let links = [Bool](repeating: false, count: root.names.count) + (ancestors?.links ?? [])
    let number = try way.open(root.directory, root.names(to: path), links: links)
    if try FileSystem.facts(of: number).identity != state.identity { throw .stale }
    state.descriptor = way.take()?.take() ?? -1
    budget.opened()
  }
}

/// How many folders a scan keeps open.
///
/// Where they are too many, those that were opened first are closed for a while: they are nearest
/// to the root, and needed last.
final class DescriptorBudget: Sendable {
  private struct Entry: Sendable {
    let id: ObjectIdentifier
    weak let handle: DiskFolder?
  }

  private let limit: Int
  private let open = Atomic<Int>(0)
  /// How often a scan waits for descriptors in vain before it gives up: two seconds in all.
  private static let patience = 400
  private let patience = Atomic<Int>(DescriptorBudget.patience)
  /// All handles there are, open or not, in the order in which they were made.
  private let handles = Mutex<[Entry]>([])

  init(limit: Int) { self.limit = limit }

  func add(_ handle: DiskFolder) {
    opened()
    handles.withLock { $0.append(Entry(id: ObjectIdentifier(handle), handle: handle)) }
  }

  func remove(_ handle: DiskFolder) {
    let id = ObjectIdentifier(handle)
    handles.withLock { handles in
      // Depth first, the last one made is the first that goes.
      if let index = handles.lastIndex(where: { $0.id == id }) { handles.remove(at: index) }
    }
  }

  func opened() { open.add(1, ordering: .relaxed) }

  func closed() { open.subtract(1, ordering: .relaxed) }

  /// Opens something; where descriptors are scarce, in exchange for a folder that is needed later, or
  /// after others have closed theirs.
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

  /// Closes a folder for a while.
  ///
  /// - Returns: Whether a descriptor was set free.
  private func parkOne() -> Bool {
    // Letting go of a handle may remove it from the list, so none is let go of inside the lock.
    let all = handles.withLock { $0.compactMap(\.handle) }
    return all.contains { $0.park() }
  }
}
