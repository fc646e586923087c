import GeoCore

/// Bytes as copies from similar ones, and literals.
///
/// Encoded: the length of the instructions (varint), the instructions, the literals. An instruction
/// is three varints: how many literals, how many bytes of the source follow them, and where in the
/// source, as a difference from where the last copy ended plus the literals.
enum ByteDelta {
  /// The shortest copy that continues at the expected place, a few bytes from there, and elsewhere:
  /// a distant copy takes two long instructions, there and back.
  private static let shortest = (expected: 4, near: 6, elsewhere: 16)
  private static let hashBits = 16

  /// Finds places of the source by their first eight bytes.
  private struct Places {
    private var table: [Int32]

    init(_ source: Span<UInt8>) {
      table = [Int32](repeating: -1, count: 1 << ByteDelta.hashBits)
      // Long sources are sampled, so that the table doesn't overflow.
      let step = max(1, source.count >> (ByteDelta.hashBits + 1))
      var place = 0
      while place + 8 <= source.count {
        table[Self.hash(source.loadWord(at: place))] = Int32(truncatingIfNeeded: place)
        place += step
      }
    }

    private static func hash(_ word: UInt64) -> Int {
      Int(
        truncatingIfNeeded: (word &* 0x9E37_79B9_7F4A_7C15) >> UInt64(64 - ByteDelta.hashBits))
    }

    func first(_ word: UInt64) -> Int { Int(table[Self.hash(word)]) }
  }

  static func encode(_ target: Span<UInt8>, from source: Span<UInt8>) -> [UInt8] {
    let places = Places(source)
    var instructions: [UInt8] = []
    var literals: [UInt8] = []
    var position = 0
    /// Where the source is expected to go on, and where the literals since the last copy begin.
    var (expected, start) = (0, 0)
    func put(copying length: Int, at place: Int) {
      instructions.append(varint: UInt64(position - start))
      instructions.append(varint: UInt64(length))
      instructions.append(zigzag: Int64(place - expected))
      for index in start..<position { literals.append(target[index]) }
      position += length
      (expected, start) = (place + length, position)
    }
    while position < target.count {
      var length = common(target, position, source, expected)
      var place = expected
      if length < shortest.expected { length = 0 }
      for shift in [-1, 1, -2, 2, -3, 3] where length < shortest.near {
        let found = common(target, position, source, expected + shift)
        if found >= shortest.near { (length, place) = (found, expected + shift) }
      }
      if length < shortest.elsewhere, position + 8 <= target.count {
        let other = places.first(target.loadWord(at: position))
        if other >= 0, other != expected {
          let found = common(target, position, source, other)
          if found >= shortest.elsewhere, found > length + 4 { (length, place) = (found, other) }
        }
      }
      if length == 0 {
        position += 1
        expected += 1
      } else {
        put(copying: length, at: place)
      }
    }
    if start < position { put(copying: 0, at: expected) }
    var result: [UInt8] = []
    result.append(varint: UInt64(instructions.count))
    return result + instructions + literals
  }

  private static func common(
    _ target: Span<UInt8>, _ position: Int, _ source: Span<UInt8>, _ place: Int
  ) -> Int {
    if place < 0 || place >= source.count { return 0 }
    return target.extracting(position...).commonPrefix(with: source.extracting(place...), from: 0)
  }

  /// The caller has checked that the length of the result is small enough.
  static func decode(
    _ bytes: Span<UInt8>, _ range: Range<Int>, from source: Span<UInt8>, length: Int
  ) throws(ByteDamage) -> [UInt8] {
    var reader = ByteReader(range)
    let count = try reader.takeCount(in: bytes)
    var instructions = ByteReader(try reader.take(count))
    var result: [UInt8] = []
    result.reserveCapacity(length)
    var expected = 0
    while !instructions.isAtEnd {
      let literals = try instructions.takeVarint(in: bytes)
      let copied = try instructions.takeVarint(in: bytes)
      let jump = try instructions.takeDifference(in: bytes)
      guard literals <= UInt64(reader.remaining), copied <= UInt64(length),
        result.count + Int(literals) + Int(copied) <= length
      else { throw .malformed }
      for index in try reader.take(Int(literals)) { result.append(bytes[index]) }
      let (place, overflow) = Int64(expected + Int(literals)).addingReportingOverflow(jump)
      guard !overflow, place >= 0, place <= source.count || copied == 0 else { throw .malformed }
      if copied == 0 { continue }
      guard Int(copied) <= source.count - Int(place) else { throw .malformed }
      for index in Int(place)..<(Int(place) + Int(copied)) { result.append(source[index]) }
      expected = Int(place) + Int(copied)
    }
    guard reader.isAtEnd, result.count == length else { throw .malformed }
    return result
  }
}
