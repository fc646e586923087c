/// A drawing, readable on light and dark pages.
struct SVG {
  let width: Double
  let height: Double
  private var body: [String] = []

  init(width: Double, height: Double) {
    self.width = width
    self.height = height
  }

  /// The position of a text relative to its point.
  enum Anchor: String {
    case start
    case middle
    case end
  }

  mutating func text(
    _ text: String, x: Double, y: Double, style: String, anchor: Anchor = .start
  ) {
    let place = "x=\"\(Self.number(x))\" y=\"\(Self.number(y))\""
    let words = Self.escaped(text)
    body.append(
      "<text class=\"\(style)\" \(place) text-anchor=\"\(anchor.rawValue)\">\(words)</text>")
  }

  mutating func bar(x: Double, y: Double, width: Double, height: Double, style: String) {
    let size = "width=\"\(Self.number(max(0.5, width)))\" height=\"\(Self.number(height))\""
    body.append(
      "<rect class=\"\(style)\" x=\"\(Self.number(x))\" y=\"\(Self.number(y))\" \(size) rx=\"2\"/>")
  }

  mutating func line(_ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double, style: String) {
    path([(x1, y1), (x2, y2)], style: style)
  }

  mutating func path(_ points: [(x: Double, y: Double)], style: String) {
    let steps = points.enumerated().map { index, point in
      (index == 0 ? "M" : "L") + Self.number(point.x) + " " + Self.number(point.y)
    }
    body.append("<path class=\"\(style)\" d=\"\(steps.joined())\"/>")
  }

  mutating func dot(x: Double, y: Double, style: String) {
    body.append(
      "<circle class=\"\(style)\" cx=\"\(Self.number(x))\" cy=\"\(Self.number(y))\" r=\"3\"/>")
  }

  /// The text of the file; a media query inverts the colours on dark pages.
  func text(title: String) -> String {
    let size = "viewBox=\"0 0 \(Self.number(width)) \(Self.number(height))\""
    return """
      <svg xmlns="http://www.w3.org/2000/svg" \(size) width="\(Self.number(width))" role="img">
      <title>\(Self.escaped(title))</title>
      <style>
      text { font: 13px -apple-system, "Segoe UI", Helvetica, Arial, sans-serif; fill: #1f2328;
        font-variant-numeric: tabular-nums; }
      .title { font-size: 15px; font-weight: 600; }
      .small { font-size: 11px; fill: #59636e; }
      .strong { font-weight: 600; }
      .own { fill: #1a7f64; }
      .other { fill: #afb8c1; }
      .floor { fill: #d8a657; }
      path { fill: none; stroke: #59636e; stroke-width: 1.2; }
      .grid { stroke: #d1d9e0; stroke-width: 0.6; }
      .line0 { stroke: #1a7f64; stroke-width: 2; } .dot0 { fill: #1a7f64; }
      .line1 { stroke: #d8a657; stroke-width: 2; } .dot1 { fill: #d8a657; }
      .line2 { stroke: #8c96a0; stroke-width: 2; } .dot2 { fill: #8c96a0; }
      .line3 { stroke: #6f86c9; stroke-width: 2; } .dot3 { fill: #6f86c9; }
      @media (prefers-color-scheme: dark) {
        text { fill: #f0f6fc; }
        .small { fill: #9198a1; }
        .own { fill: #3fb68b; }
        .other { fill: #535c66; }
        .floor { fill: #b58a3c; }
        path { stroke: #9198a1; }
        .grid { stroke: #3d444d; }
        .line0 { stroke: #3fb68b; } .dot0 { fill: #3fb68b; }
        .line1 { stroke: #b58a3c; } .dot1 { fill: #b58a3c; }
      }
      </style>
      \(body.joined(separator: "\n"))
      </svg>

      """
  }

  private static func number(_ value: Double) -> String {
    let text = Text.decimals(value, 1)
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }

  private static func escaped(_ text: String) -> String {
    var result = ""
    for character in text {
      switch character {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      default: result.append(character)
      }
    }
    return result
  }
}
