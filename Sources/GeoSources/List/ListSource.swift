import GeoCore
import GeoSystem

/// A list of paths that is read in place of a disk.
public struct ListSource: Sendable, Hashable {
  /// Where the list is; nil for standard input.
  public var file: [UInt8]?
  /// How the list is written.
  public var format = ListFormat.lines
  /// Whether a zero byte stands after each path in place of a line end; see
  /// ``ListFormat/separator(zero:)``.
  public var isZeroSeparated = false
  /// Bytes of memory that the entries may take; what doesn't fit is sorted in a scratch file.
  public var memory = 192 << 20

  /// A list in a file; on standard input if there is none.
  public init(file: [UInt8]?) { self.file = file }
}

/// How a list is written: the part of the list of formats that paths are read from.
public struct ListFormat: RawRepresentable, Hashable, Sendable, CaseIterable {
  private let file: FileFormat

  private init(_ file: FileFormat) { self.file = file }

  /// The format of a name; nil if there is none.
  public init?(rawValue: String) {
    guard let format = Self.allCases.first(where: { $0.rawValue == rawValue }) else { return nil }
    self = format
  }

  /// A path a line.
  public static let lines = ListFormat(.lines)
  /// The output of `find -printf '%s %T@ %y %p\0'`.
  public static let find = ListFormat(.find)
  /// An export of ncdu, in JSON.
  public static let ncdu = ListFormat(.ncdu)
  /// An export of gdu, which writes as ncdu does.
  public static let gdu = ListFormat(.gdu)

  /// All of them.
  public static let allCases = FileFormat.reading(.paths).map { ListFormat($0) }

  /// What the command line calls it.
  public var rawValue: String { file.rawValue }

  /// Whether the list is JSON.
  public var isExport: Bool { file.isJSON }

  /// What stands after each entry of a list that is no export.
  func separator(zero: Bool) -> UInt8 { zero || self == .find ? 0 : UInt8(ascii: "\n") }
}

/// Why a list can't be mapped at all.
public enum ListError: Error, Hashable, Sendable {
  /// It can't be opened, or be read to its end.
  case unreadable(list: String, Errno)
  /// What doesn't fit into memory can't be kept in a scratch file.
  case noScratch(Errno)
  /// Its bytes are not the same as when they were read before.
  case changed(list: String)
  /// There are more folders, or bytes in their names, than 32 bits can count.
  case tooLarge(list: String)
}

extension ListError: GroupedError {
  package var group: ErrorGroup {
    switch self {
    case .unreadable, .tooLarge: .source
    case .changed: .damage
    case .noScratch: .output
    }
  }

  /// What is wrong and what to do, in one line that is fit for a terminal.
  public var description: String {
    switch self {
    case .unreadable(let list, let reason): return "can't read the list '\(list)': \(reason)"
    case .noScratch(let reason):
      return "can't keep a part of the list on disk: \(reason); "
        + "set TMPDIR to a folder that has room for it"
    case .changed(let list):
      return "the list '\(list)' was changed while it was read; try again when it is complete"
    case .tooLarge(let list): return "the list '\(list)' has too many folders for one map"
    }
  }
}

extension ListSource {
  /// The path of the folder that an export is of; nil if there is nothing in it.
  ///
  /// - Throws: ``ListError`` if it can't be read.
  public var topOfExport: [UInt8]? {
    get throws(ListError) {
      var parser = ExportParser(try ListInput(opening: self), self)
      var entry = ListedEntry()
      var faults: [ListFault] = []
      guard try parser.next(into: &entry, faults: &faults) == .entry else { return nil }
      return entry.path
    }
  }
}
