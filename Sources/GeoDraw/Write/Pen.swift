struct Pen {
  var svg = SVGText()

  static let serif = "Georgia,'Noto Serif','Liberation Serif','DejaVu Serif',serif"
  static let sans = "'Noto Sans','Liberation Sans',Arial,'DejaVu Sans',sans-serif"

  struct Style {
    var size: Double
    var fill: Paint
    var isSans = false
    var isItalic = false
    var isBold = false
    var anchor = Anchor.start
    var spacing = 0.0
    /// The rotation in degrees, clockwise.
    var turn = 0.0
  }

  enum Anchor: String {
    case start, middle, end
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
    var attributes = "font-size=\"\(SVGText.number(style.size))\" \(style.fill.fill())"
    if style.isSans { attributes += " font-family=\"\(Self.sans)\"" }
    if style.isItalic { attributes += " font-style=\"italic\"" }
    if style.isBold { attributes += " font-weight=\"700\"" }
    if style.anchor != .start { attributes += " text-anchor=\"\(style.anchor.rawValue)\"" }
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
    svg.line("<rect \(SVGText.attributes(box)) \(attributes)/>")
  }

  mutating func circle(_ middle: Point, _ radius: Double, _ attributes: String) {
    svg.line(
      "<circle cx=\"\(SVGText.number(middle.x))\" cy=\"\(SVGText.number(middle.y))\" "
        + "r=\"\(SVGText.number(radius))\" \(attributes)/>")
  }

  mutating func leader(to place: Point, from start: Point, _ ink: Paint) {
    path([[start, place]], ink.stroke(".7"))
    circle(place, 1.6, ink.fill())
  }

  /// Draws a line from the edge of a sign to its place, if it was pushed away from that.
  mutating func leader(
    to place: Point, from middle: Point, _ radius: Double, isSquare: Bool, _ ink: Paint
  ) {
    guard Symbols.isAway(middle, from: place, radius) else { return }
    let way = place - middle
    let reach = isSquare ? max(abs(way.x), abs(way.y)) : way.length
    leader(to: place, from: middle + way * min(1, radius / reach), ink)
  }

  mutating func group(_ attributes: String, _ body: (inout Pen) -> Void) {
    svg.line(attributes.isEmpty ? "<g>" : "<g \(attributes)>")
    body(&self)
    svg.line("</g>")
  }

  /// Writes elements over a halo of their own.
  mutating func haloed(
    _ id: String, _ halo: Paint, width: String, opacity: String, _ body: (inout Pen) -> Void
  ) {
    svg.line("<defs>")
    group("id=\"\(id)\"", body)
    svg.line("</defs>")
    svg.line(
      "<use xlink:href=\"#\(id)\" \(halo.stroke(width)) stroke-linejoin=\"round\" "
        + "stroke-opacity=\"\(opacity)\"/>")
    svg.line("<use xlink:href=\"#\(id)\"/>")
  }
}

/// The attributes of shapes.
extension Paint {
  func fill(_ opacity: String = "") -> String {
    "fill=\"\(text)\"" + (opacity.isEmpty ? "" : " fill-opacity=\"\(opacity)\"")
  }

  func stroke(_ width: String, _ opacity: String = "") -> String {
    "stroke=\"\(text)\" stroke-width=\"\(width)\""
      + (opacity.isEmpty ? "" : " stroke-opacity=\"\(opacity)\"")
  }

  /// A stroke without a fill.
  func outline(_ width: String, _ opacity: String = "") -> String {
    "fill=\"none\" " + stroke(width, opacity)
  }
}
