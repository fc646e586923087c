import GeoCore

/// Reads one run of sorted records, in memory or in a scratch file.
@usableFromInline package struct StoredRun<Record: RunRecord>: SortedRun {
  @usableFromInline var buffer: [UInt8]
  @usableFromInline var offset = 0
  @usableFromInline var end = 0
  @usableFromInline var firstWord: UInt64 = 0
  /// The number of runs before it.
  @usableFromInline let number: Int

  /// The offsets of the records of a run in memory.
  @usableFromInline let keys: [RunKey]
  @usableFromInline var next = 0
  @usableFromInline let scratch: ScratchFile?
  /// The range of the scratch file that was not read yet.
  @usableFromInline var rest: Range<Int64> = 0..<0
  @usableFromInline let block: Int

  @inlinable
  init(arena: [UInt8], keys: [RunKey]) {
    buffer = arena
    self.keys = keys
    number = 0
    scratch = nil
    block = 0
  }

  @inlinable
  init(_ scratch: ScratchFile, _ range: Range<Int64>, number: Int, block: Int) {
    buffer = []
    keys = []
    self.number = number
    self.scratch = scratch
    rest = range
    self.block = block
  }

  /// The first sort key of the current record.
  @inlinable @inline(__always)
  package var key: UInt64 { firstWord }

  /// The bytes that contain the current record.
  @inlinable @inline(__always)
  package var bytes: [UInt8] { _read { yield buffer } }

  /// The range of the current record in ``bytes``.
  @inlinable @inline(__always)
  package var range: Range<Int> { offset..<end }

  /// Whether the current record comes before that of another run; of equal records, that of the
  /// earlier run comes first.
  @inlinable @inline(__always)
  package func precedes(_ other: StoredRun) -> Bool {
    if firstWord != other.firstWord { return firstWord < other.firstWord }
    let order = Record.compare(buffer.span, at: offset, other.buffer.span, at: other.offset)
    return order != 0 ? order < 0 : number < other.number
  }

  @inlinable
  package mutating func advance() throws(Errno) -> Bool {
    if scratch == nil {
      if next == keys.count { return false }
      offset = Int(keys[next].offset)
      next += 1
    } else {
      offset = end
      // Nearly always the record is already in the buffer.
      let isThere =
        buffer.count - offset >= Record.header
        && Record.end(buffer.span, at: offset) <= buffer.count
      if !isThere {
        guard try readOn() else { return false }
      }
    }
    firstWord = Record.key(buffer.span, at: offset)
    end = Record.end(buffer.span, at: offset)
    return true
  }

  /// Reads until the next record is in the buffer; false at the end.
  @inlinable
  mutating func readOn() throws(Errno) -> Bool {
    guard let scratch, try has(Record.header, in: scratch) else { return false }
    return try has(Record.end(buffer.span, at: offset) - offset, in: scratch)
  }

  /// Reads until a number of bytes from the record's beginning is in the buffer; false at the end.
  @inlinable
  mutating func has(_ count: Int, in scratch: ScratchFile) throws(Errno) -> Bool {
    while buffer.count - offset < count {
      if rest.isEmpty { return false }
      buffer.removeSubrange(..<offset)
      offset = 0
      end = 0
      let length = Int(
        min(Int64(max(block, count - buffer.count)), rest.upperBound - rest.lowerBound))
      let found = try scratch.read(upTo: length, at: rest.lowerBound, appendingTo: &buffer)
      if found == 0 { return false }
      rest = (rest.lowerBound + Int64(found))..<rest.upperBound
    }
    return true
  }
}
