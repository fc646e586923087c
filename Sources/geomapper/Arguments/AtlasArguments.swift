/// What the commands that ask the map take, as it was typed.
struct AtlasArguments {
  /// `[LABEL=]DIR`
  var roots: [[UInt8]] = []
  var isFolder: Bool?
  var counts = false
  var radius: Double?
  var limit: Int?
  var isCoprocess = false
}
