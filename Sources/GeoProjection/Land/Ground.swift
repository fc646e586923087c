/// How a folder's territory is divided between its coast, its files and its sub-folders.
package struct Ground {
  /// The part of the core for the folder's own files.
  package let city: Quad
  /// The part of the core for its sub-folders.
  package let countryside: Quad

  /// The ground of a folder that owns land.
  package init(territory: Quad, seed: UInt64, depth: Int32) {
    let core = Self.core(of: territory, depth: depth)
    let share: Int64 = depth <= 0 ? 1 << 29 : 1 << 30
    if SplitMix64.number(seed, 1) >> 63 == 0 {
      (city, countryside) = core.cut(share, share)
    } else {
      (countryside, city) = core.cut(1 << 32 - share, 1 << 32 - share)
    }
  }

  /// The part of a territory that the folder's contents may use.
  package static func core(of territory: Quad, depth: Int32) -> Quad {
    territory.shrunk(by: depth <= 0 ? 28 : 18)
  }

  /// The quad that the files are spread over: the city without its outskirts.
  package var frame: Quad { city.shrunk(by: 12) }

  /// How far a territory keeps from the sides of its cell, in steps of 2^-7 of the way to its centre.
  private static let strip: Int64 = 6

  /// The territory in a cell that a parent gave.
  package static func territory(in cell: Quad) -> Quad { cell.shrunk(by: strip) }

  /// The cell that a territory lies in, exact but for a few units.
  package static func cell(around territory: Quad) -> Quad { territory.grown(by: strip) }

  /// The least breadth of a territory, in units of the plan; with less a folder is landless.
  package static let horizon: Int64 = 1 << 22
}
