import GeoPath
import GeoSystem
import Synchronization

/// A folder whose contents are still to be visited.
///
/// It is kept as long as there is work in it, and closes its descriptor when the last of it is done.
final class ScannedFolder<Plan: AnyObject & Sendable>: Sendable {
  /// The root's label, then names, joined by `/`; empty for the folder of all roots.
  let path: [UInt8]
  /// Which root it is below.
  let root: Int
  /// What the visitor knows of its sub-folders.
  let plan: Plan
  /// The sub-folders that are not hidden.
  let folders: NameTable
  /// Which of them are to be opened.
  let isEntered: [Bool]
  /// The folder itself; nil for the folder of all roots.
  let handle: FolderHandle?

  init(
    path: [UInt8], root: Int, plan: Plan, folders: NameTable, isEntered: [Bool],
    handle: FolderHandle?
  ) {
    self.path = path
    self.root = root
    self.plan = plan
    self.folders = folders
    self.isEntered = isEntered
    self.handle = handle
  }
}

/// An open folder that may be closed when descriptors are scarce, and is then opened again.
final class FolderHandle: Sendable {
  private struct State: Sendable {
    /// −1 while it is closed.
    var descriptor: Int32
    /// How many threads are using the descriptor.
    var users = 0
    /// What was closed, so that nothing else is taken for it.
    var identity: FileSystem.Identity?
  }

  /// The folder's root, by a path that the system takes.
  private let root: [UInt8]
  /// The names from there to the folder, joined by `/`.
  private let route: [UInt8]
  private let budget: DescriptorBudget
  private let state: Mutex<State>

  /// Takes over an open folder.
  init(
    _ descriptor: consuming Descriptor, root: [UInt8], route: [UInt8], budget: DescriptorBudget
  ) {
    self.root = root
    self.route = route
    self.budget = budget
    state = Mutex(State(descriptor: descriptor.take()))
    budget.opened()
  }

  deinit {
    state.withLock { state in
      if state.descriptor >= 0 { close(&state) }
    }
  }

  /// Lends the descriptor, which stays open meanwhile.
  ///
  /// - Throws: Why it could not be opened again.
  func withDescriptor<Result: ~Copyable>(
    _ body: (Int32) throws(Errno) -> Result
  ) throws(Errno) -> Result {
    let descriptor = try state.withLock { (state) throws(Errno) in
      if state.descriptor < 0 { try reopen(&state) }
      state.users += 1
      return state.descriptor
    }
    defer { state.withLock { $0.users -= 1 } }
    return try body(descriptor)
  }

  /// Closes the descriptor for now, unless somebody is using it.
  ///
  /// - Returns: Whether a descriptor was set free.
  @discardableResult
  func park() -> Bool {
    state.withLock { state in
      guard state.users == 0, state.descriptor >= 0,
        let facts = try? FileSystem.facts(of: state.descriptor)
      else { return false }
      state.identity = facts.identity
      close(&state)
      return true
    }
  }

  private func close(_ state: inout State) {
    _ = Descriptor(owning: state.descriptor)
    state.descriptor = -1
    budget.closed()
  }

  /// Walks from the root again, a name at a time, so that no link can lead elsewhere.
  private func reopen(_ state: inout State) throws(Errno) {
    var folder = try FileSystem.openRoot(root)
    for name in route.split(separator: UInt8(ascii: "/")) {
      folder = try FileSystem.openFolder(Array(name), in: folder.rawValue)
    }
    let facts = try FileSystem.facts(of: folder.rawValue)
    if facts.identity != state.identity { throw .stale }
    state.descriptor = folder.take()
    budget.opened()
  }
}

/// How many folders a scan may keep open.
final class DescriptorBudget: Sendable {
  private let limit: Int
  private let open = Atomic<Int>(0)

  init(limit: Int) { self.limit = limit }

  /// Whether so many are open that those which are not used at once should be closed.
  var isTight: Bool { open.load(ordering: .relaxed) >= limit }

  func opened() { open.add(1, ordering: .relaxed) }

  func closed() { open.subtract(1, ordering: .relaxed) }
}
