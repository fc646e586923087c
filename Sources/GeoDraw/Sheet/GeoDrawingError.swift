import GeoCore

/// Why a sheet can't be drawn.
package enum GeoDrawingError: GeoError, Hashable {
  /// A side is not 80 to 2,000 mm, or more than three times the other.
  case badSize(width: Int, height: Int)
  /// The folder doesn't exist.
  case noFolder(path: String)
  /// The folder is too small to draw as an area.
  case noLand(path: String)
  /// The box crosses the antimeridian, or has no extent.
  case badBox
  /// No program can convert the sheet to PNG; with the reason in words.
  case noPNG(reason: String)

  package var group: ErrorGroup {
    if case .noPNG = self { .limit } else { .usage }
  }

  /// The error and what to do, in words.
  package var description: String {
    switch self {
    case .badSize(let width, let height):
      "a sheet of \(width) × \(height) mm can't be drawn: sides are 80 to 2,000 mm, and one is at "
        + "most three times the other"
    case .noFolder(let path): "the map has no folder '\(path)'"
    case .noLand(let path): "the folder '\(path)' has no land to draw; draw its parent"
    case .badBox: "a box that crosses the antimeridian or has no extent can't be drawn"
    case .noPNG(let reason): reason
    }
  }
}
