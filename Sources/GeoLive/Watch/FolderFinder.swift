import GeoCore
import GeoSystem
import GeoTree

/// Opens the folders of a tree on disk. Used by one thread.
final class FolderFinder {
  private let tree: KnownTree
  private let roots: [ScanRoot]
  private let session: any TreeSession
  private var openReader: (any FolderReader)?

  init(of tree: KnownTree, _ roots: [ScanRoot]) {
    (self.tree, self.roots) = (tree, roots)
    var options = FileSystemScanner.Options()
    options.asksForStorage = true
    session = DiskSource.shared.session(options, readers: 1)
  }

  var reader: any FolderReader {
    if let openReader { return openReader }
    let reader = session.makeReader()
    openReader = reader
    return reader
  }

  /// Closes the open folders, as others may have taken their paths.
  func leave() { openReader = nil }

  /// Enters the folder now at a folder's path, which may be another one. The descriptor is valid
  /// until the next entry.
  @discardableResult
  func enter(_ folder: Int32) throws(Errno) -> Int32 {
    try reader.enter(reference(to: folder))
    guard let descriptor = reader.openFolder else { throw .noEntry }
    return descriptor
  }

  func list(_ folder: Int32, into listing: inout FolderListing) {
    reader.list(reference(to: folder), into: &listing)
  }

  // Paths from the root let the reader share ancestors between consecutive folders.
  private func reference(to folder: Int32) -> FolderReference {
    .path(root: roots[Int(tree.root(of: folder))], path: tree.path(of: folder), handle: nil)
  }
}
