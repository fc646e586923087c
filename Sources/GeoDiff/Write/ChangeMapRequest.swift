import GeoEmit
import GeoPipeline
import GeoTier

/// How a comparison is written as a map.
public struct ChangeMapRequest: Sendable {
  /// What is compared.
  public var comparison: Comparison
  /// What both states are called, the old one first.
  public var states: [MapState]
  /// Which nodes are shown.
  public var filter = MapFilter()
  /// In which format.
  public var format = ChangeFormat.geojson

  /// The usual map of a comparison.
  public init(_ comparison: Comparison, states: [MapState]) {
    self.comparison = comparison
    self.states = states
  }
}
