import GeoEmit
import GeoProjection
import GeoTier

/// The options and operands as they were typed, each value by itself already looked at.
///
/// What is `nil` was not given. ``MapPlan`` says what follows from it.
struct LowArguments {
  var operands: [[UInt8]] = []

  var output: [UInt8]?
  var format: OutputFormat?
  var tippecanoe = false

  var layout: Layout?

  var zoom: Int?
  var box: BoundingBox?
  var maxDepth: Int?

  var threads: Int?
  var readsMetadata = true

  var progress: ProgressMode?
  var isQuiet = false
}

/// Whether the tool shows how far it is.
enum ProgressMode: String, CaseIterable {
  /// On a terminal only.
  case auto
  case always
  case never
}
