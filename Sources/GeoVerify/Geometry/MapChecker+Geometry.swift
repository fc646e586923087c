import GeoCore
import GeoProjection

extension MapChecker {
  /// Checks that a node lies strictly inside the nearest land that holds it.
  mutating func checkContainment(
    of feature: FeatureLine, ring: [Coordinate], file: FilePlace?, line: Int
  ) throws(MapFault) {
    let top = frames.count - 1
    if feature.isFolder {
      let place = frames[top].node.place
      if !place.isLanded {
        let point = world.engine.flatMap { engine in
          frames[top].node.isPlaced ? engine.coordinate(of: place) : nil
        }
        guard let position = point ?? feature.positions.first else { return }
        let digits = point == nil ? ExactPoint.digits : place.digits
        return try check(
          ExactPoint(position, digits: digits), isIn: frames[..<top], feature.path, line)
      }
      let exact = ExactRing(ring, digits: place.digits)
      frames[top].ring = exact
      if !frames[top].node.isPlaced {
        try checkShape(of: exact, feature, in: frames[..<top], line)
      }
      if let land = frames[..<top].last(where: { $0.ring != nil })?.ring {
        if !land.holds(exact) { throw outside(feature.path, line) }
        counts.containments += 1
      }
      if top > 0, world.layout == .settled {
        frames[top - 1].neighbours.add(
          frames[top].index, line: line, exact, isPlaced: frames[top].node.isPlaced)
      }
    } else if let file {
      try check(
        ExactPoint(file.coordinate, digits: frames[top].digits), isIn: frames[...top],
        feature.path, line)
    }
  }

  /// Checks what a coast line has to be that doesn't follow from names.
  private func checkShape(
    of ring: ExactRing, _ feature: FeatureLine, in frames: ArraySlice<FolderFrame>, _ line: Int
  ) throws(MapFault) {
    if frames.contains(where: { $0.node.isWritten && !$0.node.place.isLanded }) {
      throw MapFault(line: line, path: feature.path, what: "it has land in a folder without any")
    }
    let label = feature.label.map { ExactPoint($0, digits: ExactPoint.digits) }
    let depth = self.frames[self.frames.count - 1].node.place.depth
    if let what = ring.fault(asCoastAtDepth: depth, around: label) {
      throw MapFault(line: line, path: feature.path, what: what)
    }
  }

  private mutating func check(
    _ point: ExactPoint, isIn frames: ArraySlice<FolderFrame>, _ path: [UInt8], _ line: Int
  ) throws(MapFault) {
    guard let land = frames.last(where: { $0.ring != nil })?.ring else { return }
    if !land.holds(point) { throw outside(path, line) }
    counts.containments += 1
  }

  private func outside(_ path: [UInt8], _ line: Int) -> MapFault {
    MapFault(line: line, path: path, what: "it does not lie inside the land that holds it")
  }

  /// Leaves folders; the lands in each of them have to be apart.
  mutating func leaveFrames(downTo count: Int) throws(MapFault) {
    while frames.count > count, let frame = frames.popLast() { try checkSeparation(in: frame) }
  }

  private mutating func checkSeparation(in frame: FolderFrame) throws(MapFault) {
    let (tree, engine) = (tree, world.engine)
    var ring: [Coordinate] = []
    counts.separations += try frame.neighbours.check(
      draw: { index in
        let place = tree[index].place
        engine?.coastline(of: place, into: &ring)
        return ExactRing(ring, digits: place.digits)
      },
      path: { tree.path(of: $0) })
  }
}
