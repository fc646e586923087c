import GeoCore
import GeoProjection

/// A node of the map with all that is known of it.
package struct MapNode: Sendable {
  /// A folder on the way to the node.
  package struct Ancestor: Sendable {
    package var path: [UInt8]
    package var place: FolderPlace
  }

  /// What the node is.
  package enum Body: Sendable {
    case folder(FolderPlace, entries: Int?, modified: Int64?, isUnreadable: Bool)
    case file(FilePlace, City, EntryFacts)
  }

  /// The root's label and names, joined by `/`.
  package var path: [UInt8]
  /// The folders that it is in, the root first.
  package var ancestors: [Ancestor]
  package var body: Body

  /// 0 for a root.
  package var depth: Int { ancestors.count }

  /// The name, the last component of the path.
  package var name: ArraySlice<UInt8> {
    path.lastComponent
  }

  package var id: UInt64 {
    switch body {
    case .folder(let place, _, _, _): place.id
    case .file(let place, _, _): place.id
    }
  }

  package var kind: NodeKind {
    switch body {
    case .folder(let place, _, _, _): place.kind
    case .file: .poi
    }
  }

  /// nil if it takes a listing to know it, and there is none.
  package var minzoom: UInt8? {
    let zoom =
      switch body {
      case .folder(let place, _, _, _): place.minzoom
      case .file(_, let city, _): city.minzoom
      }
    return zoom == Minzoom.unknown ? nil : zoom
  }

  /// Where it is, in integers of 10^-``digits`` degrees.
  package func coordinate(by engine: GeoProjectionEngine) -> Coordinate {
    switch body {
    case .folder(let place, _, _, _): engine.coordinate(of: place)
    case .file(let place, _, _): place.coordinate
    }
  }

  /// Decimals of its coordinate.
  package var digits: UInt8 {
    switch body {
    case .folder(let place, _, _, _): place.digits
    case .file(_, let city, _): city.digits
    }
  }
}
