/// The checksum of gzip: CRC-32 with the polynomial 0xEDB88320 (RFC 1952, 8).
package enum CRC32 {
  /// What each byte does, eight bytes at a time (the slicing of Kounavis and Berry).
  private static let tables: [UInt32] = {
    var tables = [UInt32](repeating: 0, count: 2048)
    for byte in 0..<256 {
      var value = UInt32(byte)
      for _ in 0..<8 { value = value & 1 == 1 ? value >> 1 ^ 0xEDB8_8320 : value >> 1 }
      tables[byte] = value
    }
    for index in 256..<2048 {
      let before = tables[index - 256]
      tables[index] = before >> 8 ^ tables[Int(before & 0xFF)]
    }
    return tables
  }()

  /// The checksum of some bytes.
  package static func checksum(of bytes: [UInt8]) -> UInt32 { checksum(of: bytes.span) }

  /// The checksum of some bytes that follow others.
  ///
  /// - Parameter before: The checksum of the others.
  package static func checksum(of bytes: Span<UInt8>, after before: UInt32 = 0) -> UInt32 {
    // So long that no look-up has to be checked.
    let tables = tables.span.extracting(0..<2048)
    var value = ~before
    var index = 0
    while index + 8 <= bytes.count {
      let word = UInt64(value) ^ bytes.loadWord(at: index)
      let low =
        tables[1792 + Int(word & 0xFF)] ^ tables[1536 + Int(word >> 8 & 0xFF)]
        ^ tables[1280 + Int(word >> 16 & 0xFF)] ^ tables[1024 + Int(word >> 24 & 0xFF)]
      let high =
        tables[768 + Int(word >> 32 & 0xFF)] ^ tables[512 + Int(word >> 40 & 0xFF)]
        ^ tables[256 + Int(word >> 48 & 0xFF)] ^ tables[Int(word >> 56)]
      value = low ^ high
      index += 8
    }
    while index < bytes.count {
      value = value >> 8 ^ tables[Int((value ^ UInt32(bytes[index])) & 0xFF)]
      index += 1
    }
    return ~value
  }
}
