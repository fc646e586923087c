import GeoCore
import GeoTree
import GeoSystem

/// A folder as a snapshot has it: its own state, its listing, and what is known of its files.
package struct SnapshotListing: Sendable {
  /// A file that could not be read.
  package struct Failure: Sendable {
    package let index: Int
    package let reason: ScanFault.Reason
  }

  /// Whether there is a listing, whole or not.
  package var isListed = false
  /// Whether it is one of its own ancestors, reached by a link.
  package var isLoop = false
  /// Why the listing or the metadata could not be read.
  package var failure: ScanFault.Reason?
  /// Unix time of the last change.
  package var modified: Int64?
  /// Where it is known and was asked for.
  package var storage: FileStorage?

  /// Names of what is no folder, in byte order.
  package var files = NameTable()
  /// One for each file; `hidden` if the selection left it out.
  package var facts: [EntryFacts] = []
  /// One for each file, where it was asked for.
  package var fileStorage: [FileStorage] = []
  package var failures: [Failure] = []
  package var filesLeftOut: [LeftOutEntry] = []

  /// Names of sub-folders, in byte order.
  package var folders = NameTable()
  package var foldersLeftOut: [LeftOutEntry] = []

  package init() {}

  /// Adds room for what is known of more files.
  mutating func add(_ count: Int, _ state: EntryState, storage hasStorage: Bool) {
    facts.append(
      contentsOf: repeatElement(
        EntryFacts(status: state.facts, kind: state.kind), count: count))
    if hasStorage { fileStorage.append(contentsOf: repeatElement(.unknown, count: count)) }
  }

  mutating func removeAll() {
    (isListed, isLoop, failure, modified, storage) = (false, false, nil, nil, nil)
    files.removeAll()
    facts.removeAll(keepingCapacity: true)
    fileStorage.removeAll(keepingCapacity: true)
    failures.removeAll()
    filesLeftOut.removeAll()
    folders.removeAll()
    foldersLeftOut.removeAll()
  }
}
