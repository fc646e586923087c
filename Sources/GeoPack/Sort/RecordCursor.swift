import GeoPath
import GeoSystem

/// Reads sorted records one after the other: all runs as one.
package struct RecordCursor {
  private var merge: RunMerge<RecordRun>

  init(_ records: SortedRecords) {
    if let scratch = records.scratch {
      let block = min(max(records.ahead / max(records.runs.count, 1), 16 << 10), 256 << 10)
      merge = RunMerge(
        records.runs.enumerated().map { RecordRun(scratch, $1, number: $0, block: block) })
    } else {
      merge = RunMerge([RecordRun(arena: records.arena, keys: records.keys)])
    }
  }

  /// Goes to the next record, at the beginning to the first.
  ///
  /// - Returns: Whether there is one.
  /// - Complexity: O(log runs).
  package mutating func advance() throws(Errno) -> Bool { try merge.advance() }

  /// What the record at hand is sorted by; there is one.
  @inline(__always)
  package var key: UInt64 { merge.first.key }

  /// Lends the content of the record at hand; there is one.
  @inline(__always)
  package mutating func withContent<Result>(_ body: (Span<UInt8>) -> Result) -> Result {
    merge.withFirst { $0.withContent(body) }
  }
}

/// Reads one run of sorted records: in memory, or in a scratch file.
struct RecordRun: SortedRun {
  /// What holds the record at hand.
  private var buffer: [UInt8]
  /// Where the record is.
  private var offset = 0
  private var end = 0
  /// What it is sorted by.
  private(set) var key: UInt64 = 0
  /// How many runs came before it.
  private let number: Int

  /// Where the records of a run in memory are.
  private let keys: [RecordSorter.Key]
  private var next = 0
  private let scratch: ScratchFile?
  private let isInMemory: Bool
  /// What of the scratch file was not read yet.
  private var rest: Range<Int64> = 0..<0
  private let block: Int

  /// A run in memory.
  init(arena: [UInt8], keys: [RecordSorter.Key]) {
    buffer = arena
    self.keys = keys
    number = 0
    scratch = nil
    isInMemory = true
    block = 0
  }

  /// A run in a scratch file.
  init(_ scratch: ScratchFile, _ range: Range<Int64>, number: Int, block: Int) {
    buffer = []
    keys = []
    self.number = number
    self.scratch = scratch
    isInMemory = false
    rest = range
    self.block = block
  }

  /// Lends the content of the record at hand.
  @inline(__always)
  func withContent<Result>(_ body: (Span<UInt8>) -> Result) -> Result {
    body(buffer.span.extracting((offset + Record.header)..<end))
  }

  /// Of equal keys those of the earlier run came first.
  @inline(__always)
  func stands(before other: RecordRun) -> Bool { (key, number) < (other.key, other.number) }

  mutating func advance() throws(Errno) -> Bool {
    if isInMemory {
      if next == keys.count { return false }
      offset = Int(keys[next].offset)
      next += 1
    } else {
      offset = end
      // Nearly always it was read ahead.
      let isThere =
        buffer.count - offset >= Record.header
        && Record.end(buffer.span, at: offset) <= buffer.count
      if !isThere {
        guard try readOn() else { return false }
      }
    }
    key = Record.key(buffer.span, at: offset)
    end = Record.end(buffer.span, at: offset)
    return true
  }

  /// Reads on, so that the next record is in the buffer; false if there is none.
  private mutating func readOn() throws(Errno) -> Bool {
    guard let scratch, try has(Record.header, in: scratch) else { return false }
    return try has(Record.end(buffer.span, at: offset) - offset, in: scratch)
  }

  /// Reads on if some bytes from the record's beginning on are not in the buffer.
  private mutating func has(_ count: Int, in scratch: ScratchFile) throws(Errno) -> Bool {
    while buffer.count - offset < count {
      if rest.isEmpty { return false }
      buffer.removeSubrange(..<offset)
      offset = 0
      end = 0
      let room = Int(
        min(Int64(max(block, count - buffer.count)), rest.upperBound - rest.lowerBound))
      let found = try scratch.read(upTo: room, at: rest.lowerBound, appendingTo: &buffer)
      if found == 0 { return false }
      rest = (rest.lowerBound + Int64(found))..<rest.upperBound
    }
    return true
  }
}
