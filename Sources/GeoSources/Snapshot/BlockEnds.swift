import GeoCore

/// Decides where blocks end.
///
/// A block that is long enough ends early, before a name with a rare hash. The hash depends on the
/// name and on its folder's name alone. So if a change moves everything after it, the blocks of two
/// snapshots soon end before the same names again, and from there on their bytes are equal.
package struct BlockEnds: Sendable {
  /// The hash of a name.
  typealias Mark = UInt32

  /// A block shorter than this doesn't end early, in bytes before compression.
  private let least: Int
  /// A block ends with the entry that makes it this long, in bytes before compression.
  private let most: Int
  /// One name in this many has a hash that ends a block.
  private let rarity: UInt64

  /// - Parameters:
  ///   - least: The length from which a block may end early, in bytes before compression.
  ///   - most: The length at which a block ends.
  ///   - rarity: One name in this many ends a block early.
  package init(least: Int = 16 * 1024, most: Int = 32 * 1024, rarity: UInt64 = 512) {
    (self.least, self.most, self.rarity) = (least, most, rarity)
  }

  /// The hash of a name (FNV-1a, folded).
  static func mark(of name: Span<UInt8>) -> Mark {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for index in 0..<name.count { hash = (hash ^ UInt64(name[index])) &* 0x100_0000_01B3 }
    return Mark(truncatingIfNeeded: hash ^ hash >> 32)
  }

  /// Whether a block of some length ends before an entry or a record.
  ///
  /// - Parameters:
  ///   - mark: The mark of the name of the entry, or of the record's folder.
  ///   - folder: The mark of the name of the folder that has it.
  @inline(__always)
  func isEnd(_ length: Int, before mark: @autoclosure () -> Mark, in folder: Mark) -> Bool {
    if length < least { return false }
    if length >= most { return true }
    let mixed = (UInt64(folder) << 32 | UInt64(mark())) &* 0x9E37_79B9_7F4A_7C15
    return (mixed ^ mixed >> 32) &* 0xBF58_476D_1CE4_E5B9 < .max / rarity
  }
}
