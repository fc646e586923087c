import GeoCore
import GeoSystem

extension BlockTree {
  /// Writes the tree as a snapshot with the same contents. The effort is for blocks that are not in
  /// a whole snapshot.
  ///
  /// Throws ``ByteDamage`` if the tree is damaged, and `Errno`.
  func write(to output: any ByteOutput, effort: Deflater.Effort) throws {
    var deflater = Deflater(effort: effort)
    var checksum: UInt32 = 0
    var offset: UInt64 = 0
    func put(_ bytes: [UInt8]) throws(Errno) {
      checksum = CRC32.checksum(of: bytes.span, after: checksum)
      offset += UInt64(bytes.count)
      try output.append(bytes.span)
    }
    try put(head)
    var offsets: [UInt64] = []
    offsets.reserveCapacity(blockCount)
    for block in 0..<blockCount {
      offsets.append(offset)
      if let origin = origin(of: block) {
        try put(try origin.tree.packed(origin.block))
        continue
      }
      let (raw, mapLength) = (try raw(block), lengths(of: block).map)
      var packed = [UInt8](repeating: 0, count: SnapshotNumbers.blockHeader)
      deflater.compress(raw, cuttingAt: [mapLength], to: &packed)
      BlockHead.put(in: &packed, at: 0, length: raw.count, mapLength: mapLength)
      try put(packed)
    }
    let indexOffset = offset
    var writer = IndexWriter()
    try IndexColumns.decode(index, counts.slots, offsets: offsets) { try writer.append($0) }
    try writer.finish()
    var piece: [UInt8] = []
    while try writer.take(from: offset - indexOffset, appendingTo: &piece) {
      try put(piece)
      piece.removeAll(keepingCapacity: true)
    }
    let trailer = SnapshotNumbers.trailer(
      [indexOffset, counts.slots, counts.folders, counts.files, UInt64(blockCount)],
      checksum: checksum)
    try output.append(trailer.span)
  }
}

protocol ByteOutput: AnyObject {
  func append(_ bytes: Span<UInt8>) throws(Errno)
}

extension ScratchFile: ByteOutput {}
