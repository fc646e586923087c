import GeoCore
import GeoTree
import GeoSystem

/// The disk, with a folder that was there a moment ago, and those around it: so that the map can tell where
/// it was.
///
/// It is for one thread.
package final class RecallingSource: TreeSource, @unchecked Sendable {
  // Sendable: the source and all readers of it are used by one thread.
  fileprivate var recalled: [UInt8]?

  /// Has the folder at a path be there, whatever the disk says; nil for none.
  func recall(_ path: [UInt8]?) { recalled = path }

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
    if case .path(_, let path, _) = folder, source.recalled?.isPath(atOrBelow: path) == true {
      return nil
    }
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
      recalled.isPath(atOrBelow: path)
    else { return }
    // It is so for a moment only.
    listing.witness = nil
    if listing.outcome != .listed {
      listing.removeAll()
      listing.outcome = .listed
    }
    let name = Array(recalled.dropFirst(path.count + 1).firstComponent)
    if name.isEmpty || listing.folders.index(of: name) != nil { return }
    listing.folders.append(name.span, kind: .directory)
    listing.folders.sort()
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
