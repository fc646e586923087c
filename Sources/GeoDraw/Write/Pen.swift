/// Writes texts, lines and boxes of a sheet.
struct Pen {
  var svg = SVGText()

  /// Families of fonts, the generic one last.
  static let serif = "Georgia,'Noto Serif','Liberation Serif','DejaVu Serif',serif"
  static let sans = "'Noto Sans','Liberation Sans',Arial,'DejaVu Sans',sans-serif"

  /// How a text is set.
  struct Style {
    var size: Double
    var fill: String
    var isSans = false
    var isItalic = false
    var isBold = false
    /// `start`, `middle` or `end`.
    var anchor = "start"
    /// Space between letters, in units.
    var spacing = 0.0
    /// In degrees, clockwise.
    var turn = 0.0
  }

  /// A text at a point of its base line.
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

  /// Straight lines between points, or a shape.
  mutating func path(_ lines: [[Point]], isClosed: Bool = false, _ attributes: String) {
    let data = SVGText.path(lines, isClosed: isClosed)
    if data.isEmpty { return }
    svg.line("<path d=\"\(data)\" \(attributes)/>")
  }

  /// A box.
  mutating func box(_ box: Box, _ attributes: String) {
    let numbers = [box.left, box.top, box.width, box.height].map(SVGText.number)
    svg.line(
      "<rect x=\"\(numbers[0])\" y=\"\(numbers[1])\" width=\"\(numbers[2])\" "
        + "height=\"\(numbers[3])\" \(attributes)/>")
  }

  /// A circle.
  mutating func circle(_ middle: Point, _ radius: Double, _ attributes: String) {
    svg.line(
      "<circle cx=\"\(SVGText.number(middle.x))\" cy=\"\(SVGText.number(middle.y))\" "
        + "r=\"\(SVGText.number(radius))\" \(attributes)/>")
  }

  /// Things that belong together.
  mutating func group(_ attributes: String, _ body: (inout Pen) -> Void) {
    svg.line(attributes.isEmpty ? "<g>" : "<g \(attributes)>")
    body(&self)
    svg.line("</g>")
  }
}
