import GeoCore
import GeoSystem

extension EntryRecord: RunRecord {
  /// The rank of the folder, then the first four bytes of the name.
  @inline(__always)
  static func key(_ bytes: Span<UInt8>, at offset: Int) -> UInt64 {
    let word = bytes.loadWord(at: offset)
    let name = bytes.extracting(name(bytes, at: offset))
    return word << 32 | name.bigEndianPrefix >> 32
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

/// A file's record, in memory and in scratch files.
///
/// Little-endian: the rank of its folder (4 bytes), the length of its name (2), its kind and flags,
/// its size, its time, its position in the list (8 each), its storage if known (32), and the name.
enum EntryRecord {
  static var header: Int { 32 }

  @inline(__always)
  static func start(_ flags: ListedFacts.Flags) -> Int { flags.contains(.stored) ? 64 : 32 }

  static func append(
    rank: UInt32, name: Span<UInt8>, _ facts: ListedFacts, position: UInt64,
    to bytes: inout [UInt8]
  ) {
    bytes.append(
      little: UInt64(rank) | UInt64(name.count) << 32 | UInt64(facts.kind.rawValue) << 48
        | UInt64(facts.flags.rawValue) << 56)
    bytes.append(little: UInt64(bitPattern: facts.size))
    bytes.append(little: UInt64(bitPattern: facts.modified))
    bytes.append(little: position)
    if facts.flags.contains(.stored) {
      let storage = facts.storage
      for word in [
        UInt64(bitPattern: storage.allocated), storage.device, storage.inode, UInt64(storage.links),
      ] {
        bytes.append(little: word)
      }
    }
    for index in 0..<name.count { bytes.append(name[index]) }
  }

  @inline(__always)
  static func name(_ bytes: Span<UInt8>, at offset: Int) -> Range<Int> {
    let word = bytes.loadWord(at: offset)
    let start = offset + start(flags(word))
    return start..<(start + Int(word >> 32 & 0xFFFF))
  }

  @inline(__always)
  private static func flags(_ word: UInt64) -> ListedFacts.Flags {
    ListedFacts.Flags(rawValue: UInt8(truncatingIfNeeded: word >> 56))
  }

  @inline(__always)
  static func facts(_ bytes: Span<UInt8>, at offset: Int) -> ListedFacts {
    let word = bytes.loadWord(at: offset)
    var facts = ListedFacts(
      size: Int64(bitPattern: bytes.loadWord(at: offset + 8)),
      modified: Int64(bitPattern: bytes.loadWord(at: offset + 16)),
      kind: EntryKind(rawValue: UInt8(truncatingIfNeeded: word >> 48)) ?? .unknown,
      flags: flags(word))
    if facts.flags.contains(.stored) {
      facts.storage = ListedFacts.Storage(
        allocated: Int64(bitPattern: bytes.loadWord(at: offset + 32)),
        device: bytes.loadWord(at: offset + 40), inode: bytes.loadWord(at: offset + 48),
        links: UInt32(truncatingIfNeeded: bytes.loadWord(at: offset + 56)))
    }
    return facts
  }

  @inline(__always)
  static func position(_ bytes: Span<UInt8>, at offset: Int) -> UInt64 {
    bytes.loadWord(at: offset + 24)
  }
}
