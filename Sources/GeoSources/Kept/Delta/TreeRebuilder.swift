import GeoCore
import GeoSystem

/// Writes a kept tree as a snapshot with the same contents.
struct TreeRebuilder {
  /// How blocks that are not in a whole snapshot are packed.
  enum Packing {
    /// As they are, for a file that is read once.
    case stored
    case compressed
  }

  private let tree: BlockTree
  private let packing: Packing
  private let output: any ByteOutput
  private var deflater = Deflater(effort: .swift)
  private var checksum: UInt32 = 0
  private var offset: UInt64 = 0

  /// Throws ``ByteDamage`` if the tree is damaged, and `Errno`.
  static func write(
    _ tree: BlockTree, _ packing: Packing, to output: any ByteOutput
  ) throws {
    var rebuilder = TreeRebuilder(tree, packing, output)
    try rebuilder.write()
  }

  private init(_ tree: BlockTree, _ packing: Packing, _ output: any ByteOutput) {
    (self.tree, self.packing, self.output) = (tree, packing, output)
  }

  private mutating func put(_ bytes: [UInt8]) throws(Errno) {
    checksum = CRC32.checksum(of: bytes.span, after: checksum)
    offset += UInt64(bytes.count)
    try output.append(bytes.span)
  }

  private mutating func write() throws {
    try put(tree.head)
    var offsets: [UInt64] = []
    offsets.reserveCapacity(tree.blockCount)
    for block in 0..<tree.blockCount {
      offsets.append(offset)
      if let origin = tree.origin(of: block) {
        try put(try origin.tree.packed(origin.block))
      } else {
        try put(pack(try tree.raw(block), mapLength: tree.lengths(of: block).map))
      }
    }
    let indexOffset = offset
    var index = IndexWriter()
    try IndexColumns.decode(tree.index, tree.counts.slots, offsets: offsets) {
      try index.append($0)
    }
    try index.finish()
    var taken: UInt64 = 0
    var piece: [UInt8] = []
    while try index.take(from: taken, appendingTo: &piece) {
      taken += UInt64(piece.count)
      try put(piece)
      piece.removeAll(keepingCapacity: true)
    }
    let counts = tree.counts
    let trailer = SnapshotNumbers.trailer(
      [indexOffset, counts.slots, counts.folders, counts.files, UInt64(tree.blockCount)],
      checksum: checksum)
    try output.append(trailer.span)
  }

  private mutating func pack(_ raw: [UInt8], mapLength: Int) -> [UInt8] {
    var block = [UInt8](repeating: 0, count: SnapshotNumbers.blockHeader)
    switch packing {
    case .compressed: deflater.compress(raw, cuttingAt: [mapLength], to: &block)
    case .stored:
      var start = 0
      repeat {
        let count = min(0xFFFF, raw.count - start)
        block.append(start + count == raw.count ? 1 : 0)
        block.append(little: UInt16(count))
        block.append(little: ~UInt16(count))
        block += raw[start..<(start + count)]
        start += count
      } while start < raw.count
    }
    BlockHead.put(in: &block, at: 0, length: raw.count, mapLength: mapLength)
    return block
  }
}

/// Takes bytes in order.
protocol ByteOutput: AnyObject {
  func append(_ bytes: Span<UInt8>) throws(Errno)
}

extension ScratchFile: ByteOutput {}
