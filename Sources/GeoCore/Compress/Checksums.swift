/// The checksum of gzip: CRC-32 with the polynomial 0xEDB88320 (RFC 1952, 8).
package enum CRC32 {
  /// Tables for eight bytes at a time (slicing-by-8 of Kounavis and Berry).
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

  package static func checksum(of bytes: [UInt8]) -> UInt32 { checksum(of: bytes.span) }

  /// The checksum of bytes that follow others, whose checksum is `before`.
  package static func checksum(of bytes: Span<UInt8>, after before: UInt32 = 0) -> UInt32 {
    // The known length makes bounds checks unnecessary.
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

/// HMAC (RFC 2104) with SHA-256: a digest that takes a key to compute.
package struct HMAC: Sendable {
  // The states after the two padded keys, which each digest continues.
  private let inner: SHA256
  private let outer: SHA256

  /// Prepares a key of any length. A key of fewer than 32 bytes makes the digest weaker.
  package init(key: [UInt8]) {
    var key = key.count > SHA256.block ? SHA256.digest(key) : key
    key += [UInt8](repeating: 0, count: SHA256.block - key.count)
    var (inner, outer) = (SHA256(), SHA256())
    inner.add(key.map { $0 ^ 0x36 })
    outer.add(key.map { $0 ^ 0x5C })
    (self.inner, self.outer) = (inner, outer)
  }

  package func digest(_ bytes: [UInt8]) -> [UInt8] {
    var (inner, outer) = (inner, outer)
    inner.add(bytes)
    outer.add(inner.finish())
    return outer.finish()
  }
}

/// The checksum of zlib (RFC 1950, 8.2).
package enum Adler32 {
  /// The number of bytes that can be added before the sums have to be reduced modulo 65,521.
  private static let run = 5552

  package static func checksum(of bytes: [UInt8]) -> UInt32 {
    var (a, b): (UInt32, UInt32) = (1, 0)
    var rest = bytes[...]
    while !rest.isEmpty {
      for byte in rest.prefix(run) {
        a &+= UInt32(byte)
        b &+= a
      }
      a %= 65_521
      b %= 65_521
      rest = rest.dropFirst(run)
    }
    return b << 16 | a
  }
}
