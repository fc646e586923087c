/// The order of tiles along Hilbert curves, one zoom after the other, as the PMTiles specification
/// (version 3, 4.1) numbers them: tiles that are near each other have numbers that are.
public enum HilbertCurve {
  /// How many tiles all zooms before one have, which is the number of its first tile.
  public static func first(ofZoom zoom: Int) -> UInt64 { ((1 << UInt64(2 * zoom)) - 1) / 3 }

  /// The number of a tile.
  ///
  /// - Complexity: O(zoom).
  public static func number(of tile: TileAddress) -> UInt64 {
    var (x, y) = (tile.x, tile.y)
    var number: UInt64 = 0
    for bit in (0..<tile.zoom).reversed() {
      let side = 1 << bit
      let (isEast, isSouth) = (x & side != 0, y & side != 0)
      number = number << 2 | (isEast ? (isSouth ? 2 : 3) : (isSouth ? 1 : 0))
      x &= side - 1
      y &= side - 1
      if isSouth { continue }
      if isEast { (x, y) = (side - 1 - x, side - 1 - y) }
      swap(&x, &y)
    }
    return first(ofZoom: tile.zoom) + number
  }

  /// The tile of a number; nil if its zoom is deeper than ``TileAddress/deepest``.
  ///
  /// - Complexity: O(zoom).
  public static func tile(_ number: UInt64) -> TileAddress? {
    guard number < first(ofZoom: TileAddress.deepest + 1) else { return nil }
    var zoom = 0
    while first(ofZoom: zoom + 1) <= number { zoom += 1 }
    var rest = number - first(ofZoom: zoom)
    var (x, y) = (0, 0)
    for bit in 0..<zoom {
      let side = 1 << bit
      let part = rest & 3
      rest >>= 2
      let (isEast, isSouth) = (part >= 2, part == 1 || part == 2)
      if !isSouth {
        if isEast { (x, y) = (side - 1 - x, side - 1 - y) }
        swap(&x, &y)
      }
      if isEast { x += side }
      if isSouth { y += side }
    }
    return TileAddress(zoom: zoom, x: x, y: y)
  }

  /// The four tiles within a tile in the order of the curve; none at the deepest zoom.
  public static func children(of tile: TileAddress) -> [TileAddress] {
    let parts = [(0, 0), (0, 1), (1, 1), (1, 0)].compactMap { (x, y) in
      TileAddress(zoom: tile.zoom + 1, x: 2 * tile.x + x, y: 2 * tile.y + y)
    }
    return parts.sorted { number(of: $0) < number(of: $1) }
  }
}
