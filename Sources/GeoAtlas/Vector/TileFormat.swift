/// How a tile is written.
public enum TileFormat: Sendable, Hashable, CaseIterable {
  /// A Mapbox Vector Tile, version 2.1.
  case vector
  /// A collection of GeoJSON (RFC 7946).
  case geojson

  /// A tile in this format.
  ///
  /// - Complexity: O(size of the result).
  public func encode(_ content: TileContent) -> [UInt8] {
    switch self {
    case .vector: VectorTile.encode(content)
    case .geojson: GeoJSONTile.encode(content)
    }
  }
}
