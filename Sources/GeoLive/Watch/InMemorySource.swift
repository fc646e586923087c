import GeoCore
import GeoSystem
import GeoTree

/// The known state of trees as a source, in place of the disk, so that a map can be made of it and
/// shows places at that moment.
///
/// Metadata and contents of files are read from the disk. Used by the thread that updates the tree.
package final class InMemorySource: TreeSource, @unchecked Sendable {
  // Sendable: the tree and all its readers are used by one thread.
  private let tree: KnownTree
  private let disk: [ScanRoot]

  package init(_ tree: KnownTree, disk: [ScanRoot]) {
    self.tree = tree
    self.disk = disk
  }

  package func check(_ root: ScanRoot) throws(Errno) {}

  package func session(
    _ options: FileSystemScanner.Options, readers: Int
  ) -> any TreeSession {
    KnownSession(tree, disk: disk, options)
  }
}

private final class KnownSession: TreeSession, @unchecked Sendable {
  // Sendable: see the source.
  let tree: KnownTree
  let disk: [ScanRoot]
  let options: FileSystemScanner.Options

  init(_ tree: KnownTree, disk: [ScanRoot], _ options: FileSystemScanner.Options) {
    self.tree = tree
    self.disk = disk
    self.options = options
  }

  func makeReader() -> any FolderReader { KnownReader(self) }

  func stamp(of folder: FolderReference) -> ListingStamp? {
    guard case .path(_, let path, _) = folder else { return nil }
    if let number = tree.folder(at: path) { return stamp(of: number) }
    // The path may be that of a file, such as `.gitignore`.
    guard let above = path.parentPath,
      let parent = tree.folder(at: Array(above)),
      let file = tree[parent].files.find(Array(path.lastComponent))
    else { return nil }
    return ListingStamp(
      identity: FileSystem.Identity(device: 1, inode: UInt64(file.stamp)), seconds: file.size)
  }

  func stamp(of folder: Int32) -> ListingStamp {
    ListingStamp(
      identity: FileSystem.Identity(device: 0, inode: UInt64(folder)),
      seconds: Int64(bitPattern: tree[folder].version))
  }
}

private final class KnownReader: FolderReader {
  private let session: KnownSession
  private var path: [UInt8] = []
  /// For what the tree doesn't know.
  private var disk: (any FolderReader)?

  init(_ session: KnownSession) { self.session = session }

  func list(_ folder: FolderReference, into listing: inout FolderListing) {
    listing.removeAll()
    guard let number = find(folder), session.tree[number].isListed else {
      listing.failure = .unreadable(.noEntry)
      return
    }
    listing.outcome = .listed
    let known = session.tree[number]
    for child in known.folders {
      listing.folders.append(session.tree[child].name.span, kind: .directory)
    }
    known.files.forEach { name, file in listing.files.append(name.span, kind: file.kind) }
    listing.files.sort()
    listing.stamp = session.stamp(of: number)
  }

  func inspect(_ folder: FolderReference, into listing: inout FolderListing) {
    listing.removeAll()
    if find(folder) == nil { listing.failure = .unreadable(.noEntry) }
  }

  func enter(_ folder: FolderReference) throws(Errno) {
    if find(folder) == nil { throw .noEntry }
  }

  private func find(_ folder: FolderReference) -> Int32? {
    guard case .path(_, let path, _) = folder else { return nil }
    self.path = path
    return session.tree.folder(at: path)
  }

  private func enterDisk() throws(Errno) -> any FolderReader {
    let label = path.firstComponent
    guard let root = session.disk.first(where: { $0.label.elementsEqual(label) }) else {
      throw .noEntry
    }
    // Always a new reader, as folders that the last one has open may have moved.
    let reader = DiskSource.shared.session(session.options, readers: 1).makeReader()
    try reader.enter(.path(root: root, path: path, handle: nil))
    disk = reader
    return reader
  }

  func readFacts(
    of names: NameTable, _ range: Range<Int>, into facts: inout [EntryFacts],
    storage: inout [FileStorage], failures: inout [FileSystem.Failure]
  ) {
    do throws(Errno) {
      try enterDisk().readFacts(
        of: names, range, into: &facts, storage: &storage, failures: &failures)
    } catch {
      for position in facts.indices where facts[position].status != .hidden {
        facts[position].status = .unreadable
      }
    }
  }

  func readFile(
    _ path: [UInt8], following: Bool, limit: Int
  ) throws(Errno) -> [UInt8]? {
    try enterDisk().readFile(path, following: following, limit: limit)
  }

  func keep() -> any KeptFolder { KeptPath() }

  func leave() { disk = nil }
}

/// The tree needs no state for a kept folder.
private final class KeptPath: KeptFolder {}
