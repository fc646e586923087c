import GeoCore
import GeoSystem

/// A reader that changes some of what another reader gives, and passes on the rest.
protocol WrappingReader: FolderReader {
  /// The other reader.
  var inner: any FolderReader { get }
}

extension WrappingReader {
  func begin(_ root: ScanRoot, reportingTo listener: any ReaderListener) {
    inner.begin(root, reportingTo: listener)
  }

  func end() { inner.end() }

  var failure: (any Error)? { inner.failure }

  var openFolder: Int32? { inner.openFolder }

  var versions: FileVersions? { inner.versions }

  func leave() { inner.leave() }

  func readFacts(
    of names: NameTable, _ range: Range<Int>, into facts: inout [EntryFacts],
    storage: inout [FileStorage], failures: inout [FactFailure]
  ) {
    inner.readFacts(of: names, range, into: &facts, storage: &storage, failures: &failures)
  }

  func readObjects(of names: NameTable, _ range: Range<Int>, into objects: inout [ObjectID?]) {
    inner.readObjects(of: names, range, into: &objects)
  }

  func readFile(
    _ path: [UInt8], following: Bool, limit: Int
  ) throws(Errno) -> [UInt8]? {
    try inner.readFile(path, following: following, limit: limit)
  }
}
