import GeoCore

/// A tree that is kept as a snapshot.
final class WholeTree: BlockTree {
  struct Block: Hashable {
    var checksum: UInt32
    var packed: UInt32
    var length: UInt32
    var mapLength: UInt32
  }

  let snapshot: Snapshot
  let head: [UInt8]
  private(set) var blocks: [Block] = []
  private(set) var offsets: [UInt64] = []
  private var recent = RecentBlocks()
  private var inflater = Inflater()
  private var packed: [UInt8] = []

  /// - Complexity: O(blocks).
  init(_ snapshot: Snapshot) throws(ByteDamage) {
    self.snapshot = snapshot
    var bytes: [UInt8] = []
    try snapshot.read(Int(snapshot.firstBlock), at: 0, into: &bytes)
    head = bytes
    var offset = snapshot.firstBlock
    while offset < snapshot.indexOffset {
      guard snapshot.indexOffset - offset >= UInt64(SnapshotNumbers.blockHeader) else {
        throw .malformed
      }
      try snapshot.read(SnapshotNumbers.blockHeader, at: offset, into: &bytes)
      var reader = ByteReader(0..<bytes.count)
      let block = Block(
        checksum: try reader.takeLittle(UInt32.self, in: bytes.span),
        packed: try reader.takeLittle(UInt32.self, in: bytes.span),
        length: try reader.takeLittle(UInt32.self, in: bytes.span),
        mapLength: try reader.takeLittle(UInt32.self, in: bytes.span))
      guard block.length <= SnapshotNumbers.longestBlock, block.mapLength <= block.length else {
        throw .malformed
      }
      blocks.append(block)
      offsets.append(offset)
      offset += UInt64(SnapshotNumbers.blockHeader) + UInt64(block.packed)
    }
    guard offset == snapshot.indexOffset else { throw .malformed }
  }

  var counts: TreeCounts {
    TreeCounts(slots: snapshot.slots, folders: snapshot.folders, files: snapshot.files)
  }
  var blockCount: Int { blocks.count }

  func lengths(of block: Int) -> (all: Int, map: Int) {
    (Int(blocks[block].length), Int(blocks[block].mapLength))
  }

  func origin(of block: Int) -> BlockOrigin? { BlockOrigin(tree: self, block: block) }

  /// A block with its head, as it is in the file.
  func packed(_ block: Int) throws(ByteDamage) -> [UInt8] {
    let count = SnapshotNumbers.blockHeader + Int(blocks[block].packed)
    try snapshot.read(count, at: offsets[block], into: &packed)
    guard
      CRC32.checksum(of: packed.span.extracting(4..<count)) == blocks[block].checksum
    else { throw .changed }
    return packed
  }

  func raw(_ block: Int) throws(ByteDamage) -> [UInt8] {
    if let known = recent[block] { return known }
    let packed = try packed(block)
    var bytes: [UInt8] = []
    do throws(Inflater.Failure) {
      try inflater.inflate(
        packed, from: SnapshotNumbers.blockHeader, limit: Int(blocks[block].length), into: &bytes)
    } catch {
      throw .malformed
    }
    guard bytes.count == Int(blocks[block].length) else { throw .malformed }
    recent.add(bytes, as: block)
    return bytes
  }

  /// Reads all that the file has.
  func check() throws(ByteDamage) {
    for block in blocks.indices { _ = try packed(block) }
    _ = try index()
  }

  func index() throws(ByteDamage) -> [UInt8] {
    var columns = IndexColumns(offsets)
    var pages = IndexPages()
    var next: UInt32 = 0
    let end = UInt32(truncatingIfNeeded: snapshot.slots)
    while next < end {
      let stop = min(end, next + 16 * UInt32(SnapshotNumbers.slotsToPage))
      for slot in pages.slots(next..<stop, of: snapshot) {
        guard let slot else { throw .changed }
        try columns.add(slot)
      }
      next = stop
    }
    return columns.bytes
  }
}
