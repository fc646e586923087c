import GeoCore

/// Writes a tree as the difference from the next state's.
struct DeltaWriter {
  let old: BlockTree
  let base: BlockTree
  let output: any ByteOutput
  private var directory = DeltaDirectory()
  private var deflater = Deflater(effort: .thorough)
  private var offset = 0
  private var chunk: [UInt8] = []
  private var signatures: [UInt64: [Int]]?

  /// The base is the tree of the state with the name. Throws ``ByteDamage`` if one of the trees is
  /// damaged, and `Errno`.
  static func write(
    _ old: BlockTree, from base: BlockTree, named name: [UInt8], to output: any ByteOutput
  ) throws {
    var writer = DeltaWriter(old: old, base: base, output: output)
    writer.directory.base = name
    writer.directory.head = old.head
    writer.directory.counts = old.counts
    try writer.write()
  }

  private mutating func write() throws {
    try put(DeltaFile.head)
    try putBlocks()
    try endChunk()
    let (index, source) = (old.index, base.index)
    chunk = ByteDelta.encode(index.span, from: source.span)
    directory.indexLength = index.count
    directory.indexChecksum = CRC32.checksum(of: index)
    try endChunk(evenIfEmpty: true)
    let start = offset
    let last = try pack(directory.bytes)
    var end: [UInt8] = []
    end.append(little: UInt64(start))
    end.append(little: UInt32(last.packed))
    end.append(little: UInt32(last.length))
    end.append(little: last.checksum)
    end.append(little: CRC32.checksum(of: end))
    try put(end)
  }

  private mutating func put(_ bytes: [UInt8]) throws {
    try output.append(bytes.span)
    offset += bytes.count
  }

  private mutating func pack(_ bytes: [UInt8]) throws -> DeltaFile.Chunk {
    var packed: [UInt8] = []
    deflater.compress(bytes, to: &packed)
    let chunk = DeltaFile.Chunk(
      offset: offset, packed: packed.count, length: bytes.count,
      checksum: CRC32.checksum(of: packed))
    try put(packed)
    return chunk
  }

  private mutating func endChunk(evenIfEmpty: Bool = false) throws {
    if chunk.isEmpty, !evenIfEmpty { return }
    directory.chunks.append(try pack(chunk))
    chunk.removeAll(keepingCapacity: true)
  }

  // MARK: Blocks

  private mutating func putBlocks() throws {
    let same = try sameBlocks()
    var next = 0
    /// The block of the base after the last one that is the same.
    var cursor = 0
    while next < same.count {
      if let block = same[next] {
        directory.blocks.append(DeltaFile.Block(first: block, count: nil))
        (next, cursor) = (next + 1, block + 1)
        continue
      }
      let end = same[next...].firstIndex { $0 != nil } ?? same.count
      let limit = end < same.count ? max(cursor, same[end] ?? cursor) : base.blockCount
      try putChanged(next..<end, between: cursor..<limit)
      next = end
    }
  }

  /// Of each block its number in the base, if it is there.
  private func sameBlocks() throws -> [Int?] {
    var places: [BlockHead: [Int]] = [:]
    for block in 0..<base.blockCount {
      guard let head = base.origin(of: block)?.head else { continue }
      places[head, default: []].append(block)
    }
    var same: [Int?] = []
    var cursor = 0
    for block in 0..<old.blockCount {
      same.append(nil)
      guard let origin = old.origin(of: block) else { continue }
      let found = places[origin.head] ?? []
      // Of several equal ones, the first after the last.
      guard let place = found.first(where: { $0 >= cursor }) ?? found.last else { continue }
      if try isSame(origin, base.origin(of: place)) {
        same[block] = place
        cursor = place + 1
      }
    }
    return same
  }

  private func isSame(
    _ block: BlockOrigin, _ other: BlockOrigin?
  ) throws -> Bool {
    guard let other else { return false }
    if other.tree === block.tree, other.block == block.block { return true }
    let bytes = try block.tree.packed(block.block)
    return try other.tree.packed(other.block) == bytes
  }

  /// Puts blocks that differ. The gap has the blocks of the base between those that are the same.
  private mutating func putChanged(_ blocks: Range<Int>, between gap: Range<Int>) throws {
    var cursor = gap.lowerBound
    for block in blocks {
      let raw = try old.raw(block)
      var sources = gap
      if gap.count > DeltaFile.maximumSources {
        if let place = try place(of: raw, near: cursor) {
          sources = place..<(place + 2)
          cursor = place + 1
        } else {
          sources = (cursor - 1)..<(cursor + 2)
          cursor += 1
        }
        sources = sources.clamped(to: 0..<base.blockCount)
      }
      var source: [UInt8] = []
      for other in sources { source += try base.raw(other) }
      let patch = ByteDelta.encode(raw.span, from: source.span)
      var made = DeltaFile.Block(first: sources.lowerBound, count: sources.count)
      (made.length, made.mapLength) = old.lengths(of: block)
      made.checksum = CRC32.checksum(of: raw)
      made.chunk = directory.chunks.count
      made.patch = chunk.count..<(chunk.count + patch.count)
      chunk += patch
      directory.blocks.append(made)
      if chunk.count >= DeltaFile.chunkLength { try endChunk() }
    }
  }

  /// The block of the base that begins with the same names, the nearest if there are several.
  private mutating func place(of raw: [UInt8], near cursor: Int) throws -> Int? {
    if signatures == nil {
      var all: [UInt64: [Int]] = [:]
      for block in 0..<base.blockCount {
        if let signature = Self.signature(try base.raw(block)) {
          all[signature, default: []].append(block)
        }
      }
      signatures = all
    }
    guard let signature = Self.signature(raw), let found = signatures?[signature] else {
      return nil
    }
    return found.min { abs($0 - cursor) < abs($1 - cursor) }
  }

  /// Identifies a block by its first names.
  private static func signature(_ raw: [UInt8]) -> UInt64? {
    let bytes = raw.span
    guard let end = BlockColumns.end(of: .letters, in: bytes),
      let start = BlockColumns.end(of: .nameLengths, in: bytes), end <= bytes.count
    else { return nil }
    return bytes.extracting(start..<min(end, start + 48)).hash
  }
}
