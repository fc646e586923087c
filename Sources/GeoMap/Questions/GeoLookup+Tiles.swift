import Foundation
import GeoAtlas

extension GeoLookup {
  /// The deepest zoom at which there are tiles.
  public static let deepestTileZoom = TileAddress.deepest

  /// A tile of a web map of the world: all nodes that are visible at its zoom and lie in it, as
  /// `geomapper serve` has them; see <doc:Server>.
  ///
  /// Reads only the folders whose contents it may show.
  ///
  /// - Parameters:
  ///   - tile: Which tile.
  ///   - format: How it is written.
  /// - Returns: The tile, not compressed; of a vector tile in which there is nothing no bytes at all.
  ///   It is nil beyond ``deepestTileZoom``.
  public func tile(_ tile: MapTile, format: TileFormat = .vector) -> Data? {
    guard let address = TileAddress(zoom: tile.zoom, x: tile.x, y: tile.y),
      let made = world.tile(address)
    else { return nil }
    return Data(format.encode(made.content))
  }

  /// What tiles there are, as a client of a tile server is told it: TileJSON 3.0.
  ///
  /// - Parameter address: The address of a vector tile, with `{z}`, `{x}` and `{y}` in it.
  public func tileJSON(tiles address: String) -> Data {
    Data(TileJSON(name: world.title, tiles: address, bounds: world.bounds).encode())
  }

  /// How the tiles of any world are drawn: a style for MapLibre and QGIS, as JSON.
  ///
  /// - Parameters:
  ///   - address: The address of a vector tile, with `{z}`, `{x}` and `{y}` in it.
  ///   - hasNames: Whether names are drawn, for clients that need no glyphs of a server for it.
  public static func style(tiles address: String, hasNames: Bool = false) -> Data {
    var style = TileStyle(tiles: address)
    style.hasNames = hasNames
    return Data(style.encode())
  }
}
