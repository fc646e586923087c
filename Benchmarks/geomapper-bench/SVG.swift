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
    let steps = "M\(Self.number(x1)) \(Self.number(y1))L\(Self.number(x2)) \(Self.number(y2))"
    body.append("<path class=\"\(style)\" d=\"\(steps)\"/>")
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
      @media (prefers-color-scheme: dark) {
        text { fill: #f0f6fc; }
        .small { fill: #9198a1; }
        .own { fill: #3fb68b; }
        .other { fill: #535c66; }
        .floor { fill: #b58a3c; }
        path { stroke: #9198a1; }
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
