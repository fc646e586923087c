import GeoAtlas

/// What the commands that ask the map take, as it was typed.
struct AtlasArguments {
  /// `[LABEL=]DIR`
  var roots: [[UInt8]] = []
  var format: AnswerFormat?
  var isFolder: Bool?
  var counts = false
  var radius: Double?
  var limit: Int?
  /// Which of what was found comes first; nil for what fits best.
  var order: MatchOrder?
  var isCoprocess = false
}

/// How an answer is written.
enum AnswerFormat: String, CaseIterable {
  /// For people.
  case text
  case geojson
  /// A route for navigation devices; `route` only.
  case gpx
}
