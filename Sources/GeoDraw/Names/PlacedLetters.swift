package struct PlacedLetters: Sendable {
  package var size: Double
  /// The space between letters, in multiples of the size.
  package var track: Double
  package var letters: [PlacedLetter]
  /// The offset of the letters across the line, in units.
  package var aside: Double
  /// The offset of their middle along the line, in units.
  package var middle: Double

  /// The offsets of letters across the line, in multiples of the size, in the order to try.
  package static let asides = [0, -0.7, 0.7, -1.5, 1.5, -2.4, 2.4]
  private static let alongs = [0, -0.25, 0.25, -0.45, 0.45]

  /// Nil if it doesn't fit. `sizes`, `tracks` and `asides` are in the order to try, the latter two
  /// in multiples of the size. Without a `middle`, in units along the line, several are tried.
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
