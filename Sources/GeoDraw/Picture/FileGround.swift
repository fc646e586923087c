import GeoProjection

/// The ground that the files of some lands stand on: their cities, and lots that no sub-folder has
/// taken.
struct FileGround: Sendable {
  private var rings: [Int32: [[Point]]] = [:]

  init(of map: LandMap, lands: Set<Int32>) {
    for land in lands {
      guard let city = map.tree.folders[Int(land)].city,
        map.tree.folders[Int(land)].ownFiles > 0
      else { continue }
      var frames = FileFrames(of: city)
      rings[land] = frames.quads().compactMap { $0 }.map { quad in
        map.view.drawn([quad.q0, quad.q1, quad.q2, quad.q3].map { map.tree.engine.chart($0) })
      }
    }
  }

  /// Whether a point is on the ground of a land's own files.
  func holds(_ point: Point, of land: Int32) -> Bool {
    rings[land]?.contains { Line.encloses($0, point) } ?? false
  }
}
