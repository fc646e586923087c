/// Base 64 (RFC 4648, section 4).
enum Base64 {
  /// The text of some bytes.
  static func encode(_ bytes: [UInt8]) -> String {
    let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    var text: [UInt8] = []
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let part = bytes[start..<min(start + 3, bytes.count)]
      var bits = part.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - part.count))
      var group: [UInt8] = []
      for _ in 0..<4 {
        group.insert(letters[bits & 63], at: 0)
        bits >>= 6
      }
      for index in (part.count + 1)..<4 { group[index] = UInt8(ascii: "=") }
      text += group
    }
    return String(decoding: text, as: UTF8.self)
  }
}
