import GeoSystem
import Synchronization

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
  let lineage: Lineage?
  private let state: Mutex<State>

  /// Takes over an open folder.
  init(
    _ descriptor: consuming Descriptor?, root: ScanRoot, path: [UInt8], budget: DescriptorBudget,
    lineage: Lineage?
  ) {
    self.root = root
    self.lineage = lineage
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
    let way = FolderWay(budget: budget, isForOne: true)
    let links = [Bool](repeating: false, count: root.names.count) + (lineage?.links ?? [])
    let number = try way.open(root.directory, root.names(to: path), links: links)
    if try FileSystem.facts(of: number).identity != state.identity { throw .stale }
    state.descriptor = way.take()?.take() ?? -1
    budget.opened()
  }
}
