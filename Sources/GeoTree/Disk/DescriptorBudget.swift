import GeoSystem
import Synchronization

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
