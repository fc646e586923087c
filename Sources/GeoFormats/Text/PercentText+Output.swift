import GeoCore

extension PercentText {
  static let expansion = 3

  /// Puts a path; letters, digits and `-._~/` are not encoded.
  static func put(_ path: Span<UInt8>, to cursor: inout OutputCursor) {
    for index in 0..<path.count {
      let byte = path[index]
      if isPlain(byte) {
        cursor.put(byte: byte)
      } else {
        cursor.put(byte: UInt8(ascii: "%"))
        cursor.put(hexDigit: byte >> 4, ten: UInt8(ascii: "A"))
        cursor.put(hexDigit: byte & 15, ten: UInt8(ascii: "A"))
      }
    }
  }
}
