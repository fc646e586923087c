/// Divides a quad among the sub-folders of one folder by the bits of their keys.
///
/// A cut depends on the folder, on the bits before it and on the quad, never on who lives there:
/// that is why a new neighbour moves only those that it has to be told apart from.
package struct ShareOut {
  /// Who asks for land.
  package struct Assignment: BitwiseCopyable {
    /// The first number of the folder's seed.
    package let key: UInt64
    /// Where it stands in the caller's order.
    package let index: Int

    package init(key: UInt64, index: Int) {
      self.key = key
      self.index = index
    }
  }

  /// The seed of the folder whose land it is; 0 for the land that roots share.
  let seed: UInt64
  /// How many cuts make the lots: they are made whoever lives there.
  let lotBits: Int

  package init(seed: UInt64, lotBits: Int) {
    self.seed = seed
    self.lotBits = lotBits
  }

  /// Bits of the lots of a folder at `depth`: 8 lots for a root, 16, 16, 8, 4, 2, then one.
  package static func lotBits(depth: Int32) -> Int {
    max(0, min(Int(depth) + 3, 4, 6 - Int(depth)))
  }

  /// The number of the lot that a folder takes: the first bits of its key.
  package static func lot(of key: UInt64, bits: Int) -> Int { Int(key >> UInt64(64 - bits)) }

  /// Gives every assignment its cell.
  ///
  /// The recursion is at most 64 levels deep for the bits of a key, and below that as deep as the
  /// binary logarithm of the number of folders whose keys are all equal.
  ///
  /// - Parameters:
  ///   - assignments: All siblings, sorted by key, those with equal keys by their names.
  ///   - quad: The land to share.
  ///   - places: The cell goes to `land` of the place at the assignment's index.
  /// - Complexity: O(n log n) for keys that are random.
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
    let first = assignments[range.lowerBound]
    var bit = bit
    if bit >= lotBits {
      if range.count == 1 {
        places[first.index].land = quad
        return
      }
      let difference = first.key ^ assignments[range.upperBound - 1].key
      if difference == 0 {
        let (a, b) = quad.cut(1 << 31, 1 << 31)
        let middle = range.lowerBound + range.count / 2
        share(a, assignments, range.lowerBound..<middle, bit: bit, &places)
        share(b, assignments, middle..<range.upperBound, bit: bit, &places)
        return
      }
      bit = difference.leadingZeroBitCount
    }
    let (a, b) = quad.cut(atBit: bit, of: first.key, seed: seed)
    let middle = firstSet(bit, assignments, range)
    share(a, assignments, range.lowerBound..<middle, bit: bit + 1, &places)
    share(b, assignments, middle..<range.upperBound, bit: bit + 1, &places)
  }

  /// Where those begin whose bit is 1; all before it agree in the higher bits.
  private func firstSet(_ bit: Int, _ assignments: Span<Assignment>, _ range: Range<Int>) -> Int {
    let mask: UInt64 = 1 << (63 - UInt64(bit))
    var (low, high) = (range.lowerBound, range.upperBound)
    while low < high {
      let middle = low + (high - low) / 2
      if assignments[middle].key & mask == 0 { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// The cell that eight cuts at the folder's own bits leave, whoever its siblings are.
  package static func pinnedCell(in countryside: Quad, seed: UInt64, key: UInt64) -> Quad {
    var cell = countryside
    for bit in 0..<8 {
      let (a, b) = cell.cut(atBit: bit, of: key, seed: seed)
      cell = key >> (63 - UInt64(bit)) & 1 == 0 ? a : b
    }
    return cell
  }
}

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

/// How the sub-folders of a folder come by their land.
public enum Layout: String, Sendable, CaseIterable {
  /// Siblings share the land out among themselves: nothing overlaps, at any depth.
  case settled
  /// A path alone decides its place: siblings whose names hash alike overlap.
  case pinned
}
