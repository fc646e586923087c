import GeoFormats
import GeoPage
import GeoPipeline
import GeoProjection

/// How a comparison is written as a map.
public struct ChangeMapRequest: Sendable {
  /// What is compared.
  public var comparison: Comparison
  /// What both states are called, the old one first.
  public var states: [MapState]
  /// Which nodes are shown.
  public var filter = MapFilter()
  /// In which format: one that holds changes.
  package var format = FileFormat.geojson
  /// Whether it is a page, that opens from disk and needs nothing else. It has the folders in which
  /// nothing differs, too: they are the land on which all else stands.
  package var isPage: Bool { format == .html }

  /// The most nodes that there may be.
  public var mostNodes: Int { isPage ? StandalonePage.mostNodes : .max }

  /// The usual map of a comparison.
  public init(_ comparison: Comparison, states: [MapState]) {
    self.comparison = comparison
    self.states = states
  }
}
