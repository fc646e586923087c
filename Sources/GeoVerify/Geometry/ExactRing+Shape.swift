import GeoProjection

extension ExactRing {
  /// What is wrong with it as the coast line of a folder, where its place can't be computed; nil if
  /// nothing is.
  ///
  /// - Parameters:
  ///   - depth: The folder's depth.
  ///   - label: Where its label goes.
  /// - Complexity: O(n²) for its vertices, 256 at most, most of it comparisons of boxes.
  func fault(asCoastAtDepth depth: Int32, around label: ExactPoint?) -> String? {
    let count = GeoProjectionEngine.coastCount(atDepth: depth)
    if vertices.count != count {
      return "its coast line has \(vertices.count) vertices, and not \(count)"
    }
    if !isSimple { return "its coast line meets itself" }
    if doubledArea <= 0 { return "its coast line runs clockwise" }
    if let label, !holds(label) { return "its label lies outside its land" }
    return nil
  }

  /// Twice the area, positive if it runs counter-clockwise.
  ///
  /// Of 256 vertices each product has 104 bits at most, so the sum fits.
  private var doubledArea: Int128 {
    guard let origin = vertices.first else { return 0 }
    var sum: Int128 = 0
    for (a, b) in zip(vertices, vertices.dropFirst()) { sum += b.side(of: origin, a) }
    return sum
  }

  /// Whether no edge meets another but where one ends and the next begins.
  private var isSimple: Bool {
    let count = vertices.count
    for first in 0..<count {
      let (a, b) = (vertices[first], vertices[(first + 1) % count])
      if a == b { return false }
      // The next edge may not lead back over this one.
      let c = vertices[(first + 2) % count]
      if c.side(of: a, b) == 0, Self.isBetween(c, a, b) || Self.isBetween(a, b, c) { return false }
      for second in (first + 2)..<max(first + 2, first == 0 ? count - 1 : count) {
        if Self.edgesMeet(a, b, vertices[second], vertices[(second + 1) % count]) { return false }
      }
    }
    return true
  }

  /// Whether a point of the line through two others lies between them, or is one of them.
  private static func isBetween(_ point: ExactPoint, _ a: ExactPoint, _ b: ExactPoint) -> Bool {
    (min(a.longitude, b.longitude)...max(a.longitude, b.longitude)).contains(point.longitude)
      && (min(a.latitude, b.latitude)...max(a.latitude, b.latitude)).contains(point.latitude)
  }
}
