/// Percent-encoding (RFC 3986) that keeps `/`: exact for any bytes.
package enum PercentText {
  /// Adds a path to bytes; letters, digits and `-._~/` are not encoded.
  package static func append(_ path: Span<UInt8>, to text: inout [UInt8]) {
    for index in 0..<path.count {
      let byte = path[index]
      if isPlain(byte) {
        text.append(byte)
      } else {
        text += [UInt8(ascii: "%"), hexDigit(byte >> 4), hexDigit(byte & 15)]
      }
    }
  }

  /// Decodes bytes; nil if a `%` is not followed by two digits, or for a zero byte, which no path has.
  package static func decoded(_ text: some Sequence<UInt8>) -> [UInt8]? {
    var bytes: [UInt8] = []
    var iterator = text.makeIterator()
    while let byte = iterator.next() {
      if byte != UInt8(ascii: "%") {
        bytes.append(byte)
        continue
      }
      guard let high = iterator.next()?.hexValue, let low = iterator.next()?.hexValue,
        high << 4 | low != 0
      else { return nil }
      bytes.append(high << 4 | low)
    }
    return bytes
  }

  private static func hexDigit(_ digit: UInt8) -> UInt8 {
    digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "A") + (digit - 10)
  }

  @inlinable @inline(__always)
  package static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-")...UInt8(ascii: "/"),
      UInt8(ascii: "_"), UInt8(ascii: "~"):
      return true
    default: return false
    }
  }
}
