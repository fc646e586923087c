import GeoSystem
import Synchronization

/// Opens the folders that a scan begins with.
///
/// Those of a deed follow each other in the order of the map, so that many have the same parent: the
/// last one is kept open.
final class RootOpener: Sendable {
  private struct Parent: Sendable {
    let root: ScanRoot
    let handle: OpenFolder
  }

  private final class OpenFolder: Sendable {
    let descriptor: Descriptor

    init(_ descriptor: consuming Descriptor) { self.descriptor = descriptor }
  }

  private let last = Mutex<Parent?>(nil)

  /// Opens a root.
  func open(_ root: ScanRoot) throws(Errno) -> Descriptor {
    guard let name = root.names.last else { return try root.open() }
    let parent = try parent(of: root)
    return try FileSystem.openFolder(name, in: parent.descriptor.rawValue)
  }

  private func parent(of root: ScanRoot) throws(Errno) -> OpenFolder {
    let last = last.withLock { $0 }
    if let last, last.root.directory == root.directory,
      last.root.names.elementsEqual(root.names.dropLast())
    {
      return last.handle
    }
    var above = root
    above.names.removeLast()
    let handle = OpenFolder(try above.open())
    let parent = Parent(root: above, handle: handle)
    self.last.withLock { $0 = parent }
    return handle
  }
}
