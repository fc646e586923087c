import GeoAtlas

/// What the commands that ask the map take, as it was typed.
struct AtlasArguments {
  /// `[LABEL=]DIR`
  var roots: [[UInt8]] = []
  var isFolder: Bool?
  var counts = false
  var radius: Double?
  var limit: Int?
  /// Which of what was found comes first; nil for what fits best.
  var order: MatchOrder?
  var isCoprocess = false
}
