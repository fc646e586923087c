import GeoCore
import GeoSystem

/// A list of paths as the source of a tree.
public struct ListSource: Sendable, Hashable {
  package var file: [UInt8]?
  /// The format of the list.
  public var format = ListFormat.lines
  /// Whether a zero byte instead of a line feed follows each path.
  public var isZeroSeparated = false
  /// Whether it is one JSON value, which the first byte of a listing of restic decides.
  var isOneValue = false
  /// For sorting entries, in bytes; more are sorted in a scratch file.
  package var memory = 192 << 20

  package init(file: [UInt8]?) { self.file = file }
}

/// The format of a list: those file formats that have paths to read.
public struct ListFormat: Hashable, Sendable {
  private let file: FileFormat

  private init(_ file: FileFormat) { self.file = file }

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

  package static let allCases = FileFormat.reading(.paths).map { ListFormat($0) }

  package var rawValue: String { file.rawValue }

  package var isExport: Bool { file.isJSON }

  package var canHaveZeros: Bool { self == .lines || self == .find }

  /// Listings of backups, archives and clouds have a folder of their own.
  package var isListing: Bool {
    [.restic, .borg, .rclone, .mtree, .tar, .unzip].contains(self)
  }

  func separator(zero: Bool) -> UInt8 {
    zero && canHaveZeros || self == .find ? 0 : UInt8(ascii: "\n")
  }
}

package enum ListError: SourceError {
  case unreadable(list: String, Errno)
  case noScratch(Errno)
  case changed(list: String)
  /// Its folders, or the bytes of their names, exceed 32-bit numbers.
  case tooLarge(list: String)
  case ambiguous(list: String, [ListFormat])

  package var failure: Failure {
    switch self {
    case .unreadable(let list, let reason):
      return Failure(.source, "can't read the list '\(list)': \(reason)")
    case .noScratch(let reason): return .noScratch("keep a part of the list on disk", reason)
    case .changed(let list):
      return .damage(
        "the list '\(list)' was changed while it was read; try again when it is complete")
    case .ambiguous(let list, let formats):
      let names = formats.map(\.rawValue).joined(separator: " or ")
      return Failure(.source, "the list '\(list)' may be of \(names): choose one")
    case .tooLarge(let list):
      return Failure(.source, "the list '\(list)' has too many folders for one map")
    }
  }
}

extension ListSource {
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
