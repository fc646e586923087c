import GeoSystem
import Synchronization

/// Opens folders one after the other that names lead to from a root, as the folders that a scan
/// begins with.
///
/// Where they come in some order their ways have much in common: the upper folders on the last one
/// are kept open.
package final class RootOpener: Sendable {
  /// How many levels of folders are kept open, that of the roots among them, besides the last parent.
  private static let keptLevels = 4

  private final class OpenFolder: Sendable {
    let descriptor: Descriptor
    let directory: [UInt8]
    /// The names that lead to it.
    let names: ArraySlice<[UInt8]>
    /// The next folder above it that is kept open.
    let above: OpenFolder?

    init(
      _ descriptor: consuming Descriptor, _ directory: [UInt8], _ names: ArraySlice<[UInt8]>,
      below parent: OpenFolder?
    ) {
      self.descriptor = descriptor
      self.directory = directory
      self.names = names
      above = names.count <= RootOpener.keptLevels ? parent : parent?.above
    }

    /// Whether a root is in the folder, at any depth.
    func holds(_ root: ScanRoot) -> Bool {
      names.count < root.names.count && root.names.starts(with: names)
        && directory == root.directory
    }
  }

  /// The parent of the root that was opened last.
  private let last = Mutex<OpenFolder?>(nil)

  package init() {}

  /// Opens a root.
  ///
  /// - Complexity: O(names that its way doesn't share with the last one).
  package func open(_ root: ScanRoot) throws(Errno) -> Descriptor {
    guard let name = root.names.last else { return try root.open() }
    let parent = try parent(of: root)
    return try FileSystem.openFolder(name, in: parent.descriptor.rawValue)
  }

  private func parent(of root: ScanRoot) throws(Errno) -> OpenFolder {
    var kept = last.withLock { $0 }
    while let folder = kept, !folder.holds(root) { kept = folder.above }
    var parent =
      if let kept { kept } else {
        OpenFolder(try FileSystem.openRoot(root.directory), root.directory, [], below: nil)
      }
    for level in (parent.names.count + 1)..<root.names.count {
      let names = root.names[..<level]
      let folder = try FileSystem.openFolder(names[level - 1], in: parent.descriptor.rawValue)
      parent = OpenFolder(folder, root.directory, names, below: parent)
    }
    last.withLock { $0 = parent }
    return parent
  }
}
