import GeoPath

/// Places the folders and files of a world, by their names alone.
///
/// The engine is a value of three parameters (the layout, the sea and the roots' places); every
/// method is a pure function of them and its arguments.
public struct GeoProjectionEngine: Sendable {
  /// The version of the projection. Another version is another world.
  public static let version = 1

  /// How sub-folders come by their land.
  public let layout: Layout
  /// The places of the roots, in the order of the labels that the engine was made with.
  public let roots: [FolderPlace]
  /// How the plan is bent into the map.
  public let chart: Chart
}
