/// Some of the lots of a folder's countryside, by their numbers: 0 to 15.
///
/// A lot is what the cuts at the first bits of a key leave, whoever lives there.
@frozen public struct LotSet: OptionSet, BitwiseCopyable, Hashable, Sendable {
  /// A bit for each lot, the lowest for lot 0.
  public var rawValue: UInt16

  /// The lots of some bits.
  @inlinable
  public init(rawValue: UInt16) { self.rawValue = rawValue }

  /// One lot alone.
  package init(lot: Int) { rawValue = 1 &<< UInt16(truncatingIfNeeded: lot) }

  /// All lots that so many cuts make.
  package init(lotBits: Int) { rawValue = UInt16(truncatingIfNeeded: 1 << (1 << lotBits) - 1) }

  /// The lots that sub-folders take, those with land and those without.
  ///
  /// - Parameters:
  ///   - folders: All sub-folders of one folder, whether or not they are shown.
  ///   - depth: The depth of the folder that they are in.
  /// - Complexity: O(n).
  package init(takenBy folders: [FolderPlace], depth: Int32) {
    self.init()
    let lotBits = ShareOut.lotBits(depth: depth)
    for folder in folders { formUnion(LotSet(lot: ShareOut.lot(of: folder.key, bits: lotBits))) }
  }

  /// How many there are, 0 to 16.
  package var count: Int { rawValue.nonzeroBitCount }

  /// Whether any of the lots of some numbers is one of them.
  func hasAny(of numbers: Range<Int>) -> Bool {
    rawValue >> UInt16(numbers.lowerBound) & (1 << UInt16(numbers.count) - 1) != 0
  }
}
