/// How a folder's territory is divided between its coast, its files and its sub-folders.
package struct Ground {
  /// The part of the core for the folder's own files.
  package let city: Quad
  /// The part of the core for its sub-folders.
  package let countryside: Quad

  package init(territory: Quad, seed: UInt64, depth: Int32) {
    let core = Self.core(of: territory, depth: depth)
    let share = Self.cityShare(depth: depth)
    if SplitMix64.number(seed, 1) >> 63 == 0 {
      (city, countryside) = core.cut(share, share)
    } else {
      (countryside, city) = core.cut(1 << 32 - share, 1 << 32 - share)
    }
  }

  /// The part of a territory that the folder's contents may use.
  package static func core(of territory: Quad, depth: Int32) -> Quad {
    territory.shrunk(by: depth <= 0 ? 28 : 12)
  }

  /// The lots of the countryside, in the order of their numbers.
  package func lots(seed: UInt64, bits: Int) -> [Quad] {
    var lots = [countryside]
    for bit in 0..<bits {
      lots = lots.enumerated().flatMap { number, quad in
        let key = UInt64(number) << UInt64(64 - bit)
        let (a, b) = quad.cut(atBit: bit, of: key, seed: seed)
        return [a, b]
      }
    }
    return lots
  }

  /// The city's part of the core, in units of 2^-32: an eighth for a root, a quarter below.
  package static func cityShare(depth: Int32) -> Int64 { depth <= 0 ? 1 << 29 : 1 << 30 }

  /// The quad that contains the files of the city: the city without its outskirts.
  package var frame: Quad { city.shrunk(by: 12) }

  /// The quad that contains the files of a lot.
  package static func frame(ofLot lot: Quad) -> Quad { lot.shrunk(by: 4) }

  /// The distance of a territory from the sides of its cell, in steps of 2^-7 of the way to its
  /// centre.
  private static let strip: Int64 = 3

  package static func territory(in cell: Quad) -> Quad { cell.shrunk(by: strip) }

  /// The cell around a territory, exact up to a few units.
  package static func cell(around territory: Quad) -> Quad { territory.grown(by: strip) }

  /// The least breadth of a territory, in units of the plan; with less a folder has no land.
  package static let horizon: Int64 = 1 << 22
}
