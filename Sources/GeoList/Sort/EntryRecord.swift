import GeoPath

/// An entry that is no folder, as it is kept in memory and in scratch files.
///
/// Little-endian: the rank of its folder (4 bytes), the length of its name (2), its kind and flags,
/// its size, its time, its position in the list (8 each), and the name.
enum EntryRecord {
  static let header = 32

  static func append(
    rank: UInt32, name: Span<UInt8>, _ facts: ListedFacts, position: UInt64,
    to bytes: inout [UInt8]
  ) {
    append(
      UInt64(rank) | UInt64(name.count) << 32 | UInt64(facts.kind.rawValue) << 48
        | UInt64(facts.flags.rawValue) << 56, to: &bytes)
    append(UInt64(bitPattern: facts.size), to: &bytes)
    append(UInt64(bitPattern: facts.modified), to: &bytes)
    append(position, to: &bytes)
    for index in 0..<name.count { bytes.append(name[index]) }
  }

  private static func append(_ word: UInt64, to bytes: inout [UInt8]) {
    for shift in stride(from: UInt64(0), to: 64, by: 8) {
      bytes.append(UInt8(truncatingIfNeeded: word >> shift))
    }
  }

  /// The rank of the folder of the record at some place, before the first four bytes of its name.
  @inline(__always)
  static func key(_ bytes: Span<UInt8>, at offset: Int) -> UInt64 {
    let word = bytes.loadWord(at: offset)
    let name = bytes.extracting(name(bytes, at: offset))
    return word << 32 | name.bigEndianPrefix >> 32
  }

  @inline(__always)
  static func name(_ bytes: Span<UInt8>, at offset: Int) -> Range<Int> {
    let length = Int(bytes.loadWord(at: offset) >> 32 & 0xFFFF)
    return (offset + header)..<(offset + header + length)
  }

  @inline(__always)
  static func facts(_ bytes: Span<UInt8>, at offset: Int) -> ListedFacts {
    let word = bytes.loadWord(at: offset)
    return ListedFacts(
      size: Int64(bitPattern: bytes.loadWord(at: offset + 8)),
      modified: Int64(bitPattern: bytes.loadWord(at: offset + 16)),
      kind: EntryKind(rawValue: UInt8(truncatingIfNeeded: word >> 48)) ?? .unknown,
      flags: ListedFacts.Flags(rawValue: UInt8(truncatingIfNeeded: word >> 56)))
  }

  @inline(__always)
  static func position(_ bytes: Span<UInt8>, at offset: Int) -> UInt64 {
    bytes.loadWord(at: offset + 24)
  }

  /// Whether one record stands before another: by folder, then by name, then by position.
  @inline(__always)
  static func orders(
    _ a: Span<UInt8>, at x: Int, key keyA: UInt64, before b: Span<UInt8>, at y: Int,
    key keyB: UInt64
  ) -> Bool {
    if keyA != keyB { return keyA < keyB }
    let nameA = a.extracting(name(a, at: x))
    let nameB = b.extracting(name(b, at: y))
    let common = min(nameA.count, nameB.count)
    var index = min(4, common)
    while index < common {
      if nameA[index] != nameB[index] { return nameA[index] < nameB[index] }
      index += 1
    }
    if nameA.count != nameB.count { return nameA.count < nameB.count }
    return position(a, at: x) < position(b, at: y)
  }
}
