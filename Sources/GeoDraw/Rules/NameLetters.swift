import GeoCore

/// A letter of a name, where it stands.
package struct PlacedLetter: Sendable {
  /// The middle of its box.
  package var point: Point
  /// Its direction in radians.
  package var angle: Double
  /// The corners of its box.
  package var corners: [Point]

  /// The upright box around its own.
  package var box: Box {
    Box(around: corners) ?? Box(left: point.x, top: point.y, right: point.x, bottom: point.y)
  }

  /// A letter of a width and a size.
  init(at point: Point, angle: Double, width: Double, size: Double) {
    self.point = point
    self.angle = angle
    let (ux, uy) = (Trigonometry.cosine(angle), Trigonometry.sine(angle))
    let (hw, hh) = (width / 2 + 0.5, size * 0.42)
    corners = [(-hw, -hh), (hw, -hh), (hw, hh), (-hw, hh)].map { (u, v) in
      Point(point.x + u * ux - v * uy, point.y + u * uy + v * ux)
    }
  }
}

/// Where the letters of a name stand along a line through a land.
package struct PlacedLetters: Sendable {
  package var size: Double
  /// The space between letters, in sizes.
  package var track: Double
  package var letters: [PlacedLetter]
  /// How far the letters stand beside the line, in units.
  package var aside: Double
  /// How far along the line their middle is from the line's, in units.
  package var middle: Double

  /// How far letters may stand beside the line, in sizes; what is tried first comes first.
  package static let asides = [0, -0.7, 0.7, -1.5, 1.5, -2.4, 2.4]
  private static let alongs = [0, -0.25, 0.25, -0.45, 0.45]

  /// Finds room for a name; nil if there is none.
  ///
  /// - Parameters:
  ///   - widths: The letters' at a size of 1.
  ///   - sizes: Tried in their order.
  ///   - tracks: Spaces between letters, in sizes, tried in their order.
  ///   - asides: How far beside the line they may stand, in sizes, tried in their order.
  ///   - middle: Where along the line their middle has to be, in units; nil for wherever there is room.
  ///   - isFree: Whether a letter may stand where it is.
  package init?(
    in hull: Hull, along line: NameLine, widths: [Double], sizes: [Double], tracks: [Double],
    asides: [Double] = Self.asides, middle: Double? = nil, isFree: (PlacedLetter) -> Bool
  ) {
    let sum = widths.reduce(0, +)
    for size in sizes where size * 1.05 <= line.breadth {
      for track in tracks {
        let length = size * (sum + track * Double(widths.count - 1))
        if length > line.length * 0.94 { continue }
        let slack = line.length * 0.9 - length
        for aside in asides {
          for along in slack > size && middle == nil ? Self.alongs : [0] {
            let middle = middle ?? along * slack
            let placed = Self.letters(
              in: hull, along: line, widths, size: size, track: track,
              from: middle - length / 2, aside: aside * size, isFree)
            if let placed {
              self.size = size
              self.track = track
              letters = placed
              self.aside = aside * size
              self.middle = middle
              return
            }
          }
        }
      }
    }
    return nil
  }

  private static func letters(
    in hull: Hull, along line: NameLine, _ widths: [Double], size: Double, track: Double,
    from start: Double, aside: Double, _ isFree: (PlacedLetter) -> Bool
  ) -> [PlacedLetter]? {
    var letters: [PlacedLetter] = []
    var at = start
    for width in widths {
      let w = width * size
      let (point, angle) = line.point(at: at + w / 2, aside: aside)
      let letter = PlacedLetter(at: point, angle: angle, width: w, size: size)
      guard letter.corners.allSatisfy(hull.holds), isFree(letter) else { return nil }
      letters.append(letter)
      at += w + track * size
    }
    return letters
  }
}
