import GeoCore

/// Places the folders and files of a world, by their names alone.
///
/// The engine is a value of three parameters (the layout, the sea and the roots' places); every
/// method is a pure function of them and its arguments, and may be called from any thread. Places
/// that are passed in must have come out of the same engine.
public struct GeoProjectionEngine: Sendable {
  /// The version of the projection. Another version is another world.
  public static let version = 2

  /// How sub-folders come by their land.
  public let layout: Layout
  /// The places of the roots, in the order of the labels that the engine was made with.
  public let roots: [FolderPlace]
  /// How the plan is bent into the map.
  public let chart: Chart

  /// An engine for the world of some roots.
  ///
  /// - Parameters:
  ///   - layout: How sub-folders come by their land.
  ///   - labels: The roots' labels, all distinct. Their order decides only that of ``roots``.
  /// - Throws: ``ProjectionError/landlessRoot(index:)`` for the first root that would have no land,
  ///   which takes labels that were crafted for it.
  /// - Complexity: O(n log n).
  public init(layout: Layout, labels: NameTable) throws(ProjectionError) {
    var roots: [FolderPlace] = []
    var sea: UInt64 = 0
    let bytes = labels.bytes.span
    for record in labels.records {
      let seed = XXH64.hash(bytes.extracting(record.range), seed: 0)
      sea &+= seed
      roots.append(FolderPlace(rootSeed: seed))
    }
    Self.share(.land, among: labels, seed: 0, lotBits: 0, into: &roots)
    for index in roots.indices where !roots[index].settle(inCell: roots[index].land, parent: 0) {
      throw .landlessRoot(index: index)
    }
    self.layout = layout
    self.roots = roots
    self.chart = Chart(sea: sea)
  }
}

/// Why a world can't be drawn.
public enum ProjectionError: Error, Sendable, Equatable {
  /// The root of the label at `index` would own no land.
  case landlessRoot(index: Int)
}
