import GeoCore

/// The format of records for a ``RunSorter``: bytes, one record right after the other.
///
/// Its functions are called for every comparison, so they should be inlined.
@usableFromInline package protocol RunRecord: SendableMetatype {
  /// The number of bytes that ``end(_:at:)`` needs.
  static var header: Int { get }

  /// The first sort key of the record at an offset.
  static func key(_ bytes: Span<UInt8>, at offset: Int) -> UInt64

  /// The end of the record at an offset.
  static func end(_ bytes: Span<UInt8>, at offset: Int) -> Int

  /// Compares two records with the same key.
  ///
  /// - Returns: Below zero if the first comes before the other, above zero if after it; zero to
  ///   keep their order of insertion.
  static func compare(
    _ bytes: Span<UInt8>, at offset: Int, _ others: Span<UInt8>, at other: Int
  ) -> Int
}

/// Sorts records in limited memory (external merge sort).
///
/// Records that don't fit are written to a scratch file as sorted runs, which are merged when they
/// are read. Like ``RunMerge`` it has to be specialised in the module that uses it.
@usableFromInline package struct RunSorter<Record: RunRecord> {
  @usableFromInline let capacity: Int
  @usableFromInline var arena: [UInt8] = []
  @usableFromInline var keys: [RunKey] = []
  @usableFromInline var scratch: ScratchFile?
  @usableFromInline var runs: [Range<Int64>] = []

  /// Creates a sorter.
  ///
  /// - Parameter memory: Bytes of memory for records, at most 2 GiB.
  @inlinable
  package init(memory: Int) { capacity = min(max(memory, 4096), 1 << 31) }

  /// Adds a record.
  ///
  /// - Complexity: O(bytes), and O(n log n) comparisons for n records in memory, mostly of one
  ///   word.
  @inlinable
  package mutating func add(_ record: Span<UInt8>) throws(Errno) {
    try reserve(for: record.count)
    keys.append(RunKey(key: Record.key(record, at: 0), offset: UInt32(arena.count)))
    record.withUnsafeBufferPointer { arena.append(contentsOf: $0) }
  }

  /// Adds a record that is written in place.
  ///
  /// - Parameters:
  ///   - count: The number of its bytes.
  ///   - write: Appends them.
  /// - Complexity: As ``add(_:)``.
  @inlinable @inline(__always)
  package mutating func add(bytes count: Int, _ write: (inout [UInt8]) -> Void) throws(Errno) {
    try reserve(for: count)
    let offset = arena.count
    write(&arena)
    keys.append(RunKey(key: Record.key(arena.span, at: offset), offset: UInt32(offset)))
  }

  @inlinable
  mutating func reserve(for count: Int) throws(Errno) {
    // Half a key more for each, which sorting needs.
    let keyBytes = MemoryLayout<RunKey>.stride * 3 / 2
    if !keys.isEmpty, arena.count + count + (keys.count + 1) * keyBytes > capacity {
      try flush()
    }
    if keys.isEmpty, arena.capacity == 0 {
      // Untouched pages take no memory, while growing would need the old and the new array at once.
      arena.reserveCapacity(capacity)
      keys.reserveCapacity(capacity / (Record.header + keyBytes))
    }
  }

  @inlinable
  mutating func sort() {
    let arena = arena
    keys.sort { a, b in
      if a.key != b.key { return a.key < b.key }
      let order = Record.compare(arena.span, at: Int(a.offset), arena.span, at: Int(b.offset))
      return order != 0 ? order < 0 : a.offset < b.offset
    }
  }

  /// Writes the records in memory as a run.
  @inlinable
  mutating func flush() throws(Errno) {
    sort()
    if scratch == nil { scratch = try ScratchFile() }
    guard let scratch else { return }
    let start = scratch.count
    var block: [UInt8] = []
    block.reserveCapacity(RunKey.block * 2)
    for key in keys {
      let offset = Int(key.offset)
      block.append(contentsOf: arena[offset..<Record.end(arena.span, at: offset)])
      if block.count >= RunKey.block {
        try scratch.append(block.span)
        block.removeAll(keepingCapacity: true)
      }
    }
    try scratch.append(block.span)
    runs.append(start..<scratch.count)
    arena.removeAll(keepingCapacity: true)
    keys.removeAll(keepingCapacity: true)
  }

  /// Sorts the rest and returns all records.
  @inlinable
  package consuming func finish() throws(Errno) -> SortedRuns<Record> {
    // If there are runs, the rest becomes one, too, which frees its memory for reading.
    if scratch != nil { try flush() } else { sort() }
    if scratch != nil {
      arena = []
      keys = []
    }
    return SortedRuns(
      scratch: scratch, runs: runs, arena: arena, keys: keys,
      ahead: min(capacity, RunKey.maximumAhead))
  }
}

/// The offset of a record in memory, and its first sort key.
@usableFromInline
struct RunKey: BitwiseCopyable, Sendable {
  @usableFromInline let key: UInt64
  @usableFromInline let offset: UInt32

  @inlinable
  init(key: UInt64, offset: UInt32) { (self.key, self.offset) = (key, offset) }

  /// The number of bytes written at once.
  @usableFromInline static let block = 256 << 10
  /// The largest number of bytes that all runs together read ahead.
  @usableFromInline static let maximumAhead = 8 << 20
}

/// Sorted records, which can be read repeatedly.
@usableFromInline package struct SortedRuns<Record: RunRecord>: Sendable {
  @usableFromInline let scratch: ScratchFile?
  @usableFromInline let runs: [Range<Int64>]
  @usableFromInline let arena: [UInt8]
  @usableFromInline let keys: [RunKey]
  /// The number of bytes that all runs together may read ahead.
  @usableFromInline let ahead: Int

  /// No records.
  @inlinable
  package init() { self.init(scratch: nil, runs: [], arena: [], keys: [], ahead: 0) }

  @inlinable
  init(
    scratch: ScratchFile?, runs: [Range<Int64>], arena: [UInt8], keys: [RunKey], ahead: Int
  ) {
    self.ahead = ahead
    self.scratch = scratch
    self.runs = runs
    self.arena = arena
    self.keys = keys
  }

  /// The number of runs in a scratch file; 0 if all records are in memory.
  @inlinable
  package var runCount: Int { runs.count }

  /// Reads all records in order, from the first.
  @inlinable
  package func cursor() -> RunMerge<StoredRun<Record>> {
    guard let scratch else { return RunMerge([StoredRun(arena: arena, keys: keys)]) }
    let block = min(max(ahead / max(runs.count, 1), 16 << 10), RunKey.block)
    return RunMerge(
      runs.enumerated().map { StoredRun(scratch, $1, number: $0, block: block) })
  }
}
