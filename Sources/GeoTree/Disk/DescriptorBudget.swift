import GeoSystem
import Synchronization

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

  /// Closes one folder until it is needed again. Returns whether a descriptor was freed.
  private func parkOne() -> Bool {
    // Releasing the last reference locks the list, so references are released outside the lock.
    let all = handles.withLock { $0.compactMap(\.handle) }
    return all.contains { $0.park() }
  }
}
