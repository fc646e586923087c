import GeoFormats
import GeoProjection

/// The check sum at the end of a text.
///
/// It tells a text that was changed by accident or by hand from one that wasn't. It is no signature:
/// whoever wants to can compute it, too.
enum Seal {
  /// What stands before the sum, as the last member of an object.
  static let head: StaticString = ",\"sum\":\""
  /// What stands after it.
  static let tail: StaticString = "\"}\n"
  /// Bytes from the head's first to the tail's last.
  static var length: Int { head.utf8CodeUnitCount + 16 + tail.utf8CodeUnitCount }

  /// Whether a text ends with the sum of all before it.
  static func fits(_ text: Span<UInt8>) -> Bool {
    let body = text.extracting(droppingLast: length)
    var end = OutputBuffer(capacity: length)
    append(XXH64.hash(body, seed: 0), to: &end)
    return end.withBytes { $0.equals(text.extracting(last: length)) }
  }

  /// Puts a sum, and with it the end of the text.
  static func append(_ sum: UInt64, to buffer: inout OutputBuffer) {
    buffer.append(head)
    buffer.append(hex: sum)
    buffer.append(tail)
  }
}

extension OutputBuffer {
  /// Adds sixteen digits of base 16, in quotes or not as the caller has it.
  mutating func append(hex number: UInt64) {
    for shift in stride(from: 60, through: 0, by: -4) {
      let digit = UInt8(truncatingIfNeeded: number >> UInt64(shift) & 15)
      append(byte: digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
    }
  }
}
