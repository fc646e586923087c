/// From which zoom on a node is visible.
package enum Minzoom {
  /// Stands for a zoom that only a listing could tell; no node has it.
  package static let unknown = UInt8.max

  /// The first zoom at which a folder is 8 pixels of a 512-pixel tile across.
  ///
  /// - Parameters:
  ///   - breadth: That of its territory, in units of the plan, above 0.
  ///   - depth: 0 for a root.
  ///   - parent: The parent's minzoom, 0 for a root.
  package static func folder(breadth: Int64, depth: Int32, parent: UInt8) -> UInt8 {
    max(UInt8(clamping: min(depth, 3)), parent, firstZoom(breadth: breadth, factor: 0))
  }

  /// The first zoom at which there is room for the files of a folder.
  ///
  /// - Parameters:
  ///   - breadth: That of the city, in units of the plan, above 0.
  ///   - crowd: How many files the city is reckoned with; less than 1 counts as 1.
  ///   - folder: The folder's own minzoom.
  package static func files(breadth: Int64, crowd: Int, folder: UInt8) -> UInt8 {
    max(3, folder, firstZoom(breadth: breadth, factor: ceilingOfLog4(crowd)))
  }

  /// How many files a city is reckoned with where others may live in lots: as many as it would have
  /// by its part of the core and that of the lots that are taken, and a quarter more, as lots are
  /// uneven.
  ///
  /// - Parameters:
  ///   - count: How many entries of the listing are no folders; beyond 2^53 it is 2^53.
  ///   - cityEighths: The city's part of the core, in eighths: 1 or 2.
  ///   - lotBits: How many cuts make the lots, 0 to 4.
  ///   - taken: How many lots sub-folders have.
  /// - Returns: At least 1.
  package static func crowd(files count: Int, cityEighths: Int, lotBits: Int, taken: Int) -> Int {
    // At most 53 bits times 5·8·16, which has 10.
    let shares = cityEighths << lotBits + (8 - cityEighths) * taken
    return max(1, (5 * min(max(count, 0), 1 << 53) * shares) >> (lotBits + 5))
  }

  /// The smallest zoom z with breadth·2^z ≥ 2^(56 + factor): 0 to 89.
  private static func firstZoom(breadth: Int64, factor: Int) -> UInt8 {
    UInt8(clamping: max(0, 57 + factor - (64 - breadth.leadingZeroBitCount)))
  }

  /// ⌈log4 count⌉, at most 32.
  private static func ceilingOfLog4(_ count: Int) -> Int {
    let bits = 64 - (max(count, 1) - 1).leadingZeroBitCount
    return (bits + 1) / 2
  }
}
