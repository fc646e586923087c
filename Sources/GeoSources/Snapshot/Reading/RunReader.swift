/// A column in which numbers mostly repeat.
struct RunReader {
  private var reader: ByteReader
  private var number: UInt64 = 0
  private var left: UInt64 = 0

  init(_ range: Range<Int> = 0..<0) { reader = ByteReader(range) }

  /// The next number.
  @inline(__always)
  mutating func take(in bytes: Span<UInt8>) throws(SnapshotDamage) -> UInt64 {
    if left == 0 {
      number = try reader.takeVarint(in: bytes)
      left = try reader.takeVarint(in: bytes)
      if left == 0 { throw .malformed }
    }
    left -= 1
    return number
  }

  /// The next number, and how often it comes, up to a limit of at least one.
  @inline(__always)
  mutating func takeRun(
    upTo limit: Int, in bytes: Span<UInt8>
  ) throws(SnapshotDamage) -> (number: UInt64, count: Int) {
    let number = try take(in: bytes)
    let more = Int(min(left, UInt64(limit - 1)))
    left -= UInt64(more)
    return (number, 1 + more)
  }

  /// The next difference.
  @inline(__always)
  mutating func takeDifference(in bytes: Span<UInt8>) throws(SnapshotDamage) -> Int64 {
    let number = try take(in: bytes)
    return Int64(bitPattern: number >> 1 ^ (0 &- (number & 1)))
  }
}
