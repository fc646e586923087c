struct Pen {
  var svg = SVGText()

  static let serif = "Georgia,'Noto Serif','Liberation Serif','DejaVu Serif',serif"
  static let sans = "'Noto Sans','Liberation Sans',Arial,'DejaVu Sans',sans-serif"

  struct Style {
    var size: Double
    var fill: String
    var isSans = false
    var isItalic = false
    var isBold = false
    /// `start`, `middle` or `end`.
    var anchor = "start"
    var spacing = 0.0
    var turn = 0.0
  }

  /// The beginning of a drawing, up to its title; `width` and `height` have their units.
  static func opening(width: String, height: String, units: Box, _ title: String) -> String {
    let numbers = [units.left, units.top, units.width, units.height].map(SVGText.number)
    return """
      <?xml version="1.0" encoding="UTF-8"?>
      <svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" \
      width="\(width)" height="\(height)" viewBox="\(numbers.joined(separator: " "))" \
      font-family="\(Self.serif)">
      <title>\(SVGText.escaped(title))</title>
      """
  }

  /// Writes text at a point of its baseline.
  mutating func text(_ text: String, at point: Point, _ style: Style) {
    var attributes = "font-size=\"\(SVGText.number(style.size))\" fill=\"\(style.fill)\""
    if style.isSans { attributes += " font-family=\"\(Self.sans)\"" }
    if style.isItalic { attributes += " font-style=\"italic\"" }
    if style.isBold { attributes += " font-weight=\"700\"" }
    if style.anchor != "start" { attributes += " text-anchor=\"\(style.anchor)\"" }
    if style.spacing != 0 {
      attributes += " letter-spacing=\"\(SVGText.number(style.spacing, decimals: 2))\""
    }
    let (x, y) = (SVGText.number(point.x), SVGText.number(point.y))
    if style.turn != 0 {
      attributes += " transform=\"rotate(\(SVGText.number(style.turn)) \(x) \(y))\""
    }
    svg.line("<text x=\"\(x)\" y=\"\(y)\" \(attributes)>\(SVGText.escaped(text))</text>")
  }

  mutating func path(_ lines: [[Point]], isClosed: Bool = false, _ attributes: String) {
    let data = SVGText.path(lines, isClosed: isClosed)
    if data.isEmpty { return }
    svg.line("<path d=\"\(data)\" \(attributes)/>")
  }

  mutating func box(_ box: Box, _ attributes: String) {
    let numbers = [box.left, box.top, box.width, box.height].map(SVGText.number)
    svg.line(
      "<rect x=\"\(numbers[0])\" y=\"\(numbers[1])\" width=\"\(numbers[2])\" "
        + "height=\"\(numbers[3])\" \(attributes)/>")
  }

  mutating func circle(_ middle: Point, _ radius: Double, _ attributes: String) {
    svg.line(
      "<circle cx=\"\(SVGText.number(middle.x))\" cy=\"\(SVGText.number(middle.y))\" "
        + "r=\"\(SVGText.number(radius))\" \(attributes)/>")
  }

  mutating func leader(to place: Point, from start: Point, _ ink: Paint) {
    path([[start, place]], "stroke=\"\(ink.text)\" stroke-width=\".7\"")
    circle(place, 1.6, "fill=\"\(ink.text)\"")
  }

  /// Draws a line from the edge of a sign to its place, if it was pushed away from that.
  mutating func leader(
    to place: Point, from middle: Point, _ radius: Double, isSquare: Bool, _ ink: Paint
  ) {
    let far = middle.distance(to: place)
    guard Symbols.isAway(middle, from: place, radius) else { return }
    let way = place - middle
    let reach = isSquare ? max(abs(way.x), abs(way.y)) : far
    let fraction = min(1, radius / reach)
    leader(
      to: place, from: Point(middle.x + way.x * fraction, middle.y + way.y * fraction), ink)
  }

  mutating func group(_ attributes: String, _ body: (inout Pen) -> Void) {
    svg.line(attributes.isEmpty ? "<g>" : "<g \(attributes)>")
    body(&self)
    svg.line("</g>")
  }
}
