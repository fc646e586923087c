import GeoPath
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
      if let land = frames[..<top].last(where: { $0.ring != nil })?.ring {
        if !land.holds(exact) { throw outside(feature.path, line) }
        counts.containments += 1
      }
      if top > 0, world.layout == .settled {
        frames[top - 1].inner.append((feature.path, line, exact))
      }
    } else if let file {
      try check(
        ExactPoint(file.coordinate, digits: frames[top].digits), isIn: frames[...top],
        feature.path, line)
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

  /// Compares neighbours from west to east: those whose bounding boxes meet.
  private mutating func checkSeparation(in frame: FolderFrame) throws(MapFault) {
    let lands = frame.inner.sorted { $0.ring.west < $1.ring.west }
    for (index, land) in lands.enumerated() {
      for other in lands[(index + 1)...] {
        if other.ring.west > land.ring.east { break }
        if !land.ring.boxesMeet(other.ring) { continue }
        if !land.ring.isApart(from: other.ring) {
          throw MapFault(
            line: max(land.line, other.line), path: other.name,
            what: "it meets the land of a folder beside it, "
              + String(decoding: land.name, as: UTF8.self))
        }
        counts.separations += 1
      }
    }
  }
}
