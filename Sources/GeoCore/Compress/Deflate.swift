/// Compresses bytes to a gzip file (RFC 1952).
package enum Gzip {
  /// The result depends only on the input and the effort. About 30 ns a byte with the default effort.
  package static func compress(
    _ bytes: [UInt8], effort: Deflater.Effort = .thorough
  ) -> [UInt8] {
    var packer = GzipPacker(effort: effort)
    return packer.pack(bytes)
  }
}

/// Compresses several inputs to gzip files (RFC 1952) with the same memory.
package struct GzipPacker {
  private var deflater: Deflater

  package var effort: Deflater.Effort {
    get { deflater.effort }
    set { deflater.effort = newValue }
  }

  package init(effort: Deflater.Effort = .thorough) { deflater = Deflater(effort: effort) }

  package mutating func pack(_ bytes: [UInt8]) -> [UInt8] {
    // No name, time or system in the header, so that the same input always gives the same bytes.
    var result: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255]
    result.reserveCapacity(bytes.count / 2 + 64)
    deflater.compress(bytes, to: &result)
    result.append(little: CRC32.checksum(of: bytes))
    result.append(little: UInt32(truncatingIfNeeded: bytes.count))
    return result
  }
}

/// Compresses bytes to a zlib stream (RFC 1950), as PNG needs it.
package enum Zlib {
  package static func compress(_ bytes: [UInt8]) -> [UInt8] {
    // Method 8, a window of 32 KiB and the default effort; both bytes together are a multiple of
    // 31.
    var result: [UInt8] = [0x78, 0x9C]
    result.reserveCapacity(bytes.count / 2 + 64)
    var deflater = Deflater()
    deflater.compress(bytes, to: &result)
    // Big-endian.
    result.append(little: Adler32.checksum(of: bytes).byteSwapped)
    return result
  }
}
