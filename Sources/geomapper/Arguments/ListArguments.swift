import GeoSources

/// The options of a list that is read in place of a disk, as they were typed.
struct ListArguments {
  /// `-` for standard input.
  var file: [UInt8]?
  var format: ListFormat?
  var isZeroSeparated = false
}
