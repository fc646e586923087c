import GeoProjection

extension LandShaper {
  /// What something has of a rectangle, if it isn't a part.
  enum Share {
    case nothing
    case all

    /// What a ring has that was cut at the edges of a rectangle; nil if it is a part.
    init?(of ring: [TilePoint], in rectangle: TileRectangle) {
      if ring.isEmpty {
        self = .nothing
      } else if RingClipper.isAll(ring, of: rectangle) {
        self = .all
      } else {
        return nil
      }
    }
  }

  /// What a land has of the rectangle, drawn as at this zoom or as finely as at any deeper one.
  ///
  /// - Parameters:
  ///   - folder: A folder that owns land.
  ///   - coast: Its coast line, charted.
  /// - Returns: nil if the coast line runs through the rectangle.
  /// - Complexity: O(vertices of the coast line).
  mutating func share(of folder: FolderPlace, coast: [PlanPoint]) -> Share? {
    var ring: [TilePoint] = []
    var share: Share?
    var step = step(of: folder, vertices: coast.count)
    while step > 0 {
      draw(coast, every: step, of: coast.count, into: &ring)
      guard let found = Share(of: ring, in: rectangle), found == share ?? found else { return nil }
      share = found
      step /= 2
    }
    return share
  }

  /// What the cell of a folder has of the rectangle.
  ///
  /// - Returns: nil if its outline runs through the rectangle.
  mutating func shareOfCell(of folder: FolderPlace) -> Share? {
    var ring: [TilePoint] = []
    drawCell(folder, into: &ring)
    return Share(of: ring, in: rectangle)
  }
}
