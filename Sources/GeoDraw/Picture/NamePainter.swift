import GeoCore

/// Draws the names of lands and towns. Each group of names has one halo below all its letters.
struct NamePainter {
  let theme: Theme
  let placed: NamePlacer

  func paint(_ pen: inout Pen) {
    let ranks = Set(placed.names.map(\.rank)).sorted(by: >)
    func define(_ id: String, _ attributes: String, _ body: (inout Pen) -> Void) {
      pen.group("id=\"\(id)\" text-anchor=\"middle\"\(attributes)", body)
    }
    let italic = " font-style=\"italic\""
    pen.svg.line("<defs>")
    for rank in ranks {
      define("n\(rank)", rank == 0 ? " font-weight=\"700\"" : rank > 1 ? italic : "") { pen in
        for name in placed.names where name.rank == rank { paint(name, &pen) }
      }
    }
    define("o", italic) { pen in for note in placed.notes { paint(note, &pen) } }
    if let loose = placed.loose {
      define("g", italic) { pen in loose.files.paint(in: loose.box, &pen) }
    }
    define("t", italic + " font-size=\"8\"") { pen in
      for town in placed.towns {
        let (x, y) = (SVGText.number(town.middle.x), SVGText.number(town.middle.y + 2.4))
        pen.svg.line("<text x=\"\(x)\" y=\"\(y)\">\(SVGText.escaped(town.name))</text>")
      }
    }
    pen.svg.line("</defs>")
    for town in placed.towns { Self.paint(town.sign, at: town.point, theme, &pen) }
    if placed.loose != nil { use("g", halo: 2.4, theme.inks[1], &pen) }
    use("t", halo: 2.2, theme.inks[1], &pen)
    use("o", halo: 2.2, theme.inks[1], &pen)
    for rank in ranks {
      use("n\(rank)", halo: rank == 0 ? 3.6 : 2.4, theme.inks[min(rank, 3)], &pen)
    }
  }

  private func use(_ id: String, halo: Double, _ ink: Paint, _ pen: inout Pen) {
    pen.svg.line(
      "<use xlink:href=\"#\(id)\" \(theme.halo.outline(SVGText.number(halo))) "
        + "stroke-linejoin=\"round\" stroke-opacity=\".8\"/>")
    pen.svg.line("<use xlink:href=\"#\(id)\" \(ink.fill())/>")
  }

  private func paint(_ name: LandName, _ pen: inout Pen) {
    let size = name.placed.size
    pen.group("font-size=\"\(SVGText.number(size))\"") { pen in
      for (text, letter) in zip(name.letters, name.placed.letters) where text != " " {
        // The distance from the middle of the letter's box to its baseline.
        let drop = size * 0.34
        let point = Point(
          letter.point.x - Trigonometry.sine(letter.angle) * drop,
          letter.point.y + Trigonometry.cosine(letter.angle) * drop)
        let turn = SVGText.number(letter.angle * 180 / .pi)
        pen.svg.line(
          "<text transform=\"translate(\(SVGText.pair(point)))rotate(\(turn))\">"
            + "\(SVGText.escaped(text))</text>")
      }
    }
  }

  /// Draws the sign of a town: a ring (0), a ring with a dot (1), a square with a dot (2).
  static func paint(_ sign: Int, at point: Point, _ theme: Theme, _ pen: inout Pen) {
    let attributes = theme.halo.fill() + " " + theme.accent.stroke("1.1")
    switch sign {
    case 2: pen.box(Box(at: point, 2.7, 2.7), attributes)
    case 1: pen.circle(point, 2.7, attributes)
    default: pen.circle(point, 1.9, attributes)
    }
    if sign > 0 { pen.circle(point, 1.1, theme.accent.fill()) }
  }
}
