/// Escapes names so that a terminal can only show them.
///
/// A name can contain escape sequences, line ends, or marks that change the reading direction. All
/// characters that control rather than show are escaped as in a Swift string literal: `\n`, `\t`,
/// `\u{202E}`. A byte that isn't UTF-8 becomes `\xFF`, and a backslash is doubled, so that
/// different names never look the same.
package enum TerminalText {
  /// The text to show for a name or path.
  package static func escaped(_ bytes: Span<UInt8>) -> String {
    String(decoding: escapedBytes(bytes), as: UTF8.self)
  }

  package static func escaped(_ bytes: [UInt8]) -> String { escaped(bytes.span) }

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
