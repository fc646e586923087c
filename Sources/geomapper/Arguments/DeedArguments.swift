/// What was typed for deeds and their parts.
struct DeedArguments {
  /// The deed to map.
  var deed: [UInt8]?
  /// Into how many deeds to split.
  var parts: Int?
  /// The roots of the world, as operands would be.
  var roots: [[UInt8]] = []
}
