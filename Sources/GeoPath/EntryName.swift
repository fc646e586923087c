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
}
