import GeoCore
import GeoTree
import GeoSystem

/// Goes to the folders of a disk that the folders of a tree are. It is for one thread.
final class FolderFinder {
  private let tree: KnownTree
  private let roots: [ScanRoot]
  private let watcher: any FolderNotifier
  private let way: WatchWay
  private let session: any TreeSession
  private var openReader: (any FolderReader)?
  /// The folder that the reader's way begins at, if it was opened by number.
  private var openStart: Descriptor?

  /// - Parameters:
  ///   - roots: Where the tree's roots are.
  ///   - watcher: Gives the folders that are watched their numbers.
  ///   - way: In which way it watches.
  init(of tree: KnownTree, _ roots: [ScanRoot], by watcher: any FolderNotifier, _ way: WatchWay) {
    (self.tree, self.roots, self.watcher, self.way) = (tree, roots, watcher, way)
    var options = FileSystemScanner.Options()
    options.asksForStorage = true
    session = DiskSource.shared.session(options, readers: 1)
  }

  /// What reads the disk.
  var reader: any FolderReader {
    if let openReader { return openReader }
    let reader = session.makeReader()
    openReader = reader
    return reader
  }

  /// Lets go of the folders that are open: others may be in their places by now.
  func leave() { openReader = nil }

  /// Goes to a folder of the disk.
  ///
  /// - Parameter atPlace: Whether it is what is in its place now, and not the one that it was known as,
  ///   which may be elsewhere by now.
  /// - Returns: Its descriptor, open until the reader goes elsewhere.
  @discardableResult
  func enter(_ folder: Int32, atPlace: Bool = false) throws(Errno) -> Int32 {
    let reference = reference(to: folder, atPlace: atPlace)
    try reader.enter(reference)
    guard let descriptor = reader.openFolder else { throw .noEntry }
    return descriptor
  }

  /// Lists a folder of the disk.
  func list(_ folder: Int32, into listing: inout FolderListing) {
    let reference = reference(to: folder)
    reader.list(reference, into: &listing)
  }

  /// The folder on the disk that a folder of the tree is: by number, if the system opens it so; else by the
  /// names that lead to it from the next one above it that is opened so, or from its root.
  private func reference(to folder: Int32, atPlace: Bool = false) -> FolderReference {
    var names: [[UInt8]] = []
    var next = folder
    if atPlace, folder >= roots.count {
      names.append(tree[folder].name)
      next = tree[folder].parent
    }
    while next >= roots.count {
      if tree[next].watch >= 0, let opened = watcher.open(tree[next].watch) {
        let directory = Array("/proc/self/fd/\(opened.rawValue)".utf8)
        openStart = consume opened
        // Another folder may have had that number a moment ago.
        leave()
        return .path(
          root: ScanRoot(label: [], directory: directory),
          path: Array(names.reversed().joined(separator: [.slash])), mark: nil)
      }
      // Then folders that are met one after the other have the beginning of their ways in common.
      if way == .inotify { break }
      names.append(tree[next].name)
      next = tree[next].parent
    }
    return .path(root: roots[Int(tree.root(of: folder))], path: tree.path(of: folder), mark: nil)
  }
}
