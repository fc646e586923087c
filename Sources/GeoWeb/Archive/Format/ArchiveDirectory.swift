import GeoCore

/// Where the bytes of some tiles are (PMTiles specification, version 3, 4).
package struct ArchiveEntry: Hashable, Sendable {
  /// The number of the first of the tiles.
  package var tile: UInt64
  /// How many tiles that follow each other have these bytes; 0 for a leaf directory, which is about all
  /// tiles from this one on, up to the next entry's.
  package var run: UInt32
  /// Where the bytes begin, from the beginning of their section on.
  package var offset: UInt64
  /// How many there are, not 0.
  package var length: UInt32

  /// An entry of the given parts.
  package init(tile: UInt64, run: UInt32, offset: UInt64, length: UInt32) {
    self.tile = tile
    self.run = run
    self.offset = offset
    self.length = length
  }
}

/// A directory as it is stored.
package enum ArchiveDirectory {
  /// A directory of some entries, packed: column by column, numbers of tiles as differences, and offsets
  /// left out where bytes follow those of the entry before.
  ///
  /// - Parameter entries: In the order of their tiles.
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
