import GeoCore
import GeoSystem

/// A tree that is kept as a difference: a whole tree to which differences were applied, one after
/// another.
///
/// Each difference is applied once to all blocks, so the time is linear in the sizes of the states
/// between, whatever they have in common. Blocks that a difference made are in a scratch file.
final class RebuiltTree: BlockTree {
  private struct Block {
    /// Its number in the whole tree; nil if it is in the scratch file.
    var whole: Int?
    var offset: Int64 = 0
    var length = 0
    var mapLength = 0
  }

  let head: [UInt8]
  let counts: TreeCounts
  private let whole: WholeTree
  private let blocks: [Block]
  private let columns: [UInt8]
  private let scratch: ScratchFile
  private var recent = RecentBlocks()

  private init(
    _ head: [UInt8], _ counts: TreeCounts, _ whole: WholeTree, _ blocks: [Block],
    _ columns: [UInt8], _ scratch: ScratchFile
  ) {
    (self.head, self.counts, self.whole) = (head, counts, whole)
    (self.blocks, self.columns, self.scratch) = (blocks, columns, scratch)
  }

  /// Throws ``ByteDamage``, and `Errno` for the scratch file; so does the next.
  convenience init(_ whole: WholeTree) throws {
    self.init(
      whole.head, whole.counts, whole, (0..<whole.blockCount).map { Block(whole: $0) },
      try whole.index(), try ScratchFile())
  }

  func applying(_ file: DeltaReader, _ directory: DeltaDirectory) throws -> RebuiltTree {
    var made: [Block] = []
    made.reserveCapacity(directory.blocks.count)
    var chunk = (number: -1, bytes: [UInt8]())
    for block in directory.blocks {
      guard block.first >= 0, block.first + (block.count ?? 1) <= blockCount else {
        throw ByteDamage.malformed
      }
      guard let count = block.count else {
        made.append(blocks[block.first])
        continue
      }
      var source: [UInt8] = []
      for other in block.first..<(block.first + count) { source += try raw(other) }
      if chunk.number != block.chunk {
        chunk = (block.chunk, try file.read(directory.chunks[block.chunk]))
      }
      let bytes = try ByteDelta.decode(
        chunk.bytes.span, block.patch, from: source.span, length: block.length)
      guard CRC32.checksum(of: bytes.span) == block.checksum else { throw ByteDamage.changed }
      made.append(
        Block(offset: scratch.count, length: block.length, mapLength: block.mapLength))
      try scratch.append(bytes.span)
    }
    let patch = try file.read(directory.indexChunk)
    let source = self.columns
    let columns = try ByteDelta.decode(
      patch.span, 0..<patch.count, from: source.span, length: directory.indexLength)
    guard CRC32.checksum(of: columns.span) == directory.indexChecksum else {
      throw ByteDamage.changed
    }
    let tree = RebuiltTree(
      directory.head, directory.counts, whole, made, columns, scratch)
    return try tree.compacted()
  }

  /// The tree with a new scratch file, if most of the old one is of blocks of earlier states.
  private func compacted() throws -> RebuiltTree {
    let live = blocks.reduce(0) { $1.whole == nil ? $0 + Int64($1.length) : $0 }
    if scratch.count <= 3 * live + (16 << 20) { return self }
    let other = try ScratchFile()
    var moved = blocks
    for (number, block) in blocks.enumerated() where block.whole == nil {
      moved[number].offset = other.count
      let bytes = try raw(number)
      try other.append(bytes.span)
    }
    return RebuiltTree(head, counts, whole, moved, columns, other)
  }

  var blockCount: Int { blocks.count }

  func lengths(of number: Int) -> (all: Int, map: Int) {
    let block = blocks[number]
    return block.whole.map { whole.lengths(of: $0) } ?? (block.length, block.mapLength)
  }

  func origin(of number: Int) -> BlockOrigin? {
    blocks[number].whole.flatMap { whole.origin(of: $0) }
  }

  func raw(_ number: Int) throws(ByteDamage) -> [UInt8] {
    let block = blocks[number]
    if let place = block.whole { return try whole.raw(place) }
    if let known = recent[number] { return known }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(block.length)
    while bytes.count < block.length {
      let read = try? scratch.read(
        upTo: block.length - bytes.count, at: block.offset + Int64(bytes.count),
        appendingTo: &bytes)
      guard let read, read > 0 else { throw .changed }
    }
    recent.add(bytes, as: number)
    return bytes
  }

  func index() -> [UInt8] { columns }
}
