import GeoCore
import GeoSystem
import GeoTree
import Synchronization

/// A list of paths in the place of a folder on a disk.
///
/// The entries may stand in any order, and folders need no entry of their own. One that can't be
/// used is a `ScanFault` and never stops the scan.
///
/// It is read in the order of the map, without an index. Measured on a million files in order: to keep them as a
/// snapshot first and read that takes 1.4 times as long. What has to read here and there, or more than once, does
/// keep them so: see `MapPipeline.index`.
///
/// Memory: 35 bytes and the name for each folder, its share of a hash table (5 to 11 bytes), and 8 more while they
/// are put in order; ``ListSource/memory`` for the entries; the entries of one folder. Disk, unlinked and in
/// `TMPDIR`: what comes through a pipe, and 32 bytes and the name for each entry that doesn't fit into memory.
///
/// Complexity: O(n log n) for n entries, two readings; a list in the order of the map is not sorted.
package final class ListTree: TreeSource {
  private let list: ListSource
  private let input: OneShotChannel

  /// Opens a list, which can be read once.
  ///
  /// - Throws: ``ListError/unreadable(list:_:)``.
  package init(opening list: ListSource) throws(ListError) {
    self.list = list
    input = OneShotChannel(try ListInput(opening: list))
  }

  /// What the paths of the list begin with need not be there.
  package func check(_ root: ScanRoot) {}

  package func session(_ options: FileSystemScanner.Options, readers: Int) -> any TreeSession {
    ListSession(list, input, options)
  }

  package var isSequential: Bool { true }

  package var record: SourceRecord? { SourceRecord(origin: .list) }
}

/// A list while it is read.
private final class ListSession: TreeSession {
  private let list: ListSource
  private let input: OneShotChannel
  private let options: FileSystemScanner.Options

  init(_ list: ListSource, _ input: OneShotChannel, _ options: FileSystemScanner.Options) {
    (self.list, self.input, self.options) = (list, input, options)
  }

  func makeReader() -> any FolderReader {
    if list.format.isExport { return ListReader<ExportParser>(list, input.take(), options) }
    return list.format == .find
      ? ListReader<RecordParser<FindSyntax>>(list, input.take(), options)
      : ListReader<RecordParser<LineSyntax>>(list, input.take(), options)
  }

  func stamp(of folder: FolderReference) -> ListingStamp? { nil }
}

/// Hands an opened list to the one thread that reads it.
private final class OneShotChannel: Sendable {
  private let input: Mutex<ListInput?>

  init(_ input: sending ListInput) { self.input = Mutex(input) }

  /// The list, the first time.
  func take() -> sending ListInput? {
    input.withLock { input in
      let taken = input
      input = nil
      return taken
    }
  }
}
