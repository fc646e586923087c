import GeoPath
import GeoScan
import GeoSystem

/// The disk, with a folder that was there a moment ago: so that the map can tell where it was.
///
/// It is for one thread.
package final class RecallingSource: TreeSource, @unchecked Sendable {
  // Sendable: the source and all readers of it are used by one thread.
  fileprivate var recalled: (folder: [UInt8], name: [UInt8])?

  /// Has a folder be there, whatever the disk says; nil for none.
  func recall(_ path: [UInt8]?) {
    recalled = path.flatMap { path in path.parentPath.map { (Array($0), Array(path.lastComponent)) }
    }
  }

  package func check(_ root: ScanRoot) throws(ScanRoot.Failure) {
    try DiskSource.shared.check(root)
  }

  package func session(_ options: FileSystemScanner.Options, readers: Int) -> any TreeSession {
    RecallingSession(self, DiskSource.shared.session(options, readers: readers))
  }
}

private final class RecallingSession: TreeSession {
  let source: RecallingSource
  let disk: any TreeSession

  init(_ source: RecallingSource, _ disk: any TreeSession) {
    self.source = source
    self.disk = disk
  }

  func makeReader() -> any FolderReader { RecallingReader(source, disk.makeReader()) }

  func witness(of folder: FolderReference) -> ListingWitness? {
    if case .path(_, let path, _) = folder, path == source.recalled?.folder { return nil }
    return disk.witness(of: folder)
  }
}

private final class RecallingReader: FolderReader {
  private let source: RecallingSource
  private let disk: any FolderReader

  init(_ source: RecallingSource, _ disk: any FolderReader) {
    self.source = source
    self.disk = disk
  }

  func list(_ folder: FolderReference, into listing: inout FolderListing) {
    disk.list(folder, into: &listing)
    guard case .path(_, let path, _) = folder, let recalled = source.recalled,
      path == recalled.folder, listing.folders.index(of: recalled.name) == nil
    else { return }
    listing.folders.append(recalled.name.span, kind: .directory)
    listing.folders.sort()
    // It is so for a moment only.
    listing.witness = nil
  }

  func look(at folder: FolderReference, into listing: inout FolderListing) {
    disk.look(at: folder, into: &listing)
  }
  func enter(_ folder: FolderReference) throws(Errno) { try disk.enter(folder) }
  func readFacts(
    of names: NameTable, _ range: Range<Int>, into facts: inout [EntryFacts],
    storage: inout [FileStorage], failures: inout [FileSystem.Failure]
  ) {
    disk.readFacts(of: names, range, into: &facts, storage: &storage, failures: &failures)
  }
  func readFile(_ path: [UInt8], following: Bool, limit: Int) throws(Errno) -> [UInt8]? {
    try disk.readFile(path, following: following, limit: limit)
  }
  func keep() -> any KeptFolder { disk.keep() }
  func leave() { disk.leave() }
  var openFolder: Int32? { disk.openFolder }
}
