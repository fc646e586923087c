/// One name of a ``NameTable``: where its bytes lie in the arena, and what the entry is.
///
/// Sixteen bytes that can be sorted and moved as they are. The first eight bytes of the name are
/// kept in the record, so that most comparisons don't touch the arena.
@frozen public struct NameRecord: BitwiseCopyable, Sendable {
  /// The name's first eight bytes, the first in the highest place, padded with zeros.
  public let prefix: UInt64

  /// Offset (40 bits), length (16 bits) and kind (8 bits).
  @usableFromInline let packed: UInt64

  /// The longest name that a record can describe, in bytes.
  public static let longestName = 0xFFFF

  /// A record of the name at `offset` of the arena.
  ///
  /// - Parameters:
  ///   - prefix: The name's first eight bytes, big-endian, padded with zeros.
  ///   - offset: Where the name begins, below 2^40.
  ///   - length: Bytes of the name, at most ``longestName``.
  ///   - kind: What the entry is.
  @inlinable
  public init(prefix: UInt64, offset: Int, length: Int, kind: EntryKind) {
    precondition(offset >> 40 == 0 && length <= Self.longestName)
    self.prefix = prefix
    self.packed = UInt64(offset) << 24 | UInt64(length) << 8 | UInt64(kind.rawValue)
  }

  /// Where the name begins in the arena.
  @inlinable public var offset: Int { Int(truncatingIfNeeded: packed >> 24) }

  /// Bytes of the name.
  @inlinable public var length: Int { Int(truncatingIfNeeded: packed >> 8 & 0xFFFF) }

  /// Where the name lies in the arena.
  @inlinable public var range: Range<Int> { offset..<(offset + length) }

  /// What the listing says that the entry is.
  @inlinable public var kind: EntryKind {
    EntryKind(rawValue: UInt8(truncatingIfNeeded: packed)) ?? .unknown
  }
}
