import GeoTree
import Synchronization

/// A list of paths as the source of a tree.
///
/// The entries can be in any order, and folders need no entries. An unusable entry is a `ScanFault`
/// and doesn't stop the scan.
///
/// It is read in map order, without an index. For a million files in order, converting the list to
/// a snapshot first took 1.4 times as long. Commands that read in any order, or more than once, do
/// convert it: see `MapPipeline.index`.
///
/// Memory: 31 bytes and the name for each folder, 5 to 11 bytes of a hash table, and 8 more while
/// sorting; ``ListSource/memory`` for the entries; the entries of one folder. Disk, unlinked in
/// `TMPDIR`: the bytes from a pipe, and 32 bytes and the name for each entry that exceeds the
/// memory.
///
/// Complexity: O(n log n) for n entries, in two readings; a list in map order is not sorted.
package final class ListTree: TreeSource {
  package let list: ListSource
  /// The folder that all entries of a listing are in: `.` or `/` if they have none in common; nil
  /// for other lists.
  package let top: [UInt8]?
  package let hasOwnTop: Bool
  package let seconds: Int64?
  private let input: OneShotChannel

  /// The list can be read once. A listing is read to its end here, with its progress. The first
  /// bytes decide the format instead of the source if it is to be detected.
  package init(
    opening list: ListSource, isDetected: Bool = false,
    listener: FileSystemScanner.PreparationListener? = nil
  ) throws(ListError) {
    let input = try ListInput(opening: list)
    var list = list
    if isDetected {
      let formats = ListFormat.fitting(
        try input.beginning(ListFormat.beginning, orFewerIf: ListFormat.areDecided))
      if formats.count > 1 { throw .ambiguous(list: input.name, formats) }
      list.format = formats.first ?? .lines
    }
    list.isOneValue = list.format.isExport && list.format != .borg
    if list.format == .restic {
      list.isOneValue = try input.beginning(1) { _ in true }.first == UInt8(ascii: "[")
    }
    self.list = list
    if list.format.isListing {
      input.listener = listener
      input.isReadOnce = true
      let kept = try KeptListing(input, list)
      (top, hasOwnTop, seconds) = (kept.top, kept.hasOwnTop, kept.head.seconds)
      input.replaceBytes(by: kept.entries)
    } else {
      (top, hasOwnTop, seconds) = (nil, false, nil)
    }
    self.input = OneShotChannel(input)
  }

  /// The paths of a list need not exist.
  package func check(_ root: ScanRoot) {}

  package func session(_ options: FileSystemScanner.Options, readers: Int) -> any TreeSession {
    ListSession(list, input, options)
  }

  package var isSequential: Bool { true }

  package var record: SourceRecord? {
    var record = SourceRecord(origin: .list)
    record.committed = seconds
    if list.format == .ncdu || list.format == .gdu {
      record.knowledge = [.links, .room, .identity]
    }
    return record
  }
}

private final class ListSession: TreeSession {
  private let list: ListSource
  private let input: OneShotChannel
  private let options: FileSystemScanner.Options

  init(_ list: ListSource, _ input: OneShotChannel, _ options: FileSystemScanner.Options) {
    (self.list, self.input, self.options) = (list, input, options)
  }

  func makeReader() -> any FolderReader {
    if list.format.isListing {
      return ListReader<KeptEntryParser>(list, input.take(), options)
    }
    if list.format.isExport { return ListReader<ExportParser>(list, input.take(), options) }
    return list.format == .find
      ? ListReader<RecordParser<FindSyntax>>(list, input.take(), options)
      : ListReader<RecordParser<LineSyntax>>(list, input.take(), options)
  }

  func stamp(of folder: FolderReference) -> ListingStamp? { nil }
}

/// Passes an opened list to the one thread that reads it.
private final class OneShotChannel: Sendable {
  private let input: Mutex<ListInput?>

  init(_ input: sending ListInput) { self.input = Mutex(input) }

  /// The list at the first call, then nil.
  func take() -> sending ListInput? {
    input.withLock { input in
      let taken = input
      input = nil
      return taken
    }
  }
}
