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
  @usableFromInline let sortsAside: Bool
  @usableFromInline var arena: [UInt8] = []
  @usableFromInline var keys: [RunKey] = []
  @usableFromInline var scratch: ScratchFile?
  @usableFromInline var runs: [Range<Int64>] = []
  /// Sorts and writes the last run.
  @usableFromInline var writing: BackgroundTask<RunInMemory<Record>>?

  /// `memory` is in bytes, at most 2 GiB. With `sortsAside` another thread sorts and writes a run
  /// while records are added to the next one; each run has half of the memory then.
  @inlinable
  package init(memory: Int, sortsAside: Bool = false) {
    capacity = min(max(sortsAside ? memory / 2 : memory, 4096), 1 << 31)
    self.sortsAside = sortsAside
  }

  @inlinable
  package mutating func add(_ record: Span<UInt8>) throws(Errno) {
    try reserve(for: record.count)
    keys.append(RunKey(key: Record.key(record, at: 0), offset: UInt32(arena.count)))
    record.withUnsafeBufferPointer { arena.append(contentsOf: $0) }
  }

  /// Adds a record of `count` bytes, which `write` appends.
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
  mutating func flush() throws(Errno) {
    if scratch == nil { scratch = try ScratchFile() }
    guard let scratch else { return }
    let run = RunInMemory<Record>(arena, keys)
    (arena, keys) = ([], [])
    try finishWriting()
    let task = BackgroundTask { () throws(Errno) in
      try run.write(to: scratch)
      return run
    }
    writing = task
    if sortsAside { task.begin() } else { try finishWriting() }
  }

  /// Waits until the last run is written, and takes its memory.
  @inlinable
  mutating func finishWriting() throws(Errno) {
    guard let task = writing else { return }
    writing = nil
    let run = try task.finish()
    runs.append(run.range)
    (arena, keys) = run.takeMemory()
  }

  @inlinable
  package consuming func finish() throws(Errno) -> SortedRuns<Record> {
    // If there are runs, the rest becomes one, too, which frees its memory for reading.
    if scratch == nil {
      keys.sort(in: arena, as: Record.self)
    } else {
      try flush()
      try finishWriting()
      (arena, keys) = ([], [])
    }
    return SortedRuns(
      scratch: scratch, runs: runs, arena: arena, keys: keys,
      ahead: min(capacity, RunKey.maximumAhead))
  }
}

/// A full run that is not written yet.
@usableFromInline final class RunInMemory<Record: RunRecord>: @unchecked Sendable {
  // Sendable: one thread at a time has it.
  @usableFromInline var arena: [UInt8]
  @usableFromInline var keys: [RunKey]
  /// The range of the scratch file that it is written to.
  @usableFromInline var range: Range<Int64> = 0..<0

  @inlinable
  init(_ arena: [UInt8], _ keys: [RunKey]) { (self.arena, self.keys) = (arena, keys) }

  @inlinable
  func write(to scratch: ScratchFile) throws(Errno) {
    keys.sort(in: arena, as: Record.self)
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
    range = start..<scratch.count
  }

  /// Gives its memory away, empty.
  @inlinable
  func takeMemory() -> (arena: [UInt8], keys: [RunKey]) {
    arena.removeAll(keepingCapacity: true)
    keys.removeAll(keepingCapacity: true)
    defer { (arena, keys) = ([], []) }
    return (arena, keys)
  }
}

extension [RunKey] {
  @inlinable
  mutating func sort<Record: RunRecord>(in arena: [UInt8], as record: Record.Type) {
    sort { a, b in
      if a.key != b.key { return a.key < b.key }
      let order = Record.compare(arena.span, at: Int(a.offset), arena.span, at: Int(b.offset))
      return order != 0 ? order < 0 : a.offset < b.offset
    }
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
