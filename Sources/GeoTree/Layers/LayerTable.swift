import GeoCore
import GeoSystem

/// The values of layers by path, in memory or in a scratch file.
///
/// Groups are in the order of their folders' hashes, each with the entries of one folder in byte
/// order of their names. Blocks of some 4 KiB hold whole groups, or a part of a large one. In memory
/// there is only the beginning of each block, so a folder's values cost one read.
final class LayerTable: Sendable {
  struct Block: Sendable {
    let hash: UInt64
    let offset: Int64
    /// Its first folder. Other folders can have the same hash.
    let folder: [UInt8]
    let name: [UInt8]

    /// Whether its first folder comes before a folder (−1), is it (0), or comes after it (1).
    func compare(_ hash: UInt64, _ folder: Span<UInt8>) -> Int {
      if self.hash != hash { return self.hash < hash ? -1 : 1 }
      let first = self.folder.span
      if first.equals(folder) { return 0 }
      return first.orders(before: folder) ? -1 : 1
    }
  }

  /// The bytes of a block after which another begins.
  private static let blockSize = 4096
  /// For each source, its layers.
  let sources: [Range<Int>]
  let rows: Int
  private let blocks: [Block]
  private let end: Int64
  private let bytes: [UInt8]
  private let scratch: ScratchFile?

  private init(
    sources: [Range<Int>], rows: Int, blocks: [Block], end: Int64, bytes: [UInt8],
    scratch: ScratchFile?
  ) {
    self.sources = sources
    self.rows = rows
    self.blocks = blocks
    self.end = end
    self.bytes = bytes
    self.scratch = scratch
  }

  var count: Int { blocks.count }

  /// The blocks that may have values of names in a folder, from a first name on. O(log blocks).
  func blocks(of folder: Span<UInt8>, _ hash: UInt64, from name: Span<UInt8>) -> Range<Int> {
    // Rows of one name, from several sources, may be in two blocks.
    let start = firstBlock { block in
      block.compare(hash, folder) < 0
        || block.compare(hash, folder) == 0 && block.name.span.orders(before: name)
    }
    let end = firstBlock { $0.compare(hash, folder) <= 0 }
    return max(0, start - 1)..<end
  }

  private func firstBlock(after isBefore: (Block) -> Bool) -> Int {
    var (low, high) = (0, blocks.count)
    while low < high {
      let middle = (low + high) / 2
      if isBefore(blocks[middle]) { low = middle + 1 } else { high = middle }
    }
    return low
  }

  func read(_ block: Int, into buffer: inout [UInt8]) throws(Errno) {
    buffer.removeAll(keepingCapacity: true)
    let start = blocks[block].offset
    let end = block + 1 < blocks.count ? blocks[block + 1].offset : end
    guard let scratch else {
      buffer += bytes[Int(start)..<Int(end)]
      return
    }
    while Int64(buffer.count) < end - start {
      let found = try scratch.read(
        upTo: Int(end - start) - buffer.count, at: start + Int64(buffer.count),
        appendingTo: &buffer)
      if found == 0 { throw .inputOutput }
    }
  }

  /// Writes a table, row by row in the order of ``LayerRow``.
  struct Writer {
    private let schema: LayerSchema
    private let sources: [Range<Int>]
    /// For each layer, how it sums up, and the type of its values.
    private let ways: [(summary: Layer.Summary, kind: Layer.Kind)]
    /// The bytes after which values are written to a scratch file.
    private let memory: Int
    private var rows = 0
    private var blocks: [Block] = []
    /// The bytes that are not in the scratch file yet, and their offset.
    private var bytes: [UInt8] = []
    private var flushed: Int64 = 0
    private var scratch: ScratchFile?
    private var folder: [UInt8] = []
    private var hash: UInt64 = 0
    private var blockStart: Int64 = 0
    /// Where the current group begins in `bytes`; nil without one.
    private var groupStart: Int?

    init(_ schema: LayerSchema, _ sources: [Range<Int>], memory: Int) {
      (self.schema, self.sources, self.memory) = (schema, sources, memory)
      ways = schema.layers.map { ($0.summary, $0.kind) }
      lastWords = schema.layers.map { _ in nil }
    }

    private var position: Int64 { flushed + Int64(bytes.count) }

    /// The first path that a source has twice.
    private(set) var doubled: (source: Int, line: Int, first: Int, path: [UInt8])?
    private var last: (source: Int, line: Int, name: [UInt8]) = (-1, 0, [])
    /// The last word of each layer, and its number.
    private var lastWords: [(word: [UInt8], number: Int)?]

    mutating func add(_ record: Span<UInt8>, at start: Int) throws(Failure) {
      let row = LayerRow(record, at: start)
      let name = record.extracting(row.name)
      let isNew = groupStart == nil || !record.extracting(row.folder).equals(folder.span)
      if isNew {
        endGroup()
        folder.removeAll(keepingCapacity: true)
        folder.append(copying: record.extracting(row.folder))
        hash = LayerRow.hash(folder.span)
      } else if row.source == last.source, name.equals(last.name.span) {
        setDoubled(row)
      }
      last.name.removeAll(keepingCapacity: true)
      last.name.append(copying: name)
      (last.source, last.line) = (row.source, row.line)
      let isFull = position - blockStart >= LayerTable.blockSize
      if blocks.isEmpty || isFull {
        endGroup()
        try flush()
        blockStart = position
        blocks.append(
          Block(hash: hash, offset: blockStart, folder: folder, name: Array(copying: name)))
      }
      if groupStart == nil { beginGroup() }
      try append(record, row)
      rows += 1
    }

