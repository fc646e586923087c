import GeoCore

/// What the beginning of a file tells of the list in it: how it is written, and what its paths begin with.
public struct ListBeginning: Sendable, Hashable {
  /// Why a file that has paths in it can't be read as a list.
  public enum Refusal: Error, Sendable, Hashable {
    /// It is what find prints, with line ends in place of zero bytes.
    case findWithLineEnds
    /// It is what `git ls-tree` prints, with more than names.
    case gitTree
  }

  /// How it is written.
  public let format: ListFormat
  /// Whether a zero byte stands after each path.
  public let isZeroSeparated: Bool
  /// The folder that the list is of, if its first entry is that; else `/` or `.`, which paths that begin
  /// with a slash or don't are below of.
  public let top: [UInt8]

  /// Looks at the first bytes of a file; nil if they can't be of a list.
  ///
  /// In a list of lines no control character stands but tabs, line ends and zero bytes, so that files of
  /// other kinds are not taken for one. An export in JSON is known otherwise.
  ///
  /// - Parameter bytes: At least the first two entries, for the folder to be known.
  /// - Complexity: O(bytes).
  public init?(_ bytes: [UInt8]) throws(Refusal) {
    let isZeroSeparated = bytes.contains(0)
    let separator = isZeroSeparated ? 0 : UInt8(ascii: "\n")
    let first = bytes.prefix { $0 != separator }
    if first.isEmpty { return nil }
    let rest = bytes[first.endIndex...].dropFirst()
    let second = rest.prefix { $0 != separator }
    // What the last bytes cut off is no entry.
    let hasSecond = second.endIndex < bytes.endIndex && !second.isEmpty
    if Self.isGitTree(first) { throw .gitTree }
    var entry = ListedEntry()
    let isFind = FindSyntax.parse(first, isTerminated: true, into: &entry) == nil
    if isFind, !isZeroSeparated { throw .findWithLineEnds }
    let isTop: Bool
    if isFind {
      format = .find
      isTop = entry.facts.kind == .directory
    } else {
      guard Self.isText(bytes), !Self.isOfOtherKind(first) else { return nil }
      format = .lines
      _ = LineSyntax.parse(first, isTerminated: true, into: &entry)
      isTop = hasSecond
    }
    let path = entry.path
    var next: [UInt8]?
    if hasSecond {
      _ =
        isFind
        ? FindSyntax.parse(second, isTerminated: true, into: &entry)
        : LineSyntax.parse(second, isTerminated: true, into: &entry)
      next = entry.path
    }
    self.isZeroSeparated = isZeroSeparated
    if isTop, next.map({ Self.isBelow($0, path) }) ?? true {
      top = path
    } else {
      top = [path.first == .slash ? .slash : UInt8(ascii: ".")]
    }
  }

  private static func isText(_ bytes: [UInt8]) -> Bool {
    var before: UInt8 = 1
    for byte in bytes {
      if byte < 0x20, byte != 0, byte != 0x09, byte != 0x0A, byte != 0x0D { return false }
      if byte == 0, before == 0 { return false }
      before = byte
    }
    return true
  }

  /// Whether it is the first line of JSON, of XML or HTML, or of a table that geomapper writes.
  private static func isOfOtherKind(_ line: ArraySlice<UInt8>) -> Bool {
    ["{", "[", "<?xml", "<!", "path,kind,"].contains { line.starts(with: $0.utf8) }
  }

  /// Whether a path is below another.
  private static func isBelow(_ path: [UInt8], _ top: [UInt8]) -> Bool {
    let end = (top.lastIndex { $0 != .slash } ?? -1) + 1
    return path.count > end + 1 && path.starts(with: top[..<end]) && path[end] == .slash
  }

  /// Whether a record is a mode of six digits, a type, and an object.
  private static func isGitTree(_ record: ArraySlice<UInt8>) -> Bool {
    let words = record.split(separator: UInt8(ascii: " "), maxSplits: 2)
    guard words.count == 3, words[0].count == 6,
      words[0].allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "7")).contains($0) })
    else { return false }
    return ["blob", "tree", "commit"].contains { words[1].elementsEqual($0.utf8) }
  }
}
