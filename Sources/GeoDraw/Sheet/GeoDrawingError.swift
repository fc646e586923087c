import GeoCore

/// Why a sheet can't be drawn.
package enum GeoDrawingError: GeoError, Hashable {
  case badSize(width: Int, height: Int)
  case noFolder(path: String)
  case noLand(path: String)
  case badBox
  case noPNG(reason: String)

  package var group: ErrorGroup {
    if case .noPNG = self { .limit } else { .usage }
  }

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
