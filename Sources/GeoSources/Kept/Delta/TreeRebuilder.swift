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

  private let tree: any BlockTree
  private let packing: Packing
  private let output: any ByteOutput
  private var deflater = Deflater(effort: .swift)
  private var checksum: UInt32 = 0
  private var offset: UInt64 = 0

  /// Throws ``ByteDamage`` if the tree is damaged, and `Errno`.
  static func write(
    _ tree: any BlockTree, _ packing: Packing, to output: any ByteOutput
  ) throws {
    var rebuilder = TreeRebuilder(tree, packing, output)
    try rebuilder.write()
  }

  private init(_ tree: any BlockTree, _ packing: Packing, _ output: any ByteOutput) {
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
    try IndexColumns.decode(try tree.index(), tree.counts.slots, offsets: offsets) {
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
    var packed: [UInt8] = []
    switch packing {
    case .compressed: deflater.compress(raw, cuttingAt: [mapLength], to: &packed)
    case .stored:
      var start = 0
      repeat {
        let count = min(0xFFFF, raw.count - start)
        packed.append(start + count == raw.count ? 1 : 0)
        packed.append(little: UInt16(count))
        packed.append(little: ~UInt16(count))
        packed += raw[start..<(start + count)]
        start += count
      } while start < raw.count
    }
    var head: [UInt8] = []
    head.append(little: UInt32(packed.count))
    head.append(little: UInt32(raw.count))
    head.append(little: UInt32(mapLength))
    let sum = CRC32.checksum(of: packed.span, after: CRC32.checksum(of: head))
    var block: [UInt8] = []
    block.append(little: sum)
    return block + head + packed
  }
}
