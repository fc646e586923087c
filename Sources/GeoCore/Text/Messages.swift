/// What the user can do about an error.
package enum ErrorGroup: Sendable {
  /// Give other arguments.
  case usage
  /// Look whether a source is there, and may be read.
  case source
  /// Make a source again: it is damaged, or was changed.
  case damage
  /// Make room, or give another place: something can't be written.
  case output
  /// Give the program more: threads, memory, descriptors.
  case limit
}

/// An error that says what is wrong and what to do, in one line that is fit for a terminal.
package protocol GroupedError: Error, CustomStringConvertible {
  var group: ErrorGroup { get }
}

/// A text or value breaks the rules for it.
package struct Malformed: Error, Hashable, Sendable, CustomStringConvertible {
  /// What is wrong, in words that follow a colon.
  package let reason: String

  package init(reason: String) { self.reason = reason }

  package var description: String { reason }
}

/// Escapes names so that a terminal can only show them.
///
/// A name can contain escape sequences, line ends, or marks that change the reading direction. All
/// characters that control rather than show are escaped as in a Swift string literal: `\n`, `\t`,
/// `\u{202E}`. A byte that isn't UTF-8 becomes `\xFF`, and a backslash is doubled, so that
/// different names never look the same.
package enum TerminalText {
  /// The text to show for a name or path.
  ///
  /// - Complexity: O(count).
  package static func escaped(_ bytes: Span<UInt8>) -> String {
    String(decoding: escapedBytes(bytes), as: UTF8.self)
  }

  /// The text to show for a name or path.
  ///
  /// - Complexity: O(count).
  package static func escaped(_ bytes: [UInt8]) -> String { escaped(bytes.span) }

  /// The text to show for a name or path, as UTF-8.
  ///
  /// - Complexity: O(count).
  package static func escapedBytes(_ bytes: Span<UInt8>) -> [UInt8] {
    var text: [UInt8] = []
    text.reserveCapacity(bytes.count)
    var index = 0
    while index < bytes.count {
      let step = bytes.utf8Step(at: index)
      let end = index + step.length
      if !step.isValid {
        for position in index..<end {
          text.append(contentsOf: "\\x\(hex(UInt32(bytes[position])))".utf8)
        }
      } else if let spelling = spelling(of: scalar(in: bytes, from: index, to: end)) {
        text.append(contentsOf: spelling.utf8)
      } else {
        for position in index..<end { text.append(bytes[position]) }
      }
      index = end
    }
    return text
  }

  /// The escape of a scalar; nil if it is shown as it is.
  private static func spelling(of scalar: Unicode.Scalar) -> String? {
    switch scalar {
    case "\\": return "\\\\"
    case "\n": return "\\n"
    case "\r": return "\\r"
    case "\t": return "\\t"
    case " "..."~": return nil
    case "\u{200C}", "\u{200D}": return nil  // joiners: words and emoji are spelled with them
    default: break
    }
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator:
      return "\\u{\(hex(scalar.value))}"
    default:
      return nil
    }
  }

  /// The scalar encoded by well-formed bytes.
  private static func scalar(
    in bytes: Span<UInt8>, from start: Int, to end: Int
  ) -> Unicode.Scalar {
    let lead = UInt32(bytes[start])
    if end == start + 1 { return Unicode.Scalar(UInt8(lead)) }
    var value = lead & (0x7F >> UInt32(end - start))
    for index in (start + 1)..<end { value = value << 6 | UInt32(bytes[index] & 0x3F) }
    return Unicode.Scalar(value) ?? "\u{FFFD}"
  }

  /// A number in upper-case hexadecimal, with at least two digits.
  private static func hex(_ value: UInt32) -> String {
    let digits = String(value, radix: 16, uppercase: true)
    return digits.count < 2 ? "0" + digits : digits
  }
}

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
    !word.isEmpty
      && word.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"):
          true
        default: "/._-+=:,@".utf8.contains(byte)
        }
      }
  }

  /// The word in single quotes.
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

/// Formats the progress of a task and an estimate of the time left.
package enum TimeLeft {
  /// The progress as text, such as `43 %, 12 s left`.
  ///
  /// - Parameters:
  ///   - done: The part that is done, 0 to 1; shown as at most 99 %.
  ///   - elapsed: Nanoseconds since the beginning. The estimate is left out in the first second,
  ///     and before 1 % is done.
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
