/// Numbers in readable form.
package enum Quantity {
  /// A number of things, such as `1 file` or `1,000 files`.
  package static func count(_ number: Int, _ thing: String) -> String {
    "\(number.grouped) \(thing)\(number == 1 ? "" : "s")"
  }

  /// Bytes in powers of a thousand, with one decimal.
  package static func bytes(_ number: Int) -> String {
    if number < 1000 { return count(number, "byte") }
    var tenths = number / 100
    for unit in ["kB", "MB", "GB", "TB"] {
      if tenths < 10_000 { return "\(tenths / 10).\(tenths % 10) \(unit)" }
      tenths /= 1000
    }
    return "\((tenths / 10).grouped).\(tenths % 10) PB"
  }

  /// A difference in bytes, with its sign.
  package static func signed(_ bytes: Int64) -> String {
    (bytes < 0 ? "-" : "+") + self.bytes(Int(clamping: bytes.magnitude))
  }

  /// A time span with hundredths of seconds.
  package static func seconds(nanoseconds: Int64) -> String {
    let hundredths = Int(nanoseconds / 10_000_000)
    let fraction = hundredths % 100
    return "\((hundredths / 100).grouped).\(fraction < 10 ? "0" : "")\(fraction) s"
  }
}
