import GeoCore

/// Reads a column of run-length encoded numbers.
struct RunReader {
  private var reader: ByteReader
  private var number: UInt64 = 0
  private var left: UInt64 = 0

  init(_ range: Range<Int> = 0..<0) { reader = ByteReader(range) }

  @inline(__always)
  mutating func take(in bytes: Span<UInt8>) throws(ByteDamage) -> UInt64 {
    if left == 0 {
      number = try reader.takeVarint(in: bytes)
      left = try reader.takeVarint(in: bytes)
      if left == 0 { throw .malformed }
    }
    left -= 1
    return number
  }

  /// With its repetitions, `limit` at most (at least one).
  @inline(__always)
  mutating func takeRun(
    upTo limit: Int, in bytes: Span<UInt8>
  ) throws(ByteDamage) -> (number: UInt64, count: Int) {
    let number = try take(in: bytes)
    let more = Int(min(left, UInt64(limit - 1)))
    left -= UInt64(more)
    return (number, 1 + more)
  }

  @inline(__always)
  mutating func takeDifference(in bytes: Span<UInt8>) throws(ByteDamage) -> Int64 {
    Int64(zigzag: try take(in: bytes))
  }
}
