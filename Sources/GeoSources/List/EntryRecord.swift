import GeoCore
import GeoSystem

/// A file's record, in memory and in scratch files.
///
/// Little-endian: the rank of its folder, the length of its name (4 bytes each), its size, its time
/// (8 each), its position in the list (6), its kind, its flags (1 each), its storage if known (32),
/// and the name.
enum EntryRecord {
  static var header: Int { 32 }
  static let longestPosition: UInt64 = 1 << 48 - 1

  @inline(__always)
  static func start(_ flags: ListedFacts.Flags) -> Int { flags.contains(.stored) ? 64 : 32 }

  static func append(
    rank: UInt32, name: Span<UInt8>, _ facts: ListedFacts, position: UInt64,
    to bytes: inout [UInt8]
  ) {
    bytes.append(little: UInt64(rank) | UInt64(name.count) << 32)
    bytes.append(little: facts.size)
    bytes.append(little: facts.modified)
    bytes.append(
      little: min(position, longestPosition) | UInt64(facts.kind.rawValue) << 48
        | UInt64(facts.flags.rawValue) << 56)
    if facts.flags.contains(.stored) {
      bytes.append(little: facts.storage.allocated)
      bytes.append(little: facts.storage.device)
      bytes.append(little: facts.storage.inode)
      bytes.append(little: UInt64(facts.storage.links))
    }
    bytes.append(copying: name)
  }

  @inline(__always)
  static func rank(_ bytes: Span<UInt8>, at offset: Int) -> UInt32 {
    bytes.loadHalfWord(at: offset)
  }

  @inline(__always)
  static func name(_ bytes: Span<UInt8>, at offset: Int) -> Range<Int> {
    let flags = ListedFacts.Flags(rawValue: bytes[offset + 31])
    let start = offset + start(flags)
    return start..<(start + Int(bytes.loadHalfWord(at: offset + 4)))
  }

  @inline(__always)
  static func facts(_ bytes: Span<UInt8>, at offset: Int) -> ListedFacts {
    var facts = ListedFacts(
      size: Int64(bitPattern: bytes.loadWord(at: offset + 8)),
      modified: Int64(bitPattern: bytes.loadWord(at: offset + 16)),
      kind: EntryKind(rawValue: bytes[offset + 30]) ?? .unknown,
      flags: ListedFacts.Flags(rawValue: bytes[offset + 31]))
    if facts.flags.contains(.stored) {
      facts.storage = ListedFacts.Storage(
        allocated: Int64(bitPattern: bytes.loadWord(at: offset + 32)),
        device: bytes.loadWord(at: offset + 40), inode: bytes.loadWord(at: offset + 48),
        links: bytes.loadHalfWord(at: offset + 56))
    }
    return facts
  }

  @inline(__always)
  static func position(_ bytes: Span<UInt8>, at offset: Int) -> UInt64 {
    bytes.loadWord(at: offset + 24) & longestPosition
  }
}

extension EntryRecord: RunRecord {
  /// The rank of the folder, then the first four bytes of the name.
  @inline(__always)
  static func key(_ bytes: Span<UInt8>, at offset: Int) -> UInt64 {
    let name = bytes.extracting(name(bytes, at: offset))
    return UInt64(rank(bytes, at: offset)) << 32 | name.bigEndianPrefix >> 32
  }

  @inline(__always)
  static func end(_ bytes: Span<UInt8>, at offset: Int) -> Int {
    name(bytes, at: offset).upperBound
  }

  /// Compares names of one folder by their bytes. Records with equal names stay in the order of the
  /// list.
  @inline(__always)
  static func compare(
    _ bytes: Span<UInt8>, at offset: Int, _ others: Span<UInt8>, at other: Int
  ) -> Int {
    let a = bytes.extracting(name(bytes, at: offset))
    let b = others.extracting(name(others, at: other))
    let common = min(a.count, b.count)
    // The first four bytes are in the keys.
    var index = min(4, common)
    while index < common {
      if a[index] != b[index] { return a[index] < b[index] ? -1 : 1 }
      index += 1
    }
    return a.count - b.count
  }
}
