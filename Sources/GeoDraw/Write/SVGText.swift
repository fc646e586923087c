import GeoCore
import GeoFormats

/// A buffer for the text of an SVG drawing.
struct SVGText: Sendable {
  private(set) var bytes: [UInt8] = []

  /// Appends text without escaping.
  mutating func put(_ text: String) { bytes += text.utf8 }

  /// Appends a line without escaping.
  mutating func line(_ text: String) {
    put(text)
    put("\n")
  }

  /// A number with at most one decimal, without needless zeros.
  static func number(_ value: Double) -> String { tenths(rounded(value)) }

  /// A number with at most so many decimals, without trailing zeros.
  static func number(_ value: Double, decimals: Int) -> String {
    var scale = 1.0
    for _ in 0..<decimals { scale *= 10 }
    let clamped = Look.clamp((value * scale).rounded(), -9e15, 9e15)
    let whole = Int(clamped)
    let unit = Int(scale)
    var fraction = String(abs(whole) % unit)
    fraction = String(repeating: "0", count: max(0, decimals - fraction.count)) + fraction
    while fraction.last == "0" { fraction.removeLast() }
    let sign = whole < 0 ? "-" : ""
    let text = "\(abs(whole) / unit)"
    if decimals == 0 || fraction.isEmpty { return whole == 0 ? "0" : sign + text }
    return sign + text + "." + fraction
  }

  private static func rounded(_ value: Double) -> Int {
    Int(Look.clamp((value * 10).rounded(), -1e9, 1e9))
  }

  private static func tenths(_ value: Int) -> String {
    let (whole, part) = (abs(value) / 10, abs(value) % 10)
    let sign = value < 0 ? "-" : ""
    if part == 0 { return "\(sign)\(whole)" }
    return whole == 0 ? "\(sign).\(part)" : "\(sign)\(whole).\(part)"
  }

  /// The path data of lines: the first point of each absolute, the others relative.
  static func path(_ lines: [[Point]], isClosed: Bool) -> String {
    var text = ""
    for line in lines {
      guard let first = line.first else { continue }
      var (x, y) = (rounded(first.x), rounded(first.y))
      text += "M\(tenths(x))"
      append(y, to: &text)
      var isFirst = true
      for point in line.dropFirst() {
        let (nextX, nextY) = (rounded(point.x), rounded(point.y))
        if nextX == x && nextY == y { continue }
        if isFirst { text += "l" }
        if isFirst { text += tenths(nextX - x) } else { append(nextX - x, to: &text) }
        append(nextY - y, to: &text)
        (x, y) = (nextX, nextY)
        isFirst = false
      }
      if isClosed { text += "z" }
    }
    return text
  }

  /// Path data that draws a dot at each point if the stroke has round ends.
  static func dots(_ points: [Point]) -> String {
    points.map { "M\(number($0.x)) \(number($0.y))h0" }.joined()
  }

  private static func append(_ value: Int, to text: inout String) {
    // A minus sign separates numbers, too, so the space is only needed before positive ones.
    if value >= 0 { text += " " }
    text += tenths(value)
  }

  /// Text escaped for XML.
  static func escaped(_ text: String) -> String {
    var buffer = OutputBuffer(capacity: text.utf8.count + 16)
    buffer.append(xml: Array(text.utf8).span)
    return buffer.text
  }
}

/// Writes the SVG elements of a sheet.
struct Pen {
  var svg = SVGText()

  /// Font families, the generic one last.
  static let serif = "Georgia,'Noto Serif','Liberation Serif','DejaVu Serif',serif"
  static let sans = "'Noto Sans','Liberation Sans',Arial,'DejaVu Sans',sans-serif"

  /// The style of a text.
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
    /// The rotation in degrees, clockwise.
    var turn = 0.0
  }

  /// The beginning of a drawing, up to its title.
  ///
  /// - Parameters:
  ///   - width: The width, with its unit.
  ///   - height: The height, with its unit.
  ///   - units: The part of the drawing that is visible.
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

  /// Writes lines, or the outline of a shape.
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

  /// Writes elements within a group.
  mutating func group(_ attributes: String, _ body: (inout Pen) -> Void) {
    svg.line(attributes.isEmpty ? "<g>" : "<g \(attributes)>")
    body(&self)
    svg.line("</g>")
  }
}

/// A picture with a palette, as a PNG file (ISO/IEC 15948).
struct PNGPicture: Sendable {
  /// Red, green, blue and opacity, each from 0 to 255.
  struct Colour: Sendable, Hashable {
    var red: UInt8
    var green: UInt8
    var blue: UInt8
    var alpha: UInt8
  }

