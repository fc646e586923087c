import GeoCore

/// Draws the names of lands and towns. Each group of names has one halo below all its letters.
struct NamePainter {
  let theme: Theme
  let names: [LandName]
  let notes: [LandName]
  let towns: [Town]
  let loose: (files: LooseFiles, box: Box)?

  func paint(_ pen: inout Pen) {
    let ranks = Set(names.map(\.rank)).sorted(by: >)
    pen.svg.line("<defs>")
    for rank in ranks {
      let weight = rank == 0 ? " font-weight=\"700\"" : rank > 1 ? " font-style=\"italic\"" : ""
      pen.group("id=\"n\(rank)\" text-anchor=\"middle\"\(weight)") { pen in
        for name in names where name.rank == rank { paint(name, &pen) }
      }
    }
    pen.group("id=\"o\" text-anchor=\"middle\" font-style=\"italic\"") { pen in
      for note in notes { paint(note, &pen) }
    }
    if let loose {
      pen.group("id=\"g\" text-anchor=\"middle\" font-style=\"italic\"") { pen in
        loose.files.paint(in: loose.box, &pen)
      }
    }
    pen.group("id=\"t\" text-anchor=\"middle\" font-style=\"italic\" font-size=\"8\"") { pen in
      for town in towns {
        let (x, y) = (SVGText.number(town.middle.x), SVGText.number(town.middle.y + 2.4))
        pen.svg.line("<text x=\"\(x)\" y=\"\(y)\">\(SVGText.escaped(town.name))</text>")
      }
    }
    pen.svg.line("</defs>")
    paintSigns(&pen)
    if loose != nil { use("g", halo: 2.4, theme.inks[1], &pen) }
    use("t", halo: 2.2, theme.inks[1], &pen)
    use("o", halo: 2.2, theme.inks[1], &pen)
    for rank in ranks {
      use("n\(rank)", halo: rank == 0 ? 3.6 : 2.4, theme.inks[min(rank, 3)], &pen)
    }
  }

  private func use(_ id: String, halo: Double, _ ink: Paint, _ pen: inout Pen) {
    pen.svg.line(
      "<use xlink:href=\"#\(id)\" fill=\"none\" stroke=\"\(theme.halo.text)\" "
        + "stroke-width=\"\(SVGText.number(halo))\" stroke-linejoin=\"round\" "
        + "stroke-opacity=\".8\"/>")
    pen.svg.line("<use xlink:href=\"#\(id)\" fill=\"\(ink.text)\"/>")
  }

  private func paint(_ name: LandName, _ pen: inout Pen) {
    let size = name.placed.size
    pen.group("font-size=\"\(SVGText.number(size))\"") { pen in
      for (text, letter) in zip(name.letters, name.placed.letters) where text != " " {
        // The distance from the middle of the letter's box to its baseline.
        let drop = size * 0.34
        let x = letter.point.x - Trigonometry.sine(letter.angle) * drop
        let y = letter.point.y + Trigonometry.cosine(letter.angle) * drop
        let turn = SVGText.number(letter.angle * 180 / .pi)
        pen.svg.line(
          "<text transform=\"translate(\(SVGText.number(x)) \(SVGText.number(y)))"
            + "rotate(\(turn))\">\(SVGText.escaped(text))</text>")
      }
    }
  }

  private func paintSigns(_ pen: inout Pen) {
    for town in towns { Self.paint(town.sign, at: town.point, theme, &pen) }
  }

  /// Draws the sign of a town: a ring (0), a ring with a dot (1), a square with a dot (2).
  static func paint(_ sign: Int, at point: Point, _ theme: Theme, _ pen: inout Pen) {
    let stroke =
      "fill=\"\(theme.halo.text)\" stroke=\"\(theme.accent.text)\" stroke-width=\"1.1\""
    switch sign {
    case 2:
      pen.box(
        Box(
          left: point.x - 2.7, top: point.y - 2.7, right: point.x + 2.7, bottom: point.y + 2.7),
        stroke)
    case 1: pen.circle(point, 2.7, stroke)
    default: pen.circle(point, 1.9, stroke)
    }
    if sign > 0 { pen.circle(point, 1.1, "fill=\"\(theme.accent.text)\"") }
  }
}
