/// Reads the fields of a record at an offset.
enum ParquetRow {
  @inline(__always)
  static func double(_ bytes: Span<UInt8>, _ offset: Int) -> Double {
    Double(bitPattern: bytes.loadWord(at: offset))
  }

  @inline(__always)
  static func number(_ bytes: Span<UInt8>, _ offset: Int) -> Int64 {
    Int64(bitPattern: bytes.loadWord(at: offset))
  }

  @inline(__always)
  static func flags(_ bytes: Span<UInt8>, _ start: Int) -> NodeRecord.Flags {
    NodeRecord.Flags(
      rawValue: UInt16(
        truncatingIfNeeded: bytes.loadHalfWord(at: start + NodeRecord.flags)))
  }

  /// A text after its length.
  @inline(__always)
  static func text(_ bytes: Span<UInt8>, _ offset: Int) -> Range<Int> {
    (offset + 4)..<(offset + 4 + Int(bytes.loadHalfWord(at: offset)))
  }

  @inline(__always)
  static func path(_ bytes: Span<UInt8>, _ start: Int) -> Range<Int> {
    text(bytes, start + NodeRecord.path)
  }

  /// The last component of the path.
  @inline(__always)
  static func name(_ bytes: Span<UInt8>, _ start: Int) -> Range<Int> {
    let path = path(bytes, start)
    let name = Int(bytes.loadHalfWord(at: start + NodeRecord.name))
    return (path.lowerBound + name)..<path.upperBound
  }

  /// The path without the last component; nil for a root.
  @inline(__always)
  static func folder(_ bytes: Span<UInt8>, _ start: Int) -> Range<Int>? {
    let path = path(bytes, start)
    let name = Int(bytes.loadHalfWord(at: start + NodeRecord.name))
    return name == 0 ? nil : path.lowerBound..<(path.lowerBound + name - 1)
  }

  static func rawPath(_ bytes: Span<UInt8>, _ start: Int) -> Range<Int>? {
    guard flags(bytes, start).contains(.rawPath) else { return nil }
    return text(bytes, path(bytes, start).upperBound)
  }

  /// The offset of the three sums; nil without sums.
  static func totals(_ bytes: Span<UInt8>, _ start: Int) -> Int? {
    guard flags(bytes, start).contains(.totals) else { return nil }
    return (rawPath(bytes, start) ?? path(bytes, start)).upperBound
  }

  /// One of the three sums, if it is known.
  static func total(_ bytes: Span<UInt8>, _ start: Int, _ index: Int) -> Int64? {
    guard let place = totals(bytes, start) else { return nil }
    let sum = number(bytes, place + 8 * index)
    return sum == NodeRecord.unknownSum ? nil : sum
  }

  /// The offset of a closed ring, and its number of positions.
  @inline(__always)
  static func ring(_ bytes: Span<UInt8>, _ start: Int) -> (start: Int, count: Int)? {
    guard flags(bytes, start).contains(.ring) else { return nil }
    let offset = ringOffset(bytes, start)
    return (offset + 4, Int(bytes.loadHalfWord(at: offset)))
  }

  @inline(__always)
  private static func ringOffset(_ bytes: Span<UInt8>, _ start: Int) -> Int {
    totals(bytes, start).map { $0 + 24 }
      ?? (rawPath(bytes, start) ?? path(bytes, start)).upperBound
  }

  /// The bits of a value of layers, by the number of its column; nil without a value.
  static func layer(_ bytes: Span<UInt8>, _ start: Int, _ column: Int) -> UInt64? {
    guard flags(bytes, start).contains(.layers) else { return nil }
    let offset = ring(bytes, start).map { $0.start + 16 * $0.count } ?? ringOffset(bytes, start)
    let mask = bytes.loadHalfWord(at: offset)
    let bit: UInt32 = 1 << UInt32(column)
    if mask & bit == 0 { return nil }
    return bytes.loadWord(at: offset + 4 + 8 * (mask & (bit - 1)).nonzeroBitCount)
  }
}
