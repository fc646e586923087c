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
  /// Hears how far the list is read.
  package var listener: ListListener?

  /// A list in a file; on standard input if there is none.
  public init(file: [UInt8]?) { self.file = file }
}

/// Hears what part of a list is read, 0 to 1, and how many bytes where it is not known how many there are. It takes
/// no part in what a list is.
package struct ListListener: Sendable, Hashable {
  let tell: @Sendable (Double?, Int64) -> Void

  package init(_ tell: @escaping @Sendable (Double?, Int64) -> Void) { self.tell = tell }

  package static func == (a: Self, b: Self) -> Bool { true }

  package func hash(into hasher: inout Hasher) {}
}

/// How a list is written.
public enum ListFormat: String, Sendable, CaseIterable {
  /// A path a line.
  case lines
  /// The output of `find -printf '%s %T@ %y %p\0'`.
  case find
  /// An export of ncdu, in JSON.
  case ncdu
  /// An export of gdu, which writes as ncdu does.
  case gdu

  /// Whether the list is JSON.
  public var isExport: Bool { self == .ncdu || self == .gdu }

  /// What stands after each entry of a list that is no export.
  func separator(zero: Bool) -> UInt8 { zero || self == .find ? 0 : UInt8(ascii: "\n") }
}
