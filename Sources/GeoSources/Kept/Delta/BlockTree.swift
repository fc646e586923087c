import GeoCore
import GeoSystem

/// The blocks and the index of a kept tree: a whole one, to which differences were applied one after
/// another.
///
/// Each difference is applied once to all blocks, so the time is linear in the sizes of the states
/// between, whatever they have in common. Blocks that a difference made are in a scratch file.
final class BlockTree {
  private struct Block {
    /// Its number in the whole tree; nil if it is in the scratch file.
    var whole: Int?
    var offset: Int64 = 0
    var length = 0
    var mapLength = 0
  }

  let head: [UInt8]
  let counts: TreeCounts
  /// As ``IndexColumns``.
  let index: [UInt8]
  private let whole: WholeTree
  private let blocks: [Block]
  private let scratch: ScratchFile?
  private var recent = RecentBlocks()

  private init(
    _ head: [UInt8], _ counts: TreeCounts, _ index: [UInt8], _ whole: WholeTree, _ blocks: [Block],
    _ scratch: ScratchFile?
  ) {
    (self.head, self.counts, self.index) = (head, counts, index)
    (self.whole, self.blocks, self.scratch) = (whole, blocks, scratch)
  }

  convenience init(_ snapshot: Snapshot) throws(ByteDamage) {
    let whole = try WholeTree(snapshot)
    self.init(
      whole.head,
      TreeCounts(slots: snapshot.slots, folders: snapshot.folders, files: snapshot.files),
      try whole.index(), whole, whole.heads.indices.map { Block(whole: $0) }, nil)
  }

  /// Throws ``ByteDamage``, and `Errno` for the scratch file.
  func applying(_ file: DeltaReader, _ directory: DeltaDirectory) throws -> BlockTree {
    let scratch = try scratch ?? ScratchFile()
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
    let source = self.index
    let index = try ByteDelta.decode(
      patch.span, 0..<patch.count, from: source.span, length: directory.indexLength)
    guard CRC32.checksum(of: index.span) == directory.indexChecksum else {
      throw ByteDamage.changed
    }
    let tree = BlockTree(directory.head, directory.counts, index, whole, made, scratch)
    return try tree.compacted(scratch)
  }

  /// The tree with a new scratch file, if most of the old one is of blocks of earlier states.
  private func compacted(_ scratch: ScratchFile) throws -> BlockTree {
    let live = blocks.reduce(0) { $1.whole == nil ? $0 + Int64($1.length) : $0 }
    if scratch.count <= 3 * live + (16 << 20) { return self }
    let other = try ScratchFile()
    var moved = blocks
    for (number, block) in blocks.enumerated() where block.whole == nil {
      moved[number].offset = other.count
      let bytes = try raw(number)
      try other.append(bytes.span)
    }
    return BlockTree(head, counts, index, whole, moved, other)
  }

  var blockCount: Int { blocks.count }

  func lengths(of number: Int) -> (all: Int, map: Int) {
    let block = blocks[number]
    guard let head = block.whole.map({ whole.heads[$0] }) else {
      return (block.length, block.mapLength)
    }
    return (Int(head.length), Int(head.mapLength))
  }

  func origin(of number: Int) -> BlockOrigin? {
    blocks[number].whole.map { BlockOrigin(tree: whole, block: $0) }
  }

  func raw(_ number: Int) throws(ByteDamage) -> [UInt8] {
    if let known = recent[number] { return known }
    let block = blocks[number]
    var bytes: [UInt8] = []
    if let place = block.whole {
      bytes = try whole.raw(place)
    } else {
      while bytes.count < block.length {
        let read = try? scratch?.read(
          upTo: block.length - bytes.count, at: block.offset + Int64(bytes.count),
          appendingTo: &bytes)
        guard let read, read > 0 else { throw .changed }
      }
    }
    recent.add(bytes, as: number)
    return bytes
  }
}

/// A block of a whole tree.
struct BlockOrigin {
  let tree: WholeTree
  let block: Int

  /// Hardly any other block has the same.
  var head: BlockHead { tree.heads[block] }
}

struct TreeCounts: Equatable {
  var slots: UInt64 = 0
  var folders: UInt64 = 0
  var files: UInt64 = 0
}

/// The last few blocks that were unpacked.
private struct RecentBlocks {
  private static let maximum = 6
  private var blocks: [(number: Int, bytes: [UInt8])] = []
  private var next = 0

  subscript(number: Int) -> [UInt8]? { blocks.first { $0.number == number }?.bytes }

  mutating func add(_ bytes: [UInt8], as number: Int) {
    if blocks.count < Self.maximum {
      blocks.append((number, bytes))
    } else {
      blocks[next] = (number, bytes)
      next = (next + 1) % Self.maximum
    }
  }
}
