import GeoCore
import GeoSystem

/// The directories of an archive: a root that is small enough, and leaves if it has to be.
struct Directories {
  private(set) var root: [UInt8] = []
  /// The leaves, one after the other; nil if the root has all entries.
  private(set) var leaves: ScratchFile?

  /// The most entries that are tried without leaves.
  private static let mostInRoot = 16_384
  /// The fewest entries of a leaf: some ten kilobytes, one request of a client.
  private static let leastInLeaf = 4096
  /// The most bytes of the root.
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
