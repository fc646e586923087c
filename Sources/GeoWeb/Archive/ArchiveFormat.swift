import GeoCore
import GeoSystem

/// The location of the bytes of one or more tiles (PMTiles specification, version 3, section 4).
struct ArchiveEntry: Hashable, Sendable {
  var tile: UInt64
  /// The number of consecutive tiles with these bytes. With 0 it is the entry of a leaf directory,
  /// which covers the tiles from this one up to the next entry's.
  var run: UInt32
  /// The offset of the bytes from the start of their section.
  var offset: UInt64
  var length: UInt32
}

enum ArchiveDirectory {
  /// Encodes a directory, compressed with gzip. It is stored by columns: tile numbers, which are
  /// sorted, as differences, and offset 0 where the bytes follow those of the previous entry.
  static func encode(_ entries: [ArchiveEntry], by packer: inout GzipPacker) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(8 * entries.count + 8)
    bytes.append(varint: UInt64(entries.count))
    var last: UInt64 = 0
    for entry in entries {
      bytes.append(varint: entry.tile - last)
      last = entry.tile
    }
    for entry in entries { bytes.append(varint: UInt64(entry.run)) }
    for entry in entries { bytes.append(varint: UInt64(entry.length)) }
    var next: UInt64?
    for entry in entries {
      bytes.append(varint: entry.offset == next ? 0 : entry.offset + 1)
      next = entry.offset + UInt64(entry.length)
    }
    return packer.pack(bytes)
  }
}

/// The directories of an archive: a root, with leaves if it would be too large without.
struct Directories {
  private(set) var root: [UInt8] = []
  /// The concatenated leaves; nil if the root has all entries.
  private(set) var leaves: ScratchFile?

  /// The maximum number of entries to try without leaves.
  private static let maximumInRoot = 16_384
  /// The minimum number of entries of a leaf: some ten kilobytes, one request of a client.
  private static let minimumInLeaf = 4096
  private static let maximumOfRoot = ArchiveHeader.lead - ArchiveHeader.length

  init(_ entries: EntryList) throws(Errno) {
    var packer = GzipPacker()
    if entries.count <= Self.maximumInRoot {
      root = ArchiveDirectory.encode(try entries.read(0..<entries.count), by: &packer)
      if root.count <= Self.maximumOfRoot { return }
    }
    var size = max(Self.minimumInLeaf, entries.count / 1024)
    repeat {
      leaves = try build(entries, leavesOf: size, &packer)
      size *= 2
    } while root.count > Self.maximumOfRoot
  }

  private mutating func build(
    _ entries: EntryList, leavesOf size: Int, _ packer: inout GzipPacker
  ) throws(Errno) -> ScratchFile {
    let scratch = try ScratchFile()
    var tops: [ArchiveEntry] = []
    for start in stride(from: 0, to: entries.count, by: size) {
      let part = try entries.read(start..<min(start + size, entries.count))
      let packed = ArchiveDirectory.encode(part, by: &packer)
      tops.append(
        ArchiveEntry(
          tile: part[0].tile, run: 0, offset: UInt64(scratch.count),
          length: UInt32(clamping: packed.count)))
      try scratch.append(packed.span)
    }
    root = ArchiveDirectory.encode(tops, by: &packer)
    return scratch
  }
}

struct BitList: Sendable {
  private var words: [UInt64] = []
  private var count = 0

  mutating func append(_ bit: Bool) {
    if count & 63 == 0 { words.append(0) }
    if bit { words[count >> 6] |= 1 << UInt64(count & 63) }
    count += 1
  }

  subscript(index: Int) -> Bool { words[index >> 6] >> UInt64(index & 63) & 1 == 1 }
}

struct EntryList {
  private static let stride = 24
  private static let block = 4096

  private let scratch: ScratchFile
  private var bytes: [UInt8] = []
  private(set) var count = 0

  init() throws(Errno) { scratch = try ScratchFile() }

  mutating func append(_ entry: ArchiveEntry) throws(Errno) {
    bytes.append(little: entry.tile)
    bytes.append(little: entry.offset)
    bytes.append(little: entry.run)
    bytes.append(little: entry.length)
    count += 1
    if bytes.count >= Self.block * Self.stride { try finish() }
  }

  mutating func finish() throws(Errno) {
    try scratch.append(bytes.span)
    bytes.removeAll(keepingCapacity: true)
  }

  func read(_ range: Range<Int>) throws(Errno) -> [ArchiveEntry] {
    var bytes: [UInt8] = []
    try scratch.read(
      Int64(range.lowerBound * Self.stride)..<Int64(range.upperBound * Self.stride),
      appendingTo: &bytes)
    return Swift.stride(from: 0, to: bytes.count, by: Self.stride).map { start in
      let span = bytes.span
      return ArchiveEntry(
        tile: span.loadWord(at: start), run: span.loadHalfWord(at: start + 16),
        offset: span.loadWord(at: start + 8), length: span.loadHalfWord(at: start + 20))
    }
  }
}

extension ScratchFile {
  func read(_ range: Range<Int64>, appendingTo bytes: inout [UInt8]) throws(Errno) {
    var place = range.lowerBound
    while place < range.upperBound {
      let got = try read(upTo: Int(range.upperBound - place), at: place, appendingTo: &bytes)
      if got == 0 { throw .inputOutput }
      place += Int64(got)
    }
  }
}
