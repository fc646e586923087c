/// Numbers as text.
enum Text {
  /// A number with a fixed number of decimals.
  static func decimals(_ value: Double, _ count: Int) -> String {
    guard value.isFinite, abs(value) < 1e15 else { return "–" }
    var scale = 1
    for _ in 0..<count { scale *= 10 }
    let scaled = Int((abs(value) * Double(scale)).rounded())
    let sign = value < 0 && scaled > 0 ? "-" : ""
    guard count > 0 else { return sign + String(scaled) }
    let fraction = String(scaled % scale)
    return sign + String(scaled / scale) + "."
      + String(repeating: "0", count: count - fraction.count) + fraction
  }

  /// A positive number with three significant digits, or with all digits before the point.
  static func significant(_ value: Double) -> String {
    let size = abs(value)
    return decimals(value, size >= 100 ? 0 : size >= 10 ? 1 : size >= 1 ? 2 : size >= 0.1 ? 3 : 4)
  }

  /// A number with commas between groups of three digits, such as 1,000,000.
  static func grouped(_ value: Int) -> String {
    var text = ""
    for (index, digit) in String(abs(value)).reversed().enumerated() {
      if index > 0, index % 3 == 0 { text.append(",") }
      text.append(digit)
    }
    return (value < 0 ? "-" : "") + String(text.reversed())
  }

  /// Bytes in MiB.
  static func mebibytes(_ bytes: Int) -> String { significant(Double(bytes) / 1_048_576) }

  static func padded(_ text: String, to width: Int, left: Bool) -> String {
    let space = String(repeating: " ", count: max(0, width - text.count))
    return left ? text + space : space + text
  }
}
