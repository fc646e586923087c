import GeoCore
import GeoSystem

/// A reader that changes some of what another reader gives, and passes on the rest.
package protocol WrappingReader: FolderReader {
  var inner: any FolderReader { get }
}

extension WrappingReader {
  package func begin(_ root: ScanRoot, reportingTo listener: any ReaderListener) {
    inner.begin(root, reportingTo: listener)
  }

  package func end() { inner.end() }

  package var failure: (any Error)? { inner.failure }
  package var openFolder: Int32? { inner.openFolder }
  package var versions: FileVersions? { inner.versions }

  package func leave() { inner.leave() }

  package func readFacts(
    of names: NameTable, _ range: Range<Int>, into facts: inout [EntryFacts],
    storage: inout [FileStorage], failures: inout [FactFailure]
  ) {
    inner.readFacts(of: names, range, into: &facts, storage: &storage, failures: &failures)
  }

  package func readObjects(
    of names: NameTable, _ range: Range<Int>, into objects: inout [ObjectID?]
  ) {
    inner.readObjects(of: names, range, into: &objects)
  }

  package func readFile(
    _ path: [UInt8], following: Bool, limit: Int
  ) throws(Errno) -> [UInt8]? {
    try inner.readFile(path, following: following, limit: limit)
  }
}
