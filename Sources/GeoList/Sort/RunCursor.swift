import GeoPath
import GeoSystem

/// Reads one run of sorted entries: in memory, or in a scratch file.
struct RunCursor: SortedRun {
  /// What holds the record at hand.
  private(set) var buffer: [UInt8]
  /// Where the record is.
  private(set) var offset = 0
  /// What it is sorted by first.
  private(set) var key: UInt64 = 0

  /// Where the records of a run in memory are.
  private let keys: [EntrySorter.Key]
  private var next = 0
  private let scratch: ScratchFile?
  /// What of the scratch file was not read yet.
  private var rest: Range<Int64> = 0..<0

  /// A run in memory.
  init(arena: [UInt8], keys: [EntrySorter.Key]) {
    buffer = arena
    self.keys = keys
    scratch = nil
  }

  /// A run in a scratch file.
  init(_ scratch: ScratchFile, _ range: Range<Int64>) {
    buffer = []
    keys = []
    self.scratch = scratch
    rest = range
  }

  mutating func advance() throws(ListError) -> Bool {
    guard let scratch else {
      if next == keys.count { return false }
      offset = Int(keys[next].offset)
      key = keys[next].key
      next += 1
      return true
    }
    if !buffer.isEmpty { offset = EntryRecord.name(buffer.span, at: offset).upperBound }
    if try !has(EntryRecord.header, in: scratch) { return false }
    let length = EntryRecord.name(buffer.span, at: offset).count
    if try !has(EntryRecord.header + length, in: scratch) { return false }
    key = EntryRecord.key(buffer.span, at: offset)
    return true
  }

  /// Reads on if some bytes from the record's beginning on are not in the buffer.
  private mutating func has(_ count: Int, in scratch: ScratchFile) throws(ListError) -> Bool {
    while buffer.count - offset < count {
      if rest.isEmpty { return false }
      buffer.removeSubrange(..<offset)
      offset = 0
      do throws(Errno) {
        let room = Int(min(Int64(ListInput.block), rest.upperBound - rest.lowerBound))
        let found = try scratch.read(upTo: room, at: rest.lowerBound, appendingTo: &buffer)
        if found == 0 { return false }
        rest = (rest.lowerBound + Int64(found))..<rest.upperBound
      } catch {
        throw .noScratch(error)
      }
    }
    return true
  }

  /// Whether the record stands before that of another run.
  @inline(__always)
  func stands(before other: RunCursor) -> Bool {
    EntryRecord.orders(
      buffer.span, at: offset, key: key, before: other.buffer.span, at: other.offset,
      key: other.key)
  }

  var rank: UInt32 { UInt32(truncatingIfNeeded: key >> 32) }

  var facts: ListedFacts { EntryRecord.facts(buffer.span, at: offset) }

  var position: UInt64 { EntryRecord.position(buffer.span, at: offset) }

  func isNamed(_ name: [UInt8]) -> Bool {
    let range = EntryRecord.name(buffer.span, at: offset)
    if range.count != name.count { return false }
    for index in name.indices where buffer[range.lowerBound + index] != name[index] {
      return false
    }
    return true
  }

  func copyName(to name: inout [UInt8]) {
    name.removeAll(keepingCapacity: true)
    name.append(contentsOf: buffer[EntryRecord.name(buffer.span, at: offset)])
  }
}
