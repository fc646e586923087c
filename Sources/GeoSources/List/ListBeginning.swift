import GeoCore

/// The format of a list and the prefix of its paths, detected from its first bytes.
package struct ListBeginning: Sendable, Hashable {
  package let format: ListFormat
  /// Whether a zero byte follows each path.
  package let isZeroSeparated: Bool
  /// The folder of the list if its first entry is that folder; otherwise `/` for absolute paths,
  /// `.` for relative ones.
  package let top: [UInt8]

  /// Nil if the first bytes, which have at least two entries to detect the folder, are not those of
  /// a list.
  ///
  /// A list of lines has no control characters except tabs, line ends and zero bytes, so other
  /// kinds of files are not mistaken for one. JSON exports are detected elsewhere.
  package init?(_ bytes: [UInt8], of file: [UInt8]) throws(Failure) {
    let isZeroSeparated = bytes.contains(0)
    let separator = isZeroSeparated ? 0 : UInt8(ascii: "\n")
    let first = bytes.prefix { $0 != separator }
    if first.isEmpty { return nil }
    let rest = bytes[first.endIndex...].dropFirst()
    let second = rest.prefix { $0 != separator }
    // The last entry may be cut off, so it doesn't count.
    let hasSecond = second.endIndex < bytes.endIndex && !second.isEmpty
    if Self.isGitTree(first) {
      throw .usage(
        "the list '\(TerminalText.escaped(file))' has more than names: make it with git ls-tree -r "
          + "--name-only, or read revisions themselves", option: ": git:REV")
    }
    var (find, entry) = (FindSyntax(), ListedEntry())
    let isFind = find.parse(first, isTerminated: true, into: &entry) == .entry
    if isFind, !isZeroSeparated {
      throw .usage(
        "the list '\(TerminalText.escaped(file))' has line ends where zero bytes should be: make it "
          + "with find -printf '%s %T@ %y %p\\0'")
    }
    if !isFind {
      guard Self.isText(bytes), !Self.isOfOtherKind(first) else { return nil }
    }
    format = isFind ? .find : .lines
    let isTop = isFind ? entry.facts.kind == .directory : hasSecond
    let path = isFind ? entry.path : Array(first)
    var next: [UInt8]?
    if hasSecond {
      if isFind { _ = find.parse(second, isTerminated: true, into: &entry) }
      next = isFind ? entry.path : Array(second)
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

  private static func isOfOtherKind(_ line: ArraySlice<UInt8>) -> Bool {
    ["{", "[", "<?xml", "<!", "path,kind,"].contains { line.starts(with: $0.utf8) }
  }

  private static func isBelow(_ path: [UInt8], _ top: [UInt8]) -> Bool {
    let end = (top.lastIndex { $0 != .slash } ?? -1) + 1
    return path.count > end + 1 && path.starts(with: top[..<end]) && path[end] == .slash
  }

  /// Whether a record is a line of `git ls-tree`: a mode of six digits, a type, and an object.
  private static func isGitTree(_ record: ArraySlice<UInt8>) -> Bool {
    let words = record.split(separator: UInt8(ascii: " "), maxSplits: 2)
    guard words.count == 3, words[0].count == 6,
      words[0].allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "7")).contains($0) })
    else { return false }
    return ["blob", "tree", "commit"].contains { words[1].elementsEqual($0.utf8) }
  }
}
