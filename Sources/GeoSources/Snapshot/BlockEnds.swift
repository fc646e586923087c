import GeoCore

/// Decides where blocks end.
///
/// A block that is long enough ends early, before a name with a rare hash. The hash depends on the
/// name and on its folder's name alone. So if a change moves everything after it, the blocks of two
/// snapshots soon end before the same names again, and from there on their bytes are equal.
package struct BlockEnds: Sendable {
  typealias NameHash = UInt32

  /// A block shorter than this doesn't end early, in bytes before compression.
  private let minimum: Int
  /// A block ends with the entry that makes it this long, in bytes before compression.
  private let maximum: Int
  /// One name in this many has a hash that ends a block.
  private let rarity: UInt64

  /// - Parameters:
  ///   - minimum: The length from which a block may end early, in bytes before compression.
  ///   - maximum: The length at which a block ends.
  ///   - rarity: One name in this many ends a block early.
  package init(minimum: Int = 16 * 1024, maximum: Int = 32 * 1024, rarity: UInt64 = 512) {
    (self.minimum, self.maximum, self.rarity) = (minimum, maximum, rarity)
  }

  /// The hash of a name (FNV-1a, folded).
  static func nameHash(of name: Span<UInt8>) -> NameHash {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for index in 0..<name.count { hash = (hash ^ UInt64(name[index])) &* 0x100_0000_01B3 }
    return NameHash(truncatingIfNeeded: hash ^ hash >> 32)
  }

  /// Whether a block of some length ends before an entry or a record.
  ///
  /// - Parameters:
  ///   - hash: The hash of the name of the entry, or of the record's folder.
  ///   - folder: The hash of the name of the folder that has it.
  @inline(__always)
  func isEnd(_ length: Int, before hash: @autoclosure () -> NameHash, in folder: NameHash) -> Bool {
    if length < minimum { return false }
    if length >= maximum { return true }
    let mixed = (UInt64(folder) << 32 | UInt64(hash())) &* 0x9E37_79B9_7F4A_7C15
    return (mixed ^ mixed >> 32) &* 0xBF58_476D_1CE4_E5B9 < .max / rarity
  }
}
