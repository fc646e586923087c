/// The formats a map is written in.
public enum OutputFormat: String, Sendable, CaseIterable {
  /// One GeoJSON `FeatureCollection` (RFC 7946), one feature to a line.
  case geojson
  /// A GeoJSON text sequence (RFC 8142): each feature between RS and LF.
  case geojsonseq
  /// GeoJSON features, one to a line.
  case geojsonl
  /// A table (RFC 4180), one node to a record.
  case csv
  /// GPX 1.1, one waypoint to a line.
  case gpx
  /// A page that shows the map, opens from disk and needs nothing else.
  case html

  /// Those that other programs read: all but the page.
  public static let interchange = allCases.filter { $0 != .html }

  /// Whether the features are GeoJSON.
  public var isGeoJSON: Bool {
    switch self {
    case .geojson, .geojsonseq, .geojsonl: true
    case .csv, .gpx, .html: false
    }
  }
}
