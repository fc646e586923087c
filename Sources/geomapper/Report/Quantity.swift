import GeoCore

/// Numbers as people read them.
enum Quantity {
  /// A number of things, `1 file` or `1,000 files`.
  static func count(_ number: Int, _ thing: String) -> String {
    "\(number.grouped) \(thing)\(number == 1 ? "" : "s")"
  }

  /// Bytes in powers of a thousand, with one decimal.
  static func bytes(_ number: Int) -> String {
    if number < 1000 { return count(number, "byte") }
    var tenths = number / 100
    for unit in ["kB", "MB", "GB", "TB"] {
      if tenths < 10_000 { return "\(tenths / 10).\(tenths % 10) \(unit)" }
      tenths /= 1000
    }
    return "\((tenths / 10).grouped).\(tenths % 10) PB"
  }

  /// A time span with hundredths of seconds.
  static func seconds(nanoseconds: Int64) -> String {
    let hundredths = Int(nanoseconds / 10_000_000)
    let fraction = hundredths % 100
    return "\((hundredths / 100).grouped).\(fraction < 10 ? "0" : "")\(fraction) s"
  }
}

/// A text with spaces after it up to a width, and one at least.
func padded(_ text: String, _ width: Int) -> String {
  text + String(repeating: " ", count: max(1, width - text.count))
}
