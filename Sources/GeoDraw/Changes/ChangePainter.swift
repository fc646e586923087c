/// A label of a sign: lines of text in a block, and a line from the sign if it is away.
struct ChangeLabel: Sendable {
  struct Line: Sendable {
    let text: String
    let size: Double
    let ink: Paint
    var isBold = false
    var isItalic = false

    var height: Double { size * 1.22 }
    var width: Double { TextWidth.of(text) * size * (isBold ? TextWidth.bold : 1) }
  }

  let lines: [Line]
  let box: Box
  let anchor: Pen.Anchor
  /// The ends of the line to its sign; nil if it is next to it.
  let tether: (from: Point, to: Point)?
}

struct ChangePainter {
  let signs: ChangeSigns
  let labels: [ChangeLabel]
  let map: LandMap
  let theme: Theme

  func paintLands(_ pen: inout Pen) {
    for land in signs.kinds.keys.sorted().compactMap({ map.lands[$0] }) {
      guard let kind = signs.kinds[land.folder], kind != .same else { continue }
      if kind == .removed {
        pen.path(land.outline, isClosed: true, "fill=\"url(#gone)\" fill-opacity=\".5\"")
      }
      let dashes = kind == .removed ? " stroke-dasharray=\"5 3.5\"" : ""
      pen.path(
        land.outline, isClosed: true,
        theme.colour(of: kind).outline("1.3") + " stroke-linejoin=\"round\"" + dashes)
    }
  }

  static func define(_ theme: Theme, _ pen: inout Pen) {
    pen.svg.line(
      "<defs><pattern id=\"gone\" width=\"5\" height=\"5\" patternUnits=\"userSpaceOnUse\" "
        + "patternTransform=\"rotate(45)\"><path d=\"M0 2.5h5\" "
        + "\(theme.colour(of: .removed).stroke("1"))/></pattern></defs>")
  }

  func paintSigns(_ pen: inout Pen) {
    for sign in signs.signs where sign.isOver {
      guard let land = sign.folder.flatMap({ map.lands[$0] }) else { continue }
      pen.path(land.outline, isClosed: true, theme.colour(of: sign.change.kind).outline("1.8"))
    }
    for sign in signs.signs {
      Self.paint(
        sign.change, at: sign.middle, sign.radius, isSquare: sign.isSquare, isOver: sign.isOver,
        theme, &pen)
    }
    // Squares are in the circle of their land.
    let hasCircles = signs.signs.contains { !$0.isSquare }
    for sign in signs.signs where !(hasCircles && sign.isSquare) {
      pen.leader(
        to: sign.place, from: sign.middle, sign.radius, isSquare: sign.isSquare, theme.inks[1])
    }
    for arrow in signs.arrows { Self.paint(arrow, theme, &pen) }
  }

  /// Draws a change: the ring between two sizes, a full shape for what is new, a hatched one for
  /// what is gone.
  static func paint(
    _ change: SizeChange, at middle: Point, _ radius: Double, isSquare: Bool, isOver: Bool = false,
    _ theme: Theme, _ pen: inout Pen
  ) {
    func shape(_ radius: Double, _ attributes: String) {
      if !isSquare { return pen.circle(middle, radius, attributes) }
      pen.box(Box(at: middle, radius, radius), attributes)
    }
    let colour = theme.colour(of: change.kind)
    switch change.kind {
    case .added, .moved:
      let fill = colour.fill(isSquare ? ".16" : isOver ? ".4" : ".78")
      shape(radius, fill + " " + colour.stroke(isSquare ? "1.8" : "1.2"))
    case .removed, .left:
      shape(radius, theme.land.fill(".5"))
      if radius > 4, change.kind == .removed {
        shape(radius, "fill=\"url(#gone)\" fill-opacity=\".75\"")
      }
      shape(radius, colour.outline("1.6") + " stroke-dasharray=\"4 3\"")
    case .grew, .shrank, .same:
      let fraction =
        change.larger > 0 ? Double(min(change.before, change.after)) / Double(change.larger) : 0
      let inner = radius * fraction.squareRoot()
      if isOver {
        paintRing(middle, radius, inner, colour, &pen)
      } else {
        shape(radius, colour.fill(".68") + " " + colour.stroke("1.2"))
      }
      if inner <= 0.8 { return }
      // The line of the state before is full, that of the state after what shrank dashed.
      let dashes = change.kind == .shrank ? " stroke-dasharray=\"2.5 2\"" : ""
      let fill = theme.land.fill(isOver ? ".2" : ".9")
      shape(inner, fill + " " + theme.inks[1].stroke("1.1") + dashes)
    }
  }

  private static func paintRing(
    _ middle: Point, _ outer: Double, _ inner: Double, _ colour: Paint, _ pen: inout Pen
  ) {
    let circles = [outer, inner].map { radius in
      let (r, width) = (SVGText.number(radius), SVGText.number(2 * radius))
      return "M\(SVGText.pair(Point(middle.x - radius, middle.y)))"
        + "a\(r) \(r) 0 1 0 \(width) 0a\(r) \(r) 0 1 0 -\(width) 0z"
    }
    pen.svg.line(
      "<path d=\"\(circles.joined())\" \(colour.fill(".45")) fill-rule=\"evenodd\" "
        + "\(colour.stroke("1.2"))/>")
  }

  static func paint(_ arrow: ChangeSigns.Arrow, _ theme: Theme, _ pen: inout Pen) {
    let distance = arrow.from.distance(to: arrow.to)
    if distance < 8 { return }
    let points = [arrow.from, arrow.control, arrow.point(at: 0.985)].map(SVGText.pair)
    for (colour, width) in [
      (theme.halo, arrow.width + 2.4), (theme.colour(of: .moved), arrow.width),
    ] {
      pen.svg.line(
        "<path d=\"M\(points[0])Q\(points[1]) \(points[2])\" "
          + "\(colour.outline(SVGText.number(width))) stroke-linecap=\"round\"/>")
    }
    let head = min(9 + 1.6 * arrow.width, 0.5 * distance)
    let way = arrow.to - arrow.control
    let length = max(1e-6, way.length)
    let along = Point(way.x / length * head, way.y / length * head)
    // A half angle of 0.42.
    let (cosine, sine) = (0.913, 0.408)
    let corners = [1.0, -1].map { side in
      Point(
        arrow.to.x - (along.x * cosine - side * along.y * sine),
        arrow.to.y - (along.y * cosine + side * along.x * sine))
    }
    pen.path([[arrow.to] + corners], isClosed: true, theme.colour(of: .moved).fill())
  }

  func paintLabels(_ pen: inout Pen) {
    for label in labels {
      if let (from, to) = label.tether { pen.leader(to: from, from: to, theme.inks[1]) }
    }
    pen.haloed("w", theme.halo, width: "3", opacity: ".85") { pen in
      for label in labels {
        let x =
          switch label.anchor {
          case .start: label.box.left
          case .middle: label.box.middle.x
          case .end: label.box.right
          }
        var y = label.box.top
        for line in label.lines {
          pen.text(
            line.text, at: Point(x, y + line.size * 0.92),
            Pen.Style(
              size: line.size, fill: line.ink, isItalic: line.isItalic, isBold: line.isBold,
              anchor: label.anchor))
          y += line.height
        }
      }
    }
  }
}
