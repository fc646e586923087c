import GeoCore
import GeoProjection

/// A node that a search found.
package struct NameHit: Sendable, OrderedMatch {
  /// The root's label and names, joined by `/`.
  package let path: [UInt8]
  package let kind: NodeKind
  package let id: UInt64
  /// Where it is, in integers of 10^-``digits`` degrees.
  package let coordinate: Coordinate
  package let digits: UInt8
  package let minzoom: UInt8
  /// How well its name fits; see ``NameMatch/score(_:left:depth:isFile:)``.
  package let score: Int
  /// Bytes of a file, and Unix time of the last change; nil where they are not known or wanted.
  package private(set) var size: Int64?
  package private(set) var modified: Int64?

  /// The name, the last component of the path.
  package var name: ArraySlice<UInt8> {
    path.lastComponent
  }

  init(
    _ place: FolderPlace, at path: [UInt8], score: Int, modified: Int64? = nil,
    by engine: GeoProjectionEngine
  ) {
    self.modified = modified
    self.path = path
    kind = place.kind
    id = place.id
    coordinate = engine.coordinate(of: place)
    digits = place.digits
    minzoom = place.minzoom
    self.score = score
  }

  init(
    file name: [UInt8], in folder: WorldFolder, score: Int, facts: EntryFacts? = nil,
    by engine: GeoProjectionEngine
  ) {
    if let facts {
      let isKnown = facts.status == .known
      if isKnown || facts.status == .sized { size = facts.size }
      if isKnown { modified = facts.modified }
    }
    let place = engine.placeFile(name.span, in: folder.city)
    path = folder.path(of: name)
    kind = .poi
    id = place.id
    coordinate = place.coordinate
    digits = folder.city.digits
    minzoom = folder.city.minzoom
    self.score = score
  }
}
