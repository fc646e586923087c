import GeoCore
import GeoFormats
import GeoSystem
import GeoTree

/// What first passes have added up for the folders of a map.
struct MapSums: Sendable {
  let layers: LayerSet?
  /// The totals of all folders; nil if not requested.
  var totals: TreeTotals?
  /// What all folders say of the layers; nil without layers.
  var ofLayers: TreeTotals?

  init(layers: LayerSet?) { self.layers = layers }

  enum Kind { case totals, layers, both }

  mutating func set(_ totals: TreeTotals, _ kind: Kind) {
    if kind != .layers { self.totals = totals }
    if kind != .totals { ofLayers = totals }
  }
}

extension LayerSet {
  /// Checks that no layer has the name of a member of the map.
  package func checkNames() throws(MapError) {
    do throws(Failure) {
      try schema.checkNames()
    } catch {
      throw .layer(error.message)
    }
  }

  /// For each layer with values that have no node, how many. All must have been read.
  package func unmatchedValues() throws(MapError) -> [UnmatchedValues] {
    let unmatched = try rethrowing(unmatched(), as: MapError.noScratch)
    return zip(schema.layers, unmatched.counts).compactMap { layer, count in
      count > 0 ? UnmatchedValues(layer: layer.name, count: count) : nil
    }
  }
}
