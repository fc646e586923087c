import GeoCore
import GeoSystem

/// Writes a tree as the difference from the next state's.
struct DeltaWriter {
  private let old: any BlockTree
  private let base: any BlockTree
  private let output: any ByteOutput
  private var directory = DeltaDirectory()
  private var deflater = Deflater(effort: .thorough)
  private var offset = 0
  /// The patches of the current chunk.
  private var chunk: [UInt8] = []
  private var signatures: [UInt64: [Int]]?

  /// Writes the file of a difference.
  ///
  /// - Parameters:
  ///   - old: The tree.
  ///   - base: The tree of the next state.
  ///   - name: The name of that state.
  ///   - output: Takes the bytes of the file in order.
  /// - Throws: ``SnapshotDamage`` if one of the trees is damaged, and `Errno`.
  static func write(
    _ old: any BlockTree, from base: any BlockTree, named name: [UInt8],
    to output: any ByteOutput
  ) throws {
    var writer = DeltaWriter(old, base, output)
    writer.directory.base = name
    try writer.write()
  }

  private init(_ old: any BlockTree, _ base: any BlockTree, _ output: any ByteOutput) {
    (self.old, self.base, self.output) = (old, base, output)
    directory.head = old.head
    directory.counts = old.counts
  }

  private mutating func write() throws {
    try put(DeltaFile.head)
    try putBlocks()
    try endChunk()
    let index = try old.index()
    let source = try base.index()
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

  /// For each block of the tree its number in the base, if it is there.
  private func sameBlocks() throws -> [Int?] {
    var places: [WholeTree.Block: [Int]] = [:]
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

  /// Whether two blocks of whole trees have the same bytes.
  private func isSame(
    _ block: BlockOrigin, _ other: BlockOrigin?
  ) throws -> Bool {
    guard let other else { return false }
    if other.tree === block.tree, other.block == block.block { return true }
    let bytes = try block.tree.packed(block.block)
    return try other.tree.packed(other.block) == bytes
  }

  /// Puts blocks that differ.
  ///
  /// - Parameter gap: The blocks of the base between those that are the same.
  private mutating func putChanged(_ blocks: Range<Int>, between gap: Range<Int>) throws {
    var cursor = gap.lowerBound
    for block in blocks {
      let raw = try old.raw(block)
      var sources = gap
      if gap.count > DeltaFile.mostSources {
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
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for index in start..<min(end, start + 48) {
      hash = (hash ^ UInt64(bytes[index])) &* 0x100_0000_01B3
    }
    return hash
  }
}

/// Bytes as copies from similar ones, and literals.
///
/// Encoded: the length of the instructions (varint), the instructions, the literals. An instruction
/// is three varints: how many literals, how many bytes of the source follow them, and where in the
/// source, as a difference from where the last copy ended plus the literals.
enum ByteDelta {
  /// The shortest copy that continues at the expected place, a few bytes from there, and elsewhere:
  /// a distant copy takes two long instructions, there and back.
  private static let shortest = (expected: 4, near: 6, elsewhere: 16)
  private static let hashBits = 16

  /// Finds places of the source by their first eight bytes.
  private struct Places {
    private var table: [Int32]

    init(_ source: Span<UInt8>) {
      table = [Int32](repeating: -1, count: 1 << ByteDelta.hashBits)
      // Long sources are sampled, so that the table doesn't overflow.
      let step = max(1, source.count >> (ByteDelta.hashBits + 1))
      var place = 0
      while place + 8 <= source.count {
        table[Self.hash(source.loadWord(at: place))] = Int32(truncatingIfNeeded: place)
        place += step
      }
    }

    private static func hash(_ word: UInt64) -> Int {
      Int(
        truncatingIfNeeded: (word &* 0x9E37_79B9_7F4A_7C15) >> UInt64(64 - ByteDelta.hashBits))
    }

    func first(_ word: UInt64) -> Int { Int(table[Self.hash(word)]) }
  }

  /// Encodes bytes.
  static func encode(_ target: Span<UInt8>, from source: Span<UInt8>) -> [UInt8] {
    let places = Places(source)
    var instructions: [UInt8] = []
    var literals: [UInt8] = []
    var position = 0
    /// Where the source is expected to go on, and where the literals since the last copy begin.
    var (expected, start) = (0, 0)
    func put(copying length: Int, at place: Int) {
      instructions.append(varint: UInt64(position - start))
      instructions.append(varint: UInt64(length))
      instructions.append(difference: Int64(place - expected))
      for index in start..<position { literals.append(target[index]) }
      position += length
      (expected, start) = (place + length, position)
    }
    while position < target.count {
      var length = common(target, position, source, expected)
      var place = expected
      if length < shortest.expected { length = 0 }
      for shift in [-1, 1, -2, 2, -3, 3] where length < shortest.near {
        let found = common(target, position, source, expected + shift)
        if found >= shortest.near { (length, place) = (found, expected + shift) }
      }
      if length < shortest.elsewhere, position + 8 <= target.count {
        let other = places.first(target.loadWord(at: position))
        if other >= 0, other != expected {
          let found = common(target, position, source, other)
          if found >= shortest.elsewhere, found > length + 4 { (length, place) = (found, other) }
        }
      }
      if length == 0 {
        position += 1
        expected += 1
      } else {
        put(copying: length, at: place)
      }
    }
    if start < position { put(copying: 0, at: expected) }
    var result: [UInt8] = []
    result.append(varint: UInt64(instructions.count))
    return result + instructions + literals
  }

  /// How many bytes are equal from two places on.
  private static func common(
    _ target: Span<UInt8>, _ position: Int, _ source: Span<UInt8>, _ place: Int
  ) -> Int {
    if place < 0 || place >= source.count { return 0 }
    let limit = min(target.count - position, source.count - place)
    var length = 0
    while length + 8 <= limit {
      let difference =
        target.loadWord(at: position + length) ^ source.loadWord(at: place + length)
      if difference != 0 { return length + difference.trailingZeroBitCount / 8 }
      length += 8
    }
    while length < limit, target[position + length] == source[place + length] { length += 1 }
    return length
  }

  /// Decodes bytes.
  ///
  /// - Parameters:
  ///   - range: Where the encoded bytes are.
  ///   - length: The length of the result, which the caller has checked to be small enough.
  static func decode(
    _ bytes: Span<UInt8>, _ range: Range<Int>, from source: Span<UInt8>, length: Int
  ) throws(SnapshotDamage) -> [UInt8] {
    var reader = ByteReader(range)
    let count = try reader.takeCount(in: bytes)
    var instructions = ByteReader(try reader.take(count))
    var result: [UInt8] = []
    result.reserveCapacity(length)
    var expected = 0
    while !instructions.isAtEnd {
      let literals = try instructions.takeVarint(in: bytes)
      let copied = try instructions.takeVarint(in: bytes)
      let jump = try instructions.takeDifference(in: bytes)
      guard literals <= UInt64(reader.remaining), copied <= UInt64(length),
        result.count + Int(literals) + Int(copied) <= length
      else { throw .malformed }
      for index in try reader.take(Int(literals)) { result.append(bytes[index]) }
      let (place, overflow) = Int64(expected + Int(literals)).addingReportingOverflow(jump)
      guard !overflow, place >= 0, place <= source.count || copied == 0 else { throw .malformed }
      if copied == 0 { continue }
      guard Int(copied) <= source.count - Int(place) else { throw .malformed }
      for index in Int(place)..<(Int(place) + Int(copied)) { result.append(source[index]) }
      expected = Int(place) + Int(copied)
    }
    guard reader.isAtEnd, result.count == length else { throw .malformed }
    return result
  }
}
