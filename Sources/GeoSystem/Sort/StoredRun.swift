import GeoCore

/// Reads one run of sorted records: in memory, or in a scratch file.
public struct StoredRun<Record: RunRecord>: SortedRun {
  @usableFromInline var buffer: [UInt8]
  @usableFromInline var offset = 0
  @usableFromInline var end = 0
  @usableFromInline var firstWord: UInt64 = 0
  /// How many runs came before it.
  @usableFromInline let number: Int

  /// Where the records of a run in memory are.
  @usableFromInline let keys: [RunKey]
  @usableFromInline var next = 0
  @usableFromInline let scratch: ScratchFile?
  @usableFromInline let isInMemory: Bool
  /// What of the scratch file was not read yet.
  @usableFromInline var rest: Range<Int64> = 0..<0
  @usableFromInline let block: Int

  /// A run in memory.
  @inlinable
  init(arena: [UInt8], keys: [RunKey]) {
    buffer = arena
    self.keys = keys
    number = 0
    scratch = nil
    isInMemory = true
    block = 0
  }

  /// A run in a scratch file.
  @inlinable
  init(_ scratch: ScratchFile, _ range: Range<Int64>, number: Int, block: Int) {
    buffer = []
    keys = []
    self.number = number
    self.scratch = scratch
    isInMemory = false
    rest = range
    self.block = block
  }

  /// What the record at hand is sorted by first; there is one.
  @inlinable @inline(__always)
  public var key: UInt64 { firstWord }

  /// What holds the record at hand.
  @inlinable @inline(__always)
  public var bytes: [UInt8] { _read { yield buffer } }

  /// Where in that it is; there is one.
  @inlinable @inline(__always)
  public var range: Range<Int> { offset..<end }

  /// Of records that are alike those of the earlier run came first.
  @inlinable @inline(__always)
  public func stands(before other: StoredRun) -> Bool {
    if firstWord != other.firstWord { return firstWord < other.firstWord }
    let order = Record.compare(buffer.span, at: offset, other.buffer.span, at: other.offset)
    return order != 0 ? order < 0 : number < other.number
  }

  /// Goes to the next record, at the beginning to the first.
  ///
  /// - Returns: Whether there is one.
  @inlinable
  public mutating func advance() throws(Errno) -> Bool {
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
    firstWord = Record.key(buffer.span, at: offset)
    end = Record.end(buffer.span, at: offset)
    return true
  }

  /// Reads on, so that the next record is in the buffer; false if there is none.
  @inlinable
  mutating func readOn() throws(Errno) -> Bool {
    guard let scratch, try has(Record.header, in: scratch) else { return false }
    return try has(Record.end(buffer.span, at: offset) - offset, in: scratch)
  }

  /// Reads on if some bytes from the record's beginning on are not in the buffer.
  @inlinable
  mutating func has(_ count: Int, in scratch: ScratchFile) throws(Errno) -> Bool {
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