    /// Sets the path that its source has twice; of several, that of the first line.
    private mutating func setDoubled(_ row: LayerRow) {
      let (line, first) = (max(row.line, last.line), min(row.line, last.line))
      if let doubled, (doubled.source, doubled.line) <= (row.source, line) { return }
      doubled = (
        row.source, line, first, folder.isEmpty ? last.name : folder + [.slash] + last.name
      )
    }

    /// A group: the length of what follows (4 bytes), that of the folder (4), the folder, entries.
    private mutating func beginGroup() {
      groupStart = bytes.count
      bytes.append(little: UInt32(0))
      bytes.append(little: UInt32(truncatingIfNeeded: folder.count))
      bytes += folder
    }

    private mutating func endGroup() {
      guard let start = groupStart else { return }
      bytes.overwrite(little: UInt32(truncatingIfNeeded: bytes.count - start - 4), at: start)
      groupStart = nil
    }

    /// An entry: the length of its name (2 bytes), its source (2), which of the source's layers have
    /// a value (4), its number (4), the name, and 16 bytes for each value.
    private mutating func append(_ record: Span<UInt8>, _ row: LayerRow) throws(Failure) {
      bytes.append(little: UInt16(truncatingIfNeeded: row.name.count))
      bytes.append(little: UInt16(truncatingIfNeeded: row.source))
      let maskStart = bytes.count
      bytes.append(little: UInt32(0))
      bytes.append(little: UInt32(truncatingIfNeeded: row.number))
      bytes.append(copying: record.extracting(row.name))
      var mask: UInt32 = 0
      var values = row.values
      for layer in sources[row.source] where !values.isEmpty {
        let text = record.extracting(LayerRow.takeValue(record, &values))
        if text.isEmpty { continue }
        guard let cell = try cell(of: text, layer) else { continue }
        mask |= 1 << UInt32(layer - sources[row.source].lowerBound)
        bytes.append(little: cell.bits)
        bytes.append(little: cell.more)
      }
      bytes.overwrite(little: mask, at: maskStart)
    }

    private mutating func cell(of text: Span<UInt8>, _ layer: Int) throws(Failure) -> LayerCell? {
      switch ways[layer] {
      case (_, .word): return LayerCell(word: try word(text, layer))
      case (.ratio, _):
        guard let (a, b) = LayerNumber.ratio(text), b != 0 else { return nil }
        return LayerCell(a, of: b)
      case (_, let kind):
        guard let number = LayerNumber(text) else { return nil }
        if kind == .integer, case .whole(let whole) = number { return LayerCell(integer: whole) }
        return LayerCell(number: number.double)
      }
    }

    /// The number of a word. Neighbours mostly have the same.
    private mutating func word(_ text: Span<UInt8>, _ layer: Int) throws(Failure) -> Int {
      if let last = lastWords[layer], last.word.span.equals(text) { return last.number }
      let word = Array(copying: text)
      guard let number = schema.words.number(of: word) else {
        throw .usage(
          "layer \(schema.layers[layer].name): there are more than \(LayerWords.maximum) words; a "
            + "layer of words is for names that many files share")
      }
      lastWords[layer] = (word, number)
      return number
    }

    /// Writes full blocks to a scratch file once there are many.
    private mutating func flush() throws(Failure) {
      if bytes.count < (scratch == nil ? memory : min(memory, 256 << 10)) { return }
      do throws(Errno) {
        if scratch == nil { scratch = try ScratchFile() }
        try scratch?.append(bytes.span)
      } catch {
        throw LayerSetBuilder.noScratch(error)
      }
      flushed += Int64(bytes.count)
      bytes.removeAll(keepingCapacity: true)
    }

    consuming func finish() throws(Failure) -> LayerTable {
      endGroup()
      if let scratch {
        try rethrowing(scratch.append(bytes.span), as: LayerSetBuilder.noScratch)
      }
      return LayerTable(
        sources: sources, rows: rows, blocks: blocks, end: position,
        bytes: scratch == nil ? bytes : [], scratch: scratch)
    }
  }
}

struct LayerEntry {
  let source: Int
  let mask: UInt32
  /// The number of its row.
  let number: Int
  let name: Range<Int>
  let values: Int

  var end: Int { values + 16 * mask.nonzeroBitCount }

  init(_ block: Span<UInt8>, at offset: Int) {
    let word = block.loadWord(at: offset)
    source = Int(word >> 16 & 0xFFFF)
    mask = UInt32(truncatingIfNeeded: word >> 32)
    number = Int(block.loadHalfWord(at: offset + 8))
    name = (offset + 12)..<(offset + 12 + Int(word & 0xFFFF))
    values = name.upperBound
  }

  /// Calls `body` with each value and the index of its layer in the source.
  @inline(__always)
  func eachValue(_ block: Span<UInt8>, _ body: (Int, LayerCell) -> Void) {
    var (mask, offset) = (mask, values)
    while mask != 0 {
      var cell = LayerCell()
      cell.bits = block.loadWord(at: offset)
      cell.more = block.loadWord(at: offset + 8)
      cell.count = 1
      body(mask.trailingZeroBitCount, cell)
      mask &= mask - 1
      offset += 16
    }
  }
}
