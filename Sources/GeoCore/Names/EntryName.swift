/// The rules for names of files and folders.
///
/// Every name from outside is checked where it enters: in labels, lists, queries
/// and maps. Only names from directory listings are trusted.
public enum EntryName {
  /// Whether the bytes can be the name of an entry: between 1 and ``NameRecord/longestName`` bytes,
  /// without `/` and zero, and neither `.` nor `..`.
  ///
  /// - Complexity: O(count).
  @inlinable
  public static func isValid(_ bytes: some Collection<UInt8>) -> Bool {
    let count = bytes.count
    if count == 0 || count > NameRecord.longestName { return false }
    if count <= 2, bytes.allSatisfy({ $0 == UInt8(ascii: ".") }) { return false }
    return !bytes.contains { $0 == UInt8(ascii: "/") || $0 == 0 }
  }

  /// Whether the bytes can be the name of an entry, by the same rules.
  ///
  /// - Complexity: O(count), eight bytes at a time.
  @inlinable
  package static func isValid(_ bytes: Span<UInt8>) -> Bool {
    let count = bytes.count
    if count == 0 || count > NameRecord.longestName { return false }
    if bytes[0] == UInt8(ascii: "."), count == 1 || count == 2 && bytes[1] == UInt8(ascii: ".") {
      return false
    }
    return canBePart(bytes)
  }

  /// Whether the bytes can be part of a name: they have no `/` and no zero.
  ///
  /// - Complexity: O(count), eight bytes at a time.
  @inlinable
  package static func canBePart(_ bytes: Span<UInt8>) -> Bool {
    let count = bytes.count
    var index = 0
    while index + 8 <= count {
      if holdsEnd(bytes.loadWord(at: index)) { return false }
      index += 8
    }
    // Some of the last eight bytes may be checked twice.
    if index > 0 { return !holdsEnd(bytes.loadWord(at: count - 8)) }
    while index < count {
      if bytes[index] == UInt8(ascii: "/") || bytes[index] == 0 { return false }
      index += 1
    }
    return true
  }

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

/// The kind of an entry.
@frozen public enum EntryKind: UInt8, Sendable {
  /// A regular file.
  case regular
  /// A directory.
  case directory
  /// A symbolic link, to any target.
  case symlink
  /// A named pipe.
  case fifo
  /// A socket.
  case socket
  /// A block device.
  case block
  /// A character device.
  case character
  /// The kind is unknown and could not be read.
  case unknown
}

/// The facts about an entry, besides its name.
@frozen public struct EntryFacts: BitwiseCopyable, Sendable, Equatable {
  /// Which facts are known, and how the entry is shown.
  @frozen public enum Status: UInt8, Sendable {
    /// The metadata was read: ``EntryFacts/size`` and ``EntryFacts/modified`` are valid.
    case known
    /// Only ``EntryFacts/size`` is valid, as in a list with sizes.
    case sized
    /// Metadata was not requested: the entry is shown without it.
    case unasked
    /// The metadata could not be read: the entry is shown and marked.
    case unreadable
    /// A filter leaves the entry out: it is neither read nor shown.
    case hidden
    /// The entry vanished or became a folder after it was listed: it is not shown.
    case vanished

    @inlinable package var hasSize: Bool { self == .known || self == .sized }
  }

  /// The size of a file in bytes.
  public var size: Int64
  /// Unix time of the last modification in whole seconds, rounded down; negative before 1970.
  public var modified: Int64
  /// Which facts are known.
  public var status: Status
  /// The kind of the entry.
  public var kind: EntryKind
  /// Why the source leaves the entry out, if it does and the reason is known. The status is then
  /// `hidden`.
  public var leftOut: ExclusionReason?
  /// The number of a file's hard links, if requested; otherwise 0.
  public var links: UInt32

  /// Creates facts from their values.
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
    leftOut = nil
  }

  /// Hides the entry because the source leaves it out.
  @inlinable
  package mutating func leaveOut(for reason: ExclusionReason?) {
    status = .hidden
    leftOut = reason
  }
}
