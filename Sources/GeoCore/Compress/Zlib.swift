/// Packs bytes as a zlib stream (RFC 1950), as pictures of the PNG format have it.
package enum Zlib {
  /// The packed bytes, the same for the same input.
  ///
  /// - Complexity: O(count); some 30 ns a byte.
  package static func compress(_ bytes: [UInt8]) -> [UInt8] {
    // Method 8, a window of 32 KiB, the usual effort; both together a multiple of 31.
    var result: [UInt8] = [0x78, 0x9C]
    result.reserveCapacity(bytes.count / 2 + 64)
    var deflater = Deflater()
    deflater.compress(bytes, to: &result)
    let sum = Adler32.checksum(of: bytes)
    for shift in [24, 16, 8, 0] as [UInt32] {
      result.append(UInt8(truncatingIfNeeded: sum >> shift))
    }
    return result
  }
}

/// The checksum of zlib (RFC 1950, 8.2).
package enum Adler32 {
  /// As many bytes as can be added before the sums have to be taken modulo 65,521.
  private static let run = 5552

  /// The checksum of some bytes.
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
