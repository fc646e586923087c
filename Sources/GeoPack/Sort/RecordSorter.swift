import GeoEmit
import GeoPath
import GeoSystem

/// A record as it is sorted: eight bytes of key, four bytes that say how many follow, and those. All
/// numbers have their lowest byte first.
package enum Record {
  /// Bytes before the content.
  package static let header = 12

  /// What the record at some place is sorted by.
  @inline(__always)
  static func key(_ bytes: Span<UInt8>, at offset: Int) -> UInt64 { bytes.loadWord(at: offset) }

  /// Where the record at some place ends.
  @inline(__always)
  static func end(_ bytes: Span<UInt8>, at offset: Int) -> Int {
    offset + header + Int(bytes.loadHalfWord(at: offset + 8))
  }
}

/// Puts records in the order of their keys, those of one key in the order in which they came, in as much
/// memory as it is given.
///
/// What doesn't fit is written to a scratch file as runs, each of them sorted, which are merged when they
/// are read (external merge sort).
package struct RecordSorter {
  /// Where a record is in the arena, and what it is sorted by first.
  struct Key: BitwiseCopyable {
    let key: UInt64
    let offset: UInt32
  }

  /// Bytes that all runs together are read ahead at most.
  private static let mostAhead = 8 << 20

  private let capacity: Int
  private var arena: [UInt8] = []
  private var keys: [Key] = []
  private var scratch: ScratchFile?
  private var runs: [Range<Int64>] = []
  /// A record before it is added.
  private var staged: [UInt8] = []

  /// A sorter.
  ///
  /// - Parameter memory: Bytes of memory for records, at most 2 GiB.
  package init(memory: Int = 20 << 20) { capacity = min(max(memory, 4096), 1 << 31) }

  /// Adds records.
  ///
  /// - Complexity: O(bytes), and O(n log n) comparisons of one word for what fits into memory.
  /// - Returns: How many they are.
  @discardableResult
  package mutating func add(_ records: Span<UInt8>) throws(Errno) -> Int {
    var offset = 0
    var count = 0
    while offset < records.count {
      let end = Record.end(records, at: offset)
      try add(record: records.extracting(offset..<end))
      offset = end
      count += 1
    }
    return count
  }

  /// Adds a record.
  ///
  /// - Parameters:
  ///   - content: What comes out again.
  ///   - key: What it is sorted by.
  /// - Complexity: Amortised as above.
  package mutating func add(content: [UInt8], key: UInt64) throws(Errno) {
    staged.removeAll(keepingCapacity: true)
    for shift in stride(from: UInt64(0), to: 64, by: 8) {
      staged.append(UInt8(truncatingIfNeeded: key >> shift))
    }
    for shift in stride(from: 0, to: 32, by: 8) {
      staged.append(UInt8(truncatingIfNeeded: content.count >> shift))
    }
    staged += content
    var record: [UInt8] = []
    swap(&record, &staged)
    defer { swap(&record, &staged) }
    try add(record: record.span)
  }

  private mutating func add(record: Span<UInt8>) throws(Errno) {
    // A half more, since sorting takes half a key for each.
    let keyBytes = MemoryLayout<Key>.stride * 3 / 2
    if !keys.isEmpty, arena.count + record.count + (keys.count + 1) * keyBytes > capacity {
      try flush()
    }
    if keys.isEmpty, arena.capacity == 0 {
      // What is not touched takes no memory; growing would need the old place beside the new.
      arena.reserveCapacity(capacity)
    }
    keys.append(Key(key: Record.key(record, at: 0), offset: UInt32(arena.count)))
    unsafe record.withUnsafeBufferPointer { unsafe arena.append(contentsOf: $0) }
  }

  private mutating func sort() {
    keys.sort { a, b in a.key != b.key ? a.key < b.key : a.offset < b.offset }
  }

  /// Writes what is in memory as a run.
  private mutating func flush() throws(Errno) {
    sort()
    if scratch == nil { scratch = try ScratchFile() }
    guard let scratch else { return }
    let start = scratch.count
    var block = OutputBuffer(capacity: 256 * 1024)
    for key in keys {
      let offset = Int(key.offset)
      block.append(arena.span.extracting(offset..<Record.end(arena.span, at: offset)))
      if block.count >= 256 * 1024 { try Self.empty(&block, to: scratch) }
    }
    try Self.empty(&block, to: scratch)
    runs.append(start..<scratch.count)
    arena.removeAll(keepingCapacity: true)
    keys.removeAll(keepingCapacity: true)
  }

  private static func empty(
    _ block: inout OutputBuffer, to scratch: ScratchFile
  ) throws(Errno) {
    try block.withBytes { (bytes) throws(Errno) in try scratch.append(bytes) }
    block.removeAll()
  }

  /// Ends the sorting.
  package consuming func finish() throws(Errno) -> SortedRecords {
    // Where there are runs, the rest becomes one, so that its memory is free for reading.
    if scratch != nil { try flush() } else { sort() }
    if scratch != nil {
      arena = []
      keys = []
    }
    return SortedRecords(
      scratch: scratch, runs: runs, arena: arena, keys: keys, ahead: min(capacity, Self.mostAhead))
  }
}

/// Records that were sorted, which can be read again and again.
package struct SortedRecords {
  let scratch: ScratchFile?
  let runs: [Range<Int64>]
  let arena: [UInt8]
  let keys: [RecordSorter.Key]
  /// How many bytes all runs together may be read ahead.
  let ahead: Int

  /// No records.
  package init() { self.init(scratch: nil, runs: [], arena: [], keys: [], ahead: 0) }

  init(
    scratch: ScratchFile?, runs: [Range<Int64>], arena: [UInt8], keys: [RecordSorter.Key],
    ahead: Int
  ) {
    self.ahead = ahead
    self.scratch = scratch
    self.runs = runs
    self.arena = arena
    self.keys = keys
  }

  /// Reads them from the first on.
  package func cursor() -> RecordCursor { RecordCursor(self) }
}
