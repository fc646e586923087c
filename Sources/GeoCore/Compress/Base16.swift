/// Bytes as text of 16 signs (RFC 4648, section 8), letters small.
package enum Base16 {
  /// The text of some bytes, two signs for each.
  ///
  /// - Complexity: O(bytes).
  package static func encode(_ bytes: some Sequence<UInt8>) -> String {
    var text: [UInt8] = []
    for byte in bytes {
      for digit in [byte >> 4, byte & 15] {
        text.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
      }
    }
    return String(decoding: text, as: UTF8.self)
  }
}
