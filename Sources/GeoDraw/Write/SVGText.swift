import GeoCore
import GeoFormats

struct SVGText: Sendable {
  private(set) var bytes: [UInt8] = []

  /// Appends text without escaping.
  mutating func put(_ text: String) { bytes += text.utf8 }

  mutating func line(_ text: String) {
    put(text)
    put("\n")
  }

  /// A number with at most one decimal, without needless zeros.
  static func number(_ value: Double) -> String { tenths(rounded(value)) }

  static func number(_ value: Double, decimals: Int, keepsZeros: Bool = false) -> String {
    var unit = 1
    for _ in 0..<decimals { unit *= 10 }
    let whole = Int(Look.clamp((value * Double(unit)).rounded(), -9e15, 9e15))
    var fraction = String(abs(whole) % unit)
    fraction = String(repeating: "0", count: max(0, decimals - fraction.count)) + fraction
    while fraction.last == "0", !keepsZeros { fraction.removeLast() }
    let sign = whole < 0 ? "-" : ""
    let text = "\(abs(whole) / unit)"
    if decimals == 0 || fraction.isEmpty { return whole == 0 ? "0" : sign + text }
    return sign + text + "." + fraction
  }

  static func pair(_ point: Point) -> String { "\(number(point.x)) \(number(point.y))" }

  static func attributes(_ box: Box) -> String {
    "x=\"\(number(box.left))\" y=\"\(number(box.top))\" width=\"\(number(box.width))\" "
      + "height=\"\(number(box.height))\""
  }

  private static func rounded(_ value: Double) -> Int {
    Int(Look.clamp((value * 10).rounded(), -1e9, 1e9))
  }

  private static func tenths(_ value: Int) -> String {
    let (whole, fraction) = (abs(value) / 10, abs(value) % 10)
    let sign = value < 0 ? "-" : ""
    if fraction == 0 { return "\(sign)\(whole)" }
    return whole == 0 ? "\(sign).\(fraction)" : "\(sign)\(whole).\(fraction)"
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
    points.map { "M\(pair($0))h0" }.joined()
  }

  private static func append(_ value: Int, to text: inout String) {
    // A minus sign separates numbers, too, so the space is only needed before positive ones.
    if value >= 0 { text += " " }
    text += tenths(value)
  }

  static func escaped(_ text: String) -> String {
    var buffer = OutputBuffer(capacity: text.utf8.count + 16)
    buffer.append(xml: Array(text.utf8).span)
    return buffer.text
  }
}

/// A picture with a palette, as a PNG file (ISO/IEC 15948).
struct PNGPicture: Sendable {
  struct Colour: Sendable, Hashable {
    let red, green, blue, alpha: UInt8
  }

  let width, height: Int
  /// At most 256.
  let palette: [Colour]
  let pixels: [UInt8]

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
