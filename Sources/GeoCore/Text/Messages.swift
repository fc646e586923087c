extension [String] {
  /// Joins words as in `a, b or c`.
  package func listed(by word: String) -> String {
    guard let last, count > 1 else { return joined() }
    return "\(dropLast().joined(separator: ", ")) \(word) \(last)"
  }
}

/// Words as POSIX shells read them.
package enum ShellText {
  /// Whether a shell reads the word as it is, without quotes.
  package static func isPlain(_ word: [UInt8]) -> Bool {
    !word.isEmpty && word.allSatisfy { $0.isAlphanumeric || "/._-+=:,@".utf8.contains($0) }
  }

  package static func quoted(_ word: [UInt8]) -> [UInt8] {
    let quote = UInt8(ascii: "'")
    let parts = word.split(separator: quote, omittingEmptySubsequences: false)
    return [quote] + parts.joined(separator: "'\\''".utf8) + [quote]
  }
}

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

package enum TimeLeft {
  /// Such as `43 %, 12 s left`; at most 99 %. The estimate is left out in the first second, and before
  /// 1 % is done. `elapsed` is in nanoseconds.
  package static func text(done: Double, elapsed: Int64) -> String {
    let done = min(max(done, 0), 0.99)
    let percent = "\(Int(done * 100)) %"
    if elapsed < 1_000_000_000 || done < 0.01 { return percent }
    let seconds = Double(elapsed) / 1e9 * (1 - done) / done
    return "\(percent), \(words(seconds: Int(min(seconds.rounded(.up), 1e9)))) left"
  }

  private static func words(seconds: Int) -> String {
    if seconds < 60 { return "\(seconds) s" }
    if seconds < 3600 { return "\(seconds / 60) min \(seconds % 60) s" }
    return "\(seconds / 3600) h \(seconds % 3600 / 60) min"
  }
}
