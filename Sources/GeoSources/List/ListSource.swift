import GeoCore
import GeoSystem

/// A list of paths as the source of a tree.
public struct ListSource: Sendable, Hashable {
  /// The path of the list; nil for standard input.
  package var file: [UInt8]?
  /// The format of the list.
  public var format = ListFormat.lines
  /// Whether a zero byte instead of a line feed follows each path.
  public var isZeroSeparated = false
  /// Whether it is a single JSON value, which the first byte of a listing of restic decides.
  var isOneValue = false
  /// The memory for sorting entries, in bytes. Beyond it they are sorted in a scratch file.
  package var memory = 192 << 20

  /// Makes a list from a file; nil for standard input.
  package init(file: [UInt8]?) { self.file = file }
}

/// The format of a list: those file formats that have paths to read.
public struct ListFormat: Hashable, Sendable {
  private let file: FileFormat

  private init(_ file: FileFormat) { self.file = file }

  /// The format with a name; nil if unknown.
  package init?(rawValue: String) {
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
  package static let allCases = FileFormat.reading(.paths).map { ListFormat($0) }

  /// The name on the command line.
  package var rawValue: String { file.rawValue }

  /// Whether the list is JSON.
  package var isExport: Bool { file.isJSON }

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
package enum ListError: Error, CustomStringConvertible, Hashable, Sendable {
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
  package var description: String {
    switch self {
    case .unreadable(let list, let reason): return "can't read the list '\(list)': \(reason)"
    case .noScratch(let reason):
      return Failure.noScratch("keep a part of the list on disk", reason).message
    case .changed(let list):
      return "the list '\(list)' was changed while it was read; try again when it is complete"
    case .ambiguous(let list, let formats):
      let names = formats.map(\.rawValue).joined(separator: " or ")
      return "the list '\(list)' may be of \(names): choose one"
    case .tooLarge(let list): return "the list '\(list)' has too many folders for one map"
    }
  }
}

extension ListError: GeoError {
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
