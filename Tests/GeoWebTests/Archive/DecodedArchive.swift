import GeoCore

@testable import GeoWeb

/// An archive, decoded by the specification (PMTiles 3) without code of the writer.
struct DecodedArchive {
  struct Fault: Error {
    var reason: String
  }

  let bytes: [UInt8]
  /// All entries except those that point to leaves, in the order of their tiles.
  private(set) var entries: [ArchiveEntry] = []
  /// The number of leaf directories.
  private(set) var leafCount = 0

  init(_ bytes: [UInt8]) throws {
    self.bytes = bytes
    guard bytes.count >= 127, bytes.prefix(8).elementsEqual(Array("PMTiles".utf8) + [3]) else {
      throw Fault(reason: "no archive")
    }
    for entry in try directory(number(8), number(16)) {
      if entry.run > 0 {
        entries.append(entry)
        continue
      }
      leafCount += 1
      entries += try directory(number(40) + Int(entry.offset), Int(entry.length))
    }
  }

  /// A little-endian number of eight bytes.
  func number(_ offset: Int) -> Int {
    (0..<8).reduce(0) { $0 | Int(bytes[offset + $1]) << (8 * $1) }
  }

  /// A decompressed range of bytes.
  func unpacked(_ offset: Int, _ length: Int) throws -> [UInt8] {
    guard offset >= 0, length > 18, offset + length <= bytes.count else {
      throw Fault(reason: "\(length) bytes at \(offset)")
    }
    return try Self.unpack(Array(bytes[offset..<(offset + length)]))
  }

  /// Decompresses a gzip file, and verifies its checksum and length.
  static func unpack(_ packed: [UInt8]) throws -> [UInt8] {
    func word(_ offset: Int) -> UInt32 {
      (0..<4).reduce(0) { $0 | UInt32(packed[packed.count - 8 + offset + $1]) << UInt32(8 * $1) }
    }
    let length = Int(word(4))
    var inflater = Inflater()
    var result: [UInt8] = []
    try inflater.inflate(packed, from: 10, limit: length, into: &result)
    guard result.count == length, CRC32.checksum(of: result) == word(0) else {
      throw Fault(reason: "what is packed is not what it says")
    }
    return result
  }

  private func directory(_ offset: Int, _ length: Int) throws -> [ArchiveEntry] {
    try Self.entries(try unpacked(offset, length))
  }

  /// The entries of a directory.
  static func entries(_ bytes: [UInt8]) throws -> [ArchiveEntry] {
    var position = 0
    func varint() throws -> UInt64 {
      var (value, shift): (UInt64, UInt64) = (0, 0)
      while position < bytes.count {
        let byte = bytes[position]
        position += 1
        value |= UInt64(byte & 0x7F) << shift
        if byte < 0x80 { return value }
        shift += 7
      }
      throw Fault(reason: "a directory ends too soon")
    }
    let count = Int(try varint())
    var tile: UInt64 = 0
    var entries: [ArchiveEntry] = []
    for _ in 0..<count {
      tile += try varint()
      entries.append(ArchiveEntry(tile: tile, run: 0, offset: 0, length: 0))
    }
    for index in 0..<count { entries[index].run = UInt32(try varint()) }
    for index in 0..<count { entries[index].length = UInt32(try varint()) }
    for index in 0..<count {
      let number = try varint()
      entries[index].offset =
        number > 0 ? number - 1 : entries[index - 1].offset + UInt64(entries[index - 1].length)
    }
    if position != bytes.count { throw Fault(reason: "a directory goes on behind its end") }
    return entries
  }

  /// The decompressed tiles, by their numbers.
  func tiles() throws -> [UInt64: [UInt8]] {
    var tiles: [UInt64: [UInt8]] = [:]
    for entry in entries {
      let tile = try unpacked(number(56) + Int(entry.offset), Int(entry.length))
      for number in entry.tile..<(entry.tile + UInt64(entry.run)) { tiles[number] = tile }
    }
    return tiles
  }
}
