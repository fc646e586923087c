import GeoProjection
import GeoCore
import GeoSystem

/// The location of the bytes of one or more tiles (PMTiles specification, version 3, section 4).
package struct ArchiveEntry: Hashable, Sendable {
  /// The number of the first tile.
  package var tile: UInt64
  /// The number of consecutive tiles with these bytes. With 0 it is the entry of a leaf directory,
  /// which covers the tiles from this one up to the next entry's.
  package var run: UInt32
  /// The offset of the bytes from the start of their section.
  package var offset: UInt64
  /// The number of bytes, not 0.
  package var length: UInt32

  package init(tile: UInt64, run: UInt32, offset: UInt64, length: UInt32) {
    self.tile = tile
    self.run = run
    self.offset = offset
    self.length = length
  }
}

/// The stored form of a directory.
package enum ArchiveDirectory {
  /// Encodes a directory, compressed with gzip. It is stored by columns: tile numbers as
  /// differences, and offset 0 where the bytes follow those of the previous entry.
  ///
  /// - Parameter entries: Sorted by tile number.
  /// - Complexity: O(count).
  package static func encode(_ entries: [ArchiveEntry], by packer: inout GzipPacker) -> [UInt8] {
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

extension [UInt8] {
  /// Appends a number in little-endian order.
  mutating func append<Number: FixedWidthInteger>(little number: Number) {
    for shift in stride(from: 0, to: Number.bitWidth, by: 8) {
      append(UInt8(truncatingIfNeeded: number >> Number(shift)))
    }
  }

  /// Appends degrees in units of 10^-7.
  fileprivate mutating func append(degrees: Double) {
    append(little: Int32(clamping: Int64((degrees * 1e7).rounded())))
  }
}

/// The directories of an archive: a root, with leaves if it would be too large without.
struct Directories {
  private(set) var root: [UInt8] = []
  /// The concatenated leaves; nil if the root has all entries.
  private(set) var leaves: ScratchFile?

  /// The maximum number of entries to try without leaves.
  private static let mostInRoot = 16_384
  /// The minimum number of entries of a leaf: some ten kilobytes, one request of a client.
  private static let leastInLeaf = 4096
  /// The maximum number of bytes of the root.
  private static let room = ArchiveHeader.lead - ArchiveHeader.length

  init(_ entries: EntryList) throws(Errno) {
    var packer = GzipPacker()
    if entries.count <= Self.mostInRoot {
      root = ArchiveDirectory.encode(try entries.read(0..<entries.count), by: &packer)
      if root.count <= Self.room { return }
    }
    var size = max(Self.leastInLeaf, entries.count / 1024)
    repeat {
      leaves = try build(entries, leavesOf: size, &packer)
      size *= 2
    } while root.count > Self.room
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

/// An array of Booleans, one bit each.
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

/// Directory entries in a scratch file.
struct EntryList {
  private static let stride = 24
  /// The number of entries written at once.
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

  /// Writes the buffered entries.
  mutating func finish() throws(Errno) {
    try scratch.append(bytes.span)
    bytes.removeAll(keepingCapacity: true)
  }

  /// Reads a range of the entries, after ``finish()``.
  func read(_ range: Range<Int>) throws(Errno) -> [ArchiveEntry] {
    var bytes: [UInt8] = []
    let length = range.count * Self.stride
    while bytes.count < length {
      let got = try scratch.read(
        upTo: length - bytes.count, at: Int64(range.lowerBound * Self.stride + bytes.count),
        appendingTo: &bytes)
      if got == 0 { throw .inputOutput }
    }
    return range.indices.map { index in
      let start = (index - range.lowerBound) * Self.stride
      let span = bytes.span
      return ArchiveEntry(
        tile: span.loadWord(at: start), run: span.loadHalfWord(at: start + 16),
        offset: span.loadWord(at: start + 8), length: span.loadHalfWord(at: start + 20))
    }
  }
}

/// The first 127 bytes of an archive (PMTiles specification, version 3, section 3).
package struct ArchiveHeader: Sendable {
  /// The length of a header in bytes.
  package static let length = 127
  /// The number of bytes at the start of the file that must contain the header and the root
  /// directory.
  package static let lead = 16_384

  /// A section of the archive.
  package struct Section: Sendable {
    var offset: UInt64 = 0
    var length: UInt64 = 0

    /// Makes a section that follows another.
    init(after other: Section, length: Int64) {
      offset = other.offset + other.length
      self.length = UInt64(length)
    }

    /// Makes a section at the start of the file.
    init(length: Int) { self.length = UInt64(length) }
  }

  package var root: Section
  package var metadata: Section
  package var leaves: Section
  package var data: Section
  /// The number of tiles.
  package var tiles: UInt64 = 0
  /// The number of entries.
  package var entries: UInt64 = 0
  /// The number of different tile contents.
  package var contents: UInt64 = 0
  /// The deepest zoom.
  package var deepest = 0
  /// The bounding box; nil for the whole world.
  package var bounds: BoundingBox?

  /// Makes a header of an archive whose sections follow each other.
  init(root: Int, metadata: Int, leaves: Int64, data: Int64) {
    self.root = Section(after: Section(length: Self.length), length: Int64(root))
    self.metadata = Section(after: self.root, length: Int64(metadata))
    self.leaves = Section(after: self.metadata, length: leaves)
    self.data = Section(after: self.leaves, length: data)
  }

  /// Encodes the header.
  package func encode() -> [UInt8] {
    var bytes = Array("PMTiles".utf8) + [3]
    for section in [root, metadata, leaves, data] {
      bytes.append(little: section.offset)
      bytes.append(little: section.length)
    }
    for count in [tiles, entries, contents] { bytes.append(little: count) }
    // Clustered; directories and tiles compressed with gzip; vector tiles.
    bytes += [1, 2, 2, 1, 0, UInt8(clamping: deepest)]
    let box = bounds ?? BoundingBox(west: -180, south: -90, east: 180, north: 90)
    for degrees in [box.west, box.south, box.east, box.north] { bytes.append(degrees: degrees) }
    bytes.append(1)
    bytes.append(degrees: (box.west + box.east) / 2)
    bytes.append(degrees: (box.south + box.north) / 2)
    return bytes
  }
}