  let width: Int
  let height: Int
  /// At most 256.
  let palette: [Colour]
  /// An index into the palette for each pixel, row by row.
  let pixels: [UInt8]

  /// The bytes of the PNG file.
  var file: [UInt8] {
    var file: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    Self.append("IHDR", Self.number(width) + Self.number(height) + [8, 3, 0, 0, 0], to: &file)
    Self.append("PLTE", palette.flatMap { [$0.red, $0.green, $0.blue] }, to: &file)
    Self.append("tRNS", palette.map(\.alpha), to: &file)
    var rows: [UInt8] = []
    rows.reserveCapacity((width + 1) * height)
    for row in 0..<height {
      // No filter: filters compress amounts, and these are indices.
      rows.append(0)
      rows += pixels[(row * width)..<((row + 1) * width)]
    }
    Self.append("IDAT", Zlib.compress(rows), to: &file)
    Self.append("IEND", [], to: &file)
    return file
  }

  private static func number(_ value: Int) -> [UInt8] {
    let value = UInt32(truncatingIfNeeded: value)
    return [24, 16, 8, 0].map { (shift: UInt32) in UInt8(truncatingIfNeeded: value >> shift) }
  }

  private static func append(_ type: String, _ content: [UInt8], to file: inout [UInt8]) {
    let body = Array(type.utf8) + content
    file += number(content.count) + body + number(Int(CRC32.checksum(of: body)))
  }
}

/// Numbers, dates and lengths as text.
package enum SheetText {
  /// Bytes in powers of a thousand with three significant digits, formatted as on the page.
  package static func bytes(_ number: Double) -> String {
    if number < 1000 { return "\(Int64(number)) \(number == 1 ? "byte" : "bytes")" }
    let units = ["kB", "MB", "GB", "TB", "PB"]
    var value = number / 1000
    var unit = 0
    while value >= 999.5, unit < units.count - 1 {
      value /= 1000
      unit += 1
    }
    let decimals = value < 9.995 ? 2 : value < 99.95 ? 1 : 0
    return fixed(value, decimals: decimals) + " " + units[unit]
  }

  /// A round number of bytes in powers of a thousand.
  static func bound(_ number: Double) -> String {
    if number < 1000 { return "\(Int64(number)) bytes" }
    let units = ["kB", "MB", "GB", "TB", "PB"]
    var value = number / 1000
    var unit = 0
    while value >= 1000, unit < units.count - 1 {
      value /= 1000
      unit += 1
    }
    return SVGText.number(value, decimals: 1) + " " + units[unit]
  }

  private static func fixed(_ value: Double, decimals: Int) -> String {
    var text = SVGText.number(value, decimals: decimals)
    if decimals == 0 { return text }
    if !text.contains(".") { text += "." }
    let missing = decimals - text.reversed().prefix { $0 != "." }.count
    return text + String(repeating: "0", count: max(0, missing))
  }

  /// A number as a word up to twelve, then as grouped digits.
  static func word(_ number: Int) -> String {
    let words = [
      "no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
      "twelve",
    ]
    return number < words.count ? words[number] : number.grouped
  }

  private static let months = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
  ]

  /// The day of a Unix time, such as `22 November 2026`.
  package static func day(_ seconds: Int64) -> String {
    let text = CivilTime.text(unixSeconds: seconds)
    let parts = text.prefix { $0 != "T" }.split(separator: "-").compactMap { Int($0) }
    guard parts.count == 3, (1...12).contains(parts[1]) else { return text }
    return "\(parts[2]) \(months[parts[1] - 1]) \(parts[0])"
  }

  /// Degrees with a cardinal direction.
  static func degrees(_ value: Double, decimals: Int, positive: String, negative: String) -> String
  {
    let number = SVGText.number(abs(value), decimals: decimals)
    return number + "°" + (number == "0" ? "" : value < 0 ? negative : positive)
  }

  /// A length in the largest unit, from kilometres to micrometres, that it has at least one of.
  static func length(_ metres: Double) -> String {
    let units = [(1000.0, "km"), (1, "m"), (0.01, "cm"), (0.001, "mm"), (1e-6, "µm")]
    let (size, unit) = units.first { metres >= $0.0 * 0.999 } ?? (1e-6, "µm")
    let value = metres / size
    if value >= 100 { return Int64(value.rounded()).grouped + " " + unit }
    return SVGText.number(value, decimals: 1) + " " + unit
  }
}
