import GeoSystem
import Synchronization

/// An open folder on disk. Its descriptor is closed when descriptors are scarce, and reopened on
/// demand.
final class DiskFolder: KeptFolder {
  private struct State: Sendable {
    /// −1 while it is closed.
    var descriptor: Int32
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
  func borrow() throws(Errno) -> Int32 {
    try state.withLock { (state) throws(Errno) in
      if state.descriptor < 0 { try reopen(&state) }
      state.users += 1
      return state.descriptor
    }
  }

  func giveBack() { state.withLock { $0.users -= 1 } }

  /// Closes the descriptor until it is needed again, unless it is in use. Returns whether it did.
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
