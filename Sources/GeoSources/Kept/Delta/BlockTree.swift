import GeoCore
import GeoSystem

/// The blocks and the index of a kept tree, whether it is whole or a difference.
protocol BlockTree: AnyObject {
  /// The header of the snapshot, encoded.
  var head: [UInt8] { get }
  /// The numbers of slots, folders and files.
  var counts: TreeCounts { get }
  var blockCount: Int { get }

  /// The lengths of a block before compression: of all, and of what a map needs.
  func lengths(of block: Int) -> (all: Int, map: Int)
  /// The same block in a whole snapshot; nil if it has no such block.
  func origin(of block: Int) -> BlockOrigin?
  /// A block before compression.
  func raw(_ block: Int) throws(SnapshotDamage) -> [UInt8]
  /// The index as columns (``IndexColumns``).
  func index() throws(SnapshotDamage) -> [UInt8]
}

/// A block of a whole tree.
struct BlockOrigin {
  let tree: WholeTree
  let block: Int

  /// Its head, which hardly any other block has.
  var head: WholeTree.Block { tree.blocks[block] }
}

struct TreeCounts: Equatable {
  var slots: UInt64 = 0
  var folders: UInt64 = 0
  var files: UInt64 = 0
}

/// The last few blocks that were unpacked.
struct RecentBlocks {
  private static let most = 6
  private var blocks: [(number: Int, bytes: [UInt8])] = []
  private var next = 0

  subscript(number: Int) -> [UInt8]? { blocks.first { $0.number == number }?.bytes }

  mutating func add(_ bytes: [UInt8], as number: Int) {
    if blocks.count < Self.most {
      blocks.append((number, bytes))
    } else {
      blocks[next] = (number, bytes)
      next = (next + 1) % Self.most
    }
  }
}

/// A tree that is kept as a snapshot.
final class WholeTree: BlockTree {
  /// The head of a block.
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
  init(_ snapshot: Snapshot) throws(SnapshotDamage) {
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
  func packed(_ block: Int) throws(SnapshotDamage) -> [UInt8] {
    let count = SnapshotNumbers.blockHeader + Int(blocks[block].packed)
    try snapshot.read(count, at: offsets[block], into: &packed)
    guard
      CRC32.checksum(of: packed.span.extracting(4..<count)) == blocks[block].checksum
    else { throw .changed }
    return packed
  }

  func raw(_ block: Int) throws(SnapshotDamage) -> [UInt8] {
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
  func check() throws(SnapshotDamage) {
    for block in blocks.indices { _ = try packed(block) }
    _ = try index()
  }

  func index() throws(SnapshotDamage) -> [UInt8] {
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

/// The index of a snapshot with numbers of blocks in place of offsets, so that it hardly changes
/// when blocks get longer.
///
/// Three columns after their lengths: for each slot 0 if it has no record, else 1 + the difference
/// of its block's number from the one before; the number of the record; the difference of the end
/// from the one before.
struct IndexColumns {
  private var numbers: [UInt64: Int] = [:]
  private var columns: [[UInt8]] = [[], [], []]
  private var last = (block: 0, end: Int64(0))

  /// - Parameter offsets: Where the blocks begin.
  init(_ offsets: [UInt64]) {
    numbers.reserveCapacity(offsets.count)
    for (number, offset) in offsets.enumerated() { numbers[offset] = number }
  }

  mutating func add(_ slot: IndexSlot) throws(SnapshotDamage) {
    if slot.offset == 0 {
      columns[0].append(0)
    } else {
      guard let number = numbers[slot.offset] else { throw .malformed }
      columns[0].append(varint: 1 + Int64(number - last.block).zigzag)
      last.block = number
    }
    columns[1].append(varint: UInt64(slot.record))
    columns[2].append(difference: Int64(slot.end) - last.end)
    last.end = Int64(slot.end)
  }

  /// The encoded columns.
  var bytes: [UInt8] {
    var bytes: [UInt8] = []
    for column in columns { bytes.append(varint: UInt64(column.count)) }
    for column in columns { bytes += column }
    return bytes
  }

  /// Decodes columns.
  ///
  /// - Parameters:
  ///   - offsets: Where the blocks begin.
  ///   - body: Takes each slot.
  static func decode(
    _ bytes: [UInt8], _ count: UInt64, offsets: [UInt64], _ body: (IndexSlot) throws -> Void
  ) throws {
    let bytes = bytes.span
    var reader = ByteReader(0..<bytes.count)
    var lengths: [Int] = []
    for _ in 0..<3 { lengths.append(try reader.takeCount(in: bytes)) }
    var columns: [ByteReader] = []
    for length in lengths { columns.append(ByteReader(try reader.take(length))) }
    var (blocks, records, ends) = (columns[0], columns[1], columns[2])
    var (block, end) = (0, Int64(0))
    for _ in 0..<count {
      var slot = IndexSlot()
      let number = try blocks.takeVarint(in: bytes)
      if number > 0 {
        let difference = Int64(zigzag: number - 1)
        guard abs(difference) <= offsets.count, offsets.indices.contains(block + Int(difference))
        else { throw SnapshotDamage.malformed }
        block += Int(difference)
        slot.offset = offsets[block]
      }
      let record = try records.takeVarint(in: bytes)
      end = end &+ (try ends.takeDifference(in: bytes))
      guard record <= UInt64(UInt16.max), let known = UInt32(exactly: end) else {
        throw SnapshotDamage.malformed
      }
      (slot.record, slot.end) = (UInt16(record), known)
      try body(slot)
    }
    guard reader.isAtEnd, blocks.isAtEnd, records.isAtEnd, ends.isAtEnd else {
      throw SnapshotDamage.malformed
    }
  }
}

/// Takes bytes in order.
protocol ByteOutput: AnyObject {
  func append(_ bytes: Span<UInt8>) throws(Errno)
}

extension ScratchFile: ByteOutput {}

/// Writes a kept tree as a snapshot with the same contents.
struct TreeRebuilder {
  /// How blocks that are not in a whole snapshot are packed.
  enum Packing {
    /// As they are, for a file that is read once.
    case stored
    /// As in other snapshots.
    case compressed
  }

  private let tree: any BlockTree
  private let packing: Packing
  private let output: any ByteOutput
  private var deflater = Deflater(effort: .swift)
  private var checksum: UInt32 = 0
  private var offset: UInt64 = 0

  /// Writes the snapshot.
  ///
  /// - Parameter output: Takes the bytes in order.
  /// - Throws: ``SnapshotDamage`` if the tree is damaged, and `Errno`.
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

extension SnapshotNumbers {
  /// The trailer of a snapshot.
  ///
  /// - Parameters:
  ///   - numbers: Where the index begins, and the numbers of slots, folders, files and blocks.
  ///   - checksum: The checksum of all before.
  static func trailer(_ numbers: [UInt64], checksum: UInt32) -> [UInt8] {
    var trailer: [UInt8] = []
    for number in numbers { trailer.append(little: number) }
    trailer.append(little: checksum)
    trailer.append(little: CRC32.checksum(of: trailer))
    return trailer + endMagic
  }
}
