/// Divides a quad among the sub-folders of one folder by the bits of their keys.
///
/// A cut depends on the folder, the bits before it and the quad, not on the sub-folders. So a new
/// sub-folder moves only those from which it has to be separated by a cut.
package struct ShareOut {
  package struct Assignment: BitwiseCopyable {
    /// The first number of the folder's seed.
    package let key: UInt64
    package let index: Int

    package init(key: UInt64, index: Int) {
      self.key = key
      self.index = index
    }
  }

  /// The seed of the folder that owns the land; 0 for the land that roots share.
  let seed: UInt64
  /// The number of cuts that make the lots. They are made even for empty lots.
  let lotBits: Int
  /// The number of cuts after which siblings share a cell; 65 if they never do.
  private let lastBit: Int

  package init(seed: UInt64, lotBits: Int) {
    self.seed = seed
    self.lotBits = lotBits
    lastBit = 65
  }

  /// Makes the cells of ``pinnedCell(in:seed:key:)``, which several siblings may have.
  init(seed: UInt64, pinnedBits: Int) {
    self.seed = seed
    lotBits = pinnedBits
    lastBit = pinnedBits
  }

  /// The number of bits of a lot's number at `depth`: 8 lots for a root, then 16, 16, 8, 4, 2, and
  /// 1.
  package static func lotBits(depth: Int32) -> Int {
    max(0, min(Int(depth) + 3, 4, 6 - Int(depth)))
  }

  /// The number of a sub-folder's lot: the first bits of its key.
  package static func lot(of key: UInt64, bits: Int) -> Int { Int(key >> UInt64(64 - bits)) }

  /// Computes the cell of every assignment.
  ///
  /// The recursion is at most 64 levels deep for the bits of a key, plus the binary logarithm of
  /// the number of folders whose keys are all equal.
  ///
  /// - Parameters:
  ///   - quad: The land to share.
  ///   - assignments: All siblings, sorted by key; those with equal keys by name.
  ///   - places: The cell is stored in `land` of the place at the assignment's index.
  /// - Complexity: O(n log n) for random keys.
  package func share(
    _ quad: Quad, among assignments: Span<Assignment>, into places: inout [FolderPlace]
  ) {
    share(quad, assignments, 0..<assignments.count, bit: 0, &places)
  }

  private func share(
    _ quad: Quad, _ assignments: Span<Assignment>, _ range: Range<Int>, bit: Int,
    _ places: inout [FolderPlace]
  ) {
    if range.isEmpty { return }
    guard let cut = cut(quad, assignments, range, bit: bit) else {
      places[assignments[range.lowerBound].index].land = quad
      return
    }
    share(cut.first, assignments, range.lowerBound..<cut.middle, bit: cut.bit, &places)
    share(cut.second, assignments, cut.middle..<range.upperBound, bit: cut.bit, &places)
  }

  /// A cut that separates siblings.
  struct Cut {
    let first: Quad
    let second: Quad
    /// The position of the first assignment of the second part.
    let middle: Int
    let bit: Int
  }

  /// The cut of a quad among the assignments of a range, which is not empty; nil if it is a cell.
  @inline(__always)
  func cut(
    _ quad: Quad, _ assignments: Span<Assignment>, _ range: Range<Int>, bit: Int
  ) -> Cut? {
    let first = assignments[range.lowerBound]
    var bit = bit
    if bit >= lotBits {
      if range.count == 1 || bit >= lastBit { return nil }
      let difference = first.key ^ assignments[range.upperBound - 1].key
      if difference == 0 {
        let (a, b) = quad.cut(1 << 31, 1 << 31)
        let middle = range.lowerBound + range.count / 2
        return Cut(first: a, second: b, middle: middle, bit: bit)
      }
      bit = difference.leadingZeroBitCount
    }
    let (a, b) = quad.cut(atBit: bit, of: first.key, seed: seed)
    return Cut(first: a, second: b, middle: firstSet(bit, assignments, range), bit: bit + 1)
  }

  /// The index of the first assignment whose bit is 1. All assignments of the range agree in the higher bits.
  private func firstSet(_ bit: Int, _ assignments: Span<Assignment>, _ range: Range<Int>) -> Int {
    let mask: UInt64 = 1 << (63 - UInt64(bit))
    var (low, high) = (range.lowerBound, range.upperBound)
    while low < high {
      let middle = low + (high - low) / 2
      if assignments[middle].key & mask == 0 { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// The cell left by eight cuts at the bits of the folder's key, independent of its siblings.
  package static func pinnedCell(in countryside: Quad, seed: UInt64, key: UInt64) -> Quad {
    var cell = countryside
    for bit in 0..<8 {
      let (a, b) = cell.cut(atBit: bit, of: key, seed: seed)
      cell = key >> (63 - UInt64(bit)) & 1 == 0 ? a : b
    }
    return cell
  }
}

/// A set of lots of a folder's countryside, by their numbers from 0 to 15.
///
/// A lot is what the cuts at the first bits of a key leave, whether or not a folder has it.
@usableFromInline package struct LotSet: OptionSet, BitwiseCopyable, Hashable, Sendable {
  /// A bit for each lot, the lowest for lot 0.
  @usableFromInline package var rawValue: UInt16

  @inlinable
  package init(rawValue: UInt16) { self.rawValue = rawValue }

  package init(lot: Int) { rawValue = 1 &<< UInt16(truncatingIfNeeded: lot) }

  /// All lots that a number of cuts makes.
  package init(lotBits: Int) { rawValue = UInt16(truncatingIfNeeded: 1 << (1 << lotBits) - 1) }

  /// The lots that sub-folders take, with or without land; all of them count, shown or not.
  ///
  /// - Complexity: O(n).
  package init(takenBy folders: [FolderPlace], depth: Int32) {
    self.init()
    let lotBits = ShareOut.lotBits(depth: depth)
    for folder in folders { formUnion(LotSet(lot: ShareOut.lot(of: folder.key, bits: lotBits))) }
  }

  package var count: Int { rawValue.nonzeroBitCount }

  func hasAny(of numbers: Range<Int>) -> Bool {
    rawValue >> UInt16(numbers.lowerBound) & (1 << UInt16(numbers.count) - 1) != 0
  }
}

/// How a folder's land is divided among its sub-folders.
public enum Layout: String, Sendable, CaseIterable {
  /// Siblings share the land: nothing overlaps, at any depth.
  case settled
  /// The path alone decides the place: siblings whose names hash to the same cell overlap.
  case pinned
}
