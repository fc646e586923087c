import GeoCore

/// The file of a difference: the head, chunks of patches, a directory, and an end that says where
/// the directory is. Numbers, texts and checksums are those of the snapshot format; chunks and
/// directory are DEFLATE streams.
///
/// The directory has the ID of the other state and the snapshot's header (texts); the numbers of
/// slots, folders and files; the length of the index columns, and their checksum; the number of
/// chunks, and for each its packed and raw lengths and the checksum of its packed bytes; the number
/// of blocks. Of each block it has 0 if it is the same as a block of the other state, else 1 + the
/// number of blocks that it is made from; which block that is, or the first of them (difference from
/// the one before + 1); and unless it is the same: its raw length and how much of it a map needs, the
/// checksum of its raw bytes, the number of the chunk with its patch, and the patch's length.
/// Patches follow each other in a chunk. The last chunk is the patch of the index columns.
///
/// A patch (`ByteDelta`) makes a block from the raw blocks named, joined.
///
/// The index columns are the index with numbers of blocks in place of offsets: the lengths of three
/// columns, and for each slot in them 0 if it has no record, else 1 + the difference of its block's
/// number from the one before; the number of the record; the difference of its end from the one before.
enum DeltaFile {
  static let head = Array("geomapper delta 1\n".utf8)
  /// A chunk ends with the patch that makes it this long before compression.
  static let chunkLength = 32 * 1024
  /// The length of the end: where the directory begins (8 bytes), its packed and raw lengths, its
  /// checksum, and the checksum of these (4 bytes each).
  static let end = 24
  /// The longest directory or chunk, before and after compression.
  static let longest = 1 << 28

  struct Chunk {
    var offset: Int
    var packed: Int
    var length: Int
    var checksum: UInt32
  }

  struct Block {
    /// Its number there if it is the same; else the first of the `count` that it is made from.
    var first: Int
    var count: Int?
    var length = 0
    var mapLength = 0
    var checksum: UInt32 = 0
    var chunk = 0
    var patch = 0..<0
  }

  static let maximumSources = 4
}

struct DeltaDirectory {
  var base: [UInt8] = []
  var head: [UInt8] = []
  var counts = TreeCounts()
  var blocks: [DeltaFile.Block] = []
  var chunks: [DeltaFile.Chunk] = []
  var indexLength = 0
  var indexChecksum: UInt32 = 0
  var indexChunk: DeltaFile.Chunk { chunks[chunks.count - 1] }
}

extension DeltaDirectory {
  var bytes: [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(text: base)
    bytes.append(text: head)
    for number in [counts.slots, counts.folders, counts.files] { bytes.append(varint: number) }
    bytes.append(varint: UInt64(indexLength))
    bytes.append(little: indexChecksum)
    bytes.append(varint: UInt64(chunks.count))
    for chunk in chunks {
      bytes.append(varint: UInt64(chunk.packed))
      bytes.append(varint: UInt64(chunk.length))
      bytes.append(little: chunk.checksum)
    }
    bytes.append(varint: UInt64(blocks.count))
    var expected = 0
    for block in blocks {
      // 0 for the same block, else 1 + the number of blocks that it is made from.
      bytes.append(varint: UInt64(block.count.map { $0 + 1 } ?? 0))
      bytes.append(zigzag: Int64(block.first - expected))
      expected = block.first + 1
      if block.count == nil { continue }
      bytes.append(varint: UInt64(block.length))
      bytes.append(varint: UInt64(block.mapLength))
      bytes.append(little: block.checksum)
      bytes.append(varint: UInt64(block.chunk))
      bytes.append(varint: UInt64(block.patch.count))
    }
    return bytes
  }

  init(_ encoded: [UInt8], at offset: Int) throws(ByteDamage) {
    let bytes = encoded.span
    var reader = ByteReader(0..<bytes.count)
    base = try reader.takeText(in: bytes)
    head = try reader.takeText(in: bytes)
    counts.slots = try reader.takeVarint(in: bytes)
    counts.folders = try reader.takeVarint(in: bytes)
    counts.files = try reader.takeVarint(in: bytes)
    indexLength = try reader.takeVarint(in: bytes, maximum: DeltaFile.longest)
    indexChecksum = try reader.takeLittle(UInt32.self, in: bytes)
    var next = DeltaFile.head.count
    for _ in 0..<(try reader.takeCount(in: bytes)) {
      let chunk = DeltaFile.Chunk(
        offset: next, packed: try reader.takeVarint(in: bytes, maximum: DeltaFile.longest),
        length: try reader.takeVarint(in: bytes, maximum: DeltaFile.longest),
        checksum: try reader.takeLittle(UInt32.self, in: bytes))
      chunks.append(chunk)
      next += chunk.packed
      guard next <= offset else { throw .malformed }
    }
    guard !chunks.isEmpty, next == offset, counts.slots <= UInt64(UInt32.max) else {
      throw .malformed
    }
    var expected = 0
    var ends = [Int](repeating: 0, count: chunks.count)
    for _ in 0..<(try reader.takeCount(in: bytes)) {
      let kind = try reader.takeVarint(in: bytes, maximum: DeltaFile.maximumSources + 1)
      let difference = try reader.takeDifference(in: bytes)
      guard abs(max(difference, -.max)) <= Int64(Int32.max) else { throw .malformed }
      var block = DeltaFile.Block(first: expected + Int(difference))
      expected = block.first + 1
      if kind > 0 {
        block.count = kind - 1
        block.length = try reader.takeVarint(in: bytes, maximum: SnapshotNumbers.longestBlock)
        block.mapLength = try reader.takeVarint(in: bytes, maximum: block.length)
        block.checksum = try reader.takeLittle(UInt32.self, in: bytes)
        block.chunk = try reader.takeVarint(in: bytes, maximum: chunks.count - 1)
        let start = ends[block.chunk]
        ends[block.chunk] = start + (try reader.takeVarint(in: bytes, maximum: DeltaFile.longest))
        block.patch = start..<ends[block.chunk]
        guard ends[block.chunk] <= chunks[block.chunk].length else { throw .malformed }
      }
      blocks.append(block)
    }
    guard reader.isAtEnd else { throw .malformed }
  }
}

extension ByteReader {
  fileprivate mutating func takeVarint(
    in bytes: Span<UInt8>, maximum: Int
  ) throws(ByteDamage) -> Int {
    let number = try takeVarint(in: bytes)
    guard number <= UInt64(maximum) else { throw .malformed }
    return Int(number)
  }
}
