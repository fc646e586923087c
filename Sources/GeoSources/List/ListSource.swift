import GeoCore
import GeoSystem
import GeoTree
import Synchronization

/// A list of paths as the source of a tree.
public struct ListSource: Sendable, Hashable {
  /// The path of the list; nil for standard input.
  public var file: [UInt8]?
  /// The format of the list.
  public var format = ListFormat.lines
  /// Whether a zero byte instead of a line feed follows each path.
  public var isZeroSeparated = false
  /// Whether it is a single JSON value, which the first byte of a listing of restic decides.
  var isOneValue = false
  /// The memory for sorting entries, in bytes. Beyond it they are sorted in a scratch file.
  public var memory = 192 << 20

  /// Makes a list from a file; nil for standard input.
  public init(file: [UInt8]?) { self.file = file }
}

/// The format of a list: those file formats that have paths to read.
public struct ListFormat: RawRepresentable, Hashable, Sendable, CaseIterable {
  private let file: FileFormat

  private init(_ file: FileFormat) { self.file = file }

  /// The format with a name; nil if unknown.
  public init?(rawValue: String) {
    guard let format = Self.allCases.first(where: { $0.rawValue == rawValue }) else { return nil }
    self = format
  }

  /// One path per line.
  public static let lines = ListFormat(.lines)
  /// The output of `find -printf '%s %T@ %y %p\0'`.
  public static let find = ListFormat(.find)
  /// An export of ncdu, in JSON.
  public static let ncdu = ListFormat(.ncdu)
  /// An export of gdu, in the format of ncdu.
  public static let gdu = ListFormat(.gdu)

  /// The output of `restic ls --json`.
  public static let restic = ListFormat(.restic)
  /// The output of `borg list --json-lines`.
  public static let borg = ListFormat(.borg)
  /// The output of `rclone lsjson -R`.
  public static let rclone = ListFormat(.rclone)
  /// An mtree, as of `bsdtar --format=mtree`.
  public static let mtree = ListFormat(.mtree)
  /// The output of `tar -tv`.
  public static let tar = ListFormat(.tar)
  /// The output of `unzip -l`.
  public static let unzip = ListFormat(.unzip)

  /// All list formats.
  public static let allCases = FileFormat.reading(.paths).map { ListFormat($0) }

  /// The name on the command line.
  public var rawValue: String { file.rawValue }

  /// Whether the list is JSON.
  public var isExport: Bool { file.isJSON }

  /// Whether a zero byte can follow each entry.
  package var canHaveZeros: Bool { self == .lines || self == .find }

  /// Whether it is the listing of a backup, an archive or a cloud storage, which has a folder of
  /// its own.
  package var isListing: Bool {
    [.restic, .borg, .rclone, .mtree, .tar, .unzip].contains(self)
  }

  /// The byte after each entry of a list that is not an export.
  func separator(zero: Bool) -> UInt8 { zero || self == .find ? 0 : UInt8(ascii: "\n") }
}

/// Why a list can't be mapped.
public enum ListError: Error, CustomStringConvertible, Hashable, Sendable {
  /// It can't be opened, or be read to its end.
  case unreadable(list: String, Errno)
  /// The scratch file can't be written.
  case noScratch(Errno)
  /// It changed between two readings.
  case changed(list: String)
  /// Its folders, or the bytes of their names, exceed 32-bit numbers.
  case tooLarge(list: String)
  /// Its first bytes fit several formats.
  case ambiguous(list: String, [ListFormat])

  /// Says in one line what is wrong and what to do, safe for a terminal.
  public var description: String {
    switch self {
    case .unreadable(let list, let reason): return "can't read the list '\(list)': \(reason)"
    case .noScratch(let reason):
      return "can't keep a part of the list on disk: \(reason); "
        + "set TMPDIR to a folder that has room for it"
    case .changed(let list):
      return "the list '\(list)' was changed while it was read; try again when it is complete"
    case .ambiguous(let list, let formats):
      let names = formats.map(\.rawValue).joined(separator: " or ")
      return "the list '\(list)' may be of \(names): choose one with --list-format"
    case .tooLarge(let list): return "the list '\(list)' has too many folders for one map"
    }
  }
}

extension ListError: GroupedError {
  package var group: ErrorGroup {
    switch self {
    case .unreadable, .tooLarge, .ambiguous: .source
    case .changed: .damage
    case .noScratch: .output
    }
  }
}

extension ListSource {
  /// The path of the folder that an export is of; nil if it has no usable first entry.
  ///
  /// - Throws: ``ListError`` if it can't be read.
  package var topOfExport: [UInt8]? {
    get throws(ListError) {
      var parser = ExportParser(try ListInput(opening: self), self)
      var entry = ListedEntry()
      var faults: [ListFault] = []
      guard try parser.next(into: &entry, faults: &faults) == .entry else { return nil }
      return entry.path
    }
  }
}

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
  /// The list, with the format that it has.
  package let list: ListSource
  /// The folder that all entries are in, of a listing by a program that says which: `.` or `/` if
  /// they have none in common; nil for other lists.
  package let top: [UInt8]?
  /// Whether the list says which folder was listed, so that ``top`` is not a guess.
  package let hasOwnTop: Bool
  /// The time of the state that is listed in Unix seconds; nil if unknown.
  package let seconds: Int64?
  private let input: OneShotChannel

  /// Opens a list. It can be read once. A listing by another program is read to its end.
  ///
  /// - Parameters:
  ///   - isDetected: Whether the first bytes decide the format, instead of the source.
  ///   - listener: Called with the progress of reading a listing.
  /// - Throws: ``ListError``.
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

  /// Accepts any root: the paths of a list need not exist.
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

/// A reading session of a list.
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
