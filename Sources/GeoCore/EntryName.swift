/// What the name of a file or folder may be.
///
/// Every name that comes from outside, but for those of a listing, is looked at where it comes in:
/// in labels, deeds, lists, questions and maps that are checked.
public enum EntryName {
  /// Whether the bytes can be the name of an entry: there are some, ``NameRecord/longestName`` at
  /// most, none of them is `/` or zero, and they are neither `.` nor `..`.
  ///
  /// - Complexity: O(count).
  @inlinable
  public static func isValid(_ bytes: some Collection<UInt8>) -> Bool {
    let count = bytes.count
    if count == 0 || count > NameRecord.longestName { return false }
    if count <= 2, bytes.allSatisfy({ $0 == UInt8(ascii: ".") }) { return false }
    return !bytes.contains { $0 == UInt8(ascii: "/") || $0 == 0 }
  }

  /// The same of bytes that lie elsewhere.
  ///
  /// - Complexity: O(count), eight bytes at a time.
  @inlinable
  public static func isValid(_ bytes: Span<UInt8>) -> Bool {
    let count = bytes.count
    if count == 0 || count > NameRecord.longestName { return false }
    if bytes[0] == UInt8(ascii: "."), count == 1 || count == 2 && bytes[1] == UInt8(ascii: ".") {
      return false
    }
    return canBePart(bytes)
  }

  /// Whether the bytes can be part of a name: none of them is `/` or zero.
  ///
  /// - Complexity: O(count), eight bytes at a time.
  @inlinable
  public static func canBePart(_ bytes: Span<UInt8>) -> Bool {
    let count = bytes.count
    var index = 0
    while index + 8 <= count {
      if holdsEnd(bytes.loadWord(at: index)) { return false }
      index += 8
    }
    // Of the last eight bytes some may be looked at twice.
    if index > 0 { return !holdsEnd(bytes.loadWord(at: count - 8)) }
    while index < count {
      if bytes[index] == UInt8(ascii: "/") || bytes[index] == 0 { return false }
      index += 1
    }
    return true
  }

  /// Whether any of eight bytes ends a name.
  @inlinable
  static func holdsEnd(_ word: UInt64) -> Bool {
    hasZero(word) || hasZero(word ^ 0x2F2F_2F2F_2F2F_2F2F)
  }

  /// Whether any of eight bytes is zero (Mycroft 1987).
  @inlinable
  static func hasZero(_ word: UInt64) -> Bool {
    (word &- 0x0101_0101_0101_0101) & ~word & 0x8080_8080_8080_8080 != 0
  }
}
