import GeoProjection

/// A simple ring of a map, at its printed decimals; all tests are exact.
struct ExactRing {
  let vertices: [ExactPoint]
  let box: ExactBox

  /// Of at least one vertex.
  init(_ ring: [Coordinate], digits: UInt8) {
    vertices = ring.map { ExactPoint($0, digits: digits) }
    let first = vertices.first ?? ExactPoint(longitude: 0, latitude: 0)
    var (west, east) = (first.longitude, first.longitude)
    var (south, north) = (first.latitude, first.latitude)
    for vertex in vertices {
      west = min(west, vertex.longitude)
      east = max(east, vertex.longitude)
      south = min(south, vertex.latitude)
      north = max(north, vertex.latitude)
    }
    box = ExactBox(west: west, east: east, south: south, north: north)
  }

  /// Inside and not on the ring. O(vertices).
  func holds(_ point: ExactPoint) -> Bool {
    point.longitude > box.west && point.longitude < box.east && point.latitude > box.south
      && point.latitude < box.north && point.position(in: vertices) == .inside
  }

  /// Without touching it. O(product of the numbers of vertices), most of it comparisons of boxes.
  func holds(_ ring: ExactRing) -> Bool {
    guard let first = ring.vertices.first, ring.box.west > box.west, ring.box.east < box.east,
      ring.box.south > box.south, ring.box.north < box.north
    else { return false }
    return !touches(ring) && holds(first)
  }

  /// Whether the rings neither touch nor contain each other.
  func isApart(from ring: ExactRing) -> Bool {
    if !box.meets(ring.box) { return true }
    guard let mine = vertices.first, let its = ring.vertices.first else { return true }
    return !touches(ring) && !holds(its) && !ring.holds(mine)
  }

  private func touches(_ ring: ExactRing) -> Bool {
    guard var a = vertices.last else { return false }
    for b in vertices {
      defer { a = b }
      let (w, e) = (min(a.longitude, b.longitude), max(a.longitude, b.longitude))
      let (s, n) = (min(a.latitude, b.latitude), max(a.latitude, b.latitude))
      if e < ring.box.west || w > ring.box.east || n < ring.box.south || s > ring.box.north {
        continue
      }
      guard var c = ring.vertices.last else { return false }
      for d in ring.vertices {
        defer { c = d }
        if max(c.longitude, d.longitude) < w || min(c.longitude, d.longitude) > e { continue }
        if max(c.latitude, d.latitude) < s || min(c.latitude, d.latitude) > n { continue }
        if Self.meet(a, b, c, d) { return true }
      }
    }
    return false
  }

  static func edgesMeet(
    _ a: ExactPoint, _ b: ExactPoint, _ c: ExactPoint, _ d: ExactPoint
  ) -> Bool {
    max(a.longitude, b.longitude) >= min(c.longitude, d.longitude)
      && max(c.longitude, d.longitude) >= min(a.longitude, b.longitude)
      && max(a.latitude, b.latitude) >= min(c.latitude, d.latitude)
      && max(c.latitude, d.latitude) >= min(a.latitude, b.latitude) && meet(a, b, c, d)
  }

  /// Their boxes meet.
  private static func meet(
    _ a: ExactPoint, _ b: ExactPoint, _ c: ExactPoint, _ d: ExactPoint
  ) -> Bool {
    let (c1, d1) = (c.side(of: a, b).signum(), d.side(of: a, b).signum())
    let (a1, b1) = (a.side(of: c, d).signum(), b.side(of: c, d).signum())
    // If the segments are on one line, or an end of one is on the other's line, their boxes decide:
    // they are known to meet.
    return c1 * d1 <= 0 && a1 * b1 <= 0
  }
}

extension ExactRing {
  /// The fault of a coast line whose place can't be computed. O(n²) for its vertices, 256 at most,
  /// most of it comparisons of boxes.
  func fault(asCoastAtDepth depth: Int32, around label: ExactPoint?) -> String? {
    let count = GeoProjectionEngine.coastCount(atDepth: depth)
    if vertices.count != count {
      return "its coast line has \(vertices.count) vertices, and not \(count)"
    }
    if !isSimple { return "its coast line meets itself" }
    if doubledArea <= 0 { return "its coast line runs clockwise" }
    if let label, !holds(label) { return "its label is outside its land" }
    return nil
  }

  /// Twice the area, positive if the ring runs counter-clockwise.
  ///
  /// Each product has at most 104 bits, so the sum for 256 vertices fits.
  private var doubledArea: Int128 {
    guard let origin = vertices.first else { return 0 }
    var sum: Int128 = 0
    for (a, b) in zip(vertices, vertices.dropFirst()) { sum += b.side(of: origin, a) }
    return sum
  }

  /// Whether edges meet only where one ends and the next begins.
  private var isSimple: Bool {
    let count = vertices.count
    for first in 0..<count {
      let (a, b) = (vertices[first], vertices[(first + 1) % count])
      if a == b { return false }
      // The next edge must not run back over this one.
      let c = vertices[(first + 2) % count]
      if c.side(of: a, b) == 0, Self.isBetween(c, a, b) || Self.isBetween(a, b, c) { return false }
      for second in (first + 2)..<max(first + 2, first == 0 ? count - 1 : count) {
        if Self.edgesMeet(a, b, vertices[second], vertices[(second + 1) % count]) { return false }
      }
    }
    return true
  }

  /// Whether a point on the line through two others is between them, or equal to one.
  private static func isBetween(_ point: ExactPoint, _ a: ExactPoint, _ b: ExactPoint) -> Bool {
    (min(a.longitude, b.longitude)...max(a.longitude, b.longitude)).contains(point.longitude)
      && (min(a.latitude, b.latitude)...max(a.latitude, b.latitude)).contains(point.latitude)
  }
}
