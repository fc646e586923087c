import GeoCore

/// A tree that is kept as a snapshot.
final class WholeTree {
  private let snapshot: Snapshot
  let head: [UInt8]
  private(set) var heads: [BlockHead] = []
  private var offsets: [UInt64] = []
  private var inflater = Inflater()
  private var buffer: [UInt8] = []

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
      let block = try BlockHead(bytes.span)
      heads.append(block)
      offsets.append(offset)
      offset += UInt64(block.size)
    }
    guard offset == snapshot.indexOffset else { throw .malformed }
  }

  /// A block with its head, as it is in the file.
  func packed(_ block: Int) throws(ByteDamage) -> [UInt8] {
    try snapshot.read(heads[block].size, at: offsets[block], into: &buffer)
    let packed = buffer
    try heads[block].check(packed.span)
    return packed
  }

  func raw(_ block: Int) throws(ByteDamage) -> [UInt8] {
    let packed = try packed(block)
    let length = Int(heads[block].length)
    var bytes: [UInt8] = []
    do throws(Inflater.Failure) {
      try inflater.inflate(
        packed, from: SnapshotNumbers.blockHeader, limit: length, into: &bytes)
    } catch {
      throw .malformed
    }
    guard bytes.count == length else { throw .malformed }
    return bytes
  }

  /// Reads all that the file has.
  func check() throws(ByteDamage) {
    for block in heads.indices { _ = try packed(block) }
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
