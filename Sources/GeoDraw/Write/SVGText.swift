import GeoFormats

/// The text of a drawing as it grows.
struct SVGText: Sendable {
  private(set) var bytes: [UInt8] = []

  /// Adds what is written as it stands.
  mutating func put(_ text: String) { bytes += text.utf8 }

  /// Adds a line.
  mutating func line(_ text: String) {
    put(text)
    put("\n")
  }

  /// A number with one decimal at most, without what says nothing.
  static func number(_ value: Double) -> String { tenths(rounded(value)) }

  /// A number with so many decimals at most.
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

  /// Lines, as the data of a path: the first point of each, then the way to the next.
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

  /// Points as dots of a line with round ends.
  static func dots(_ points: [Point]) -> String {
    points.map { "M\(number($0.x)) \(number($0.y))h0" }.joined()
  }

  private static func append(_ value: Int, to text: inout String) {
    // A sign parts numbers as well as a space does.
    if value >= 0 { text += " " }
    text += tenths(value)
  }

  /// A text as it may stand in XML.
  static func escaped(_ text: String) -> String {
    var buffer = OutputBuffer(capacity: text.utf8.count + 16)
    buffer.append(xml: Array(text.utf8).span)
    return buffer.text
  }
}
