/// What the name of a file or folder may be.
///
/// Every name that comes from outside, but for those of a listing, is looked at where it comes in:
/// in labels, manifests, lists, questions and maps that are checked.
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

/// What an entry of a folder is.
///
/// Everything that is not a ``directory`` counts as a file; a symbolic link is one.
@frozen public enum EntryKind: UInt8, Sendable {
  /// A regular file.
  case regular
  /// A directory.
  case directory
  /// A symbolic link, wherever it leads.
  case symlink
  /// A named pipe.
  case fifo
  /// A socket.
  case socket
  /// A block device.
  case block
  /// A character device.
  case character
  /// The listing doesn't say, and nobody could be asked.
  case unknown
}

/// What is known of an entry beyond its name.
@frozen public struct EntryFacts: BitwiseCopyable, Sendable, Equatable {
  /// How the facts came about, and with it what becomes of the entry.
  @frozen public enum Status: UInt8, Sendable {
    /// The metadata was read: ``EntryFacts/size`` and ``EntryFacts/modified`` hold.
    case known
    /// Only ``EntryFacts/size`` holds: a list says no more.
    case sized
    /// Nobody asked for metadata: the entry is shown without.
    case unasked
    /// The metadata could not be read: the entry is shown and marked.
    case unreadable
    /// A filter leaves the entry out: it is neither looked at nor shown.
    case hidden
    /// The listing names it, but it was gone, or had become a folder: it is not shown.
    case vanished
  }

  /// Bytes of a file, as the system has them.
  public var size: Int64
  /// Unix time of the last change in whole seconds, rounded down; negative before 1970.
  public var modified: Int64
  /// How the facts came about.
  public var status: Status
  /// What the entry is.
  public var kind: EntryKind
  /// How many names a file has, where somebody asked for it; otherwise 0.
  public var links: UInt32

  /// Facts as they are given.
  @inlinable
  public init(
    size: Int64 = 0, modified: Int64 = 0, status: Status = .unasked, kind: EntryKind = .regular,
    links: UInt32 = 0
  ) {
    self.size = size
    self.modified = modified
    self.status = status
    self.kind = kind
    self.links = links
  }
}
