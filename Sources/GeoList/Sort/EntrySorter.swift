import GeoPath
import GeoSystem

/// Sorts the entries of a list that are no folders, in as much memory as it is given.
///
/// What doesn't fit is written to a scratch file as runs, each of them sorted, which are merged
/// when they are read (external merge sort).
struct EntrySorter {
  /// Where a record is in the arena, and what it is sorted by first.
  struct Key: BitwiseCopyable {
    let key: UInt64
    let offset: UInt32
  }

  /// The largest arena that a key can point into.
  private static let largestArena = 1 << 31

  private let capacity: Int
  private var arena: [UInt8] = []
  private var keys: [Key] = []
  private var scratch: ScratchFile?
  private var runs: [Range<Int64>] = []

  /// A sorter.
  ///
  /// - Parameter memory: Bytes of memory for entries.
  init(memory: Int) { capacity = min(max(memory, 4096), Self.largestArena) }

  /// Adds an entry.
  mutating func add(
    rank: UInt32, name: Span<UInt8>, _ facts: ListedFacts, position: UInt64
  ) throws(ListError) {
    let need = EntryRecord.header + name.count
    // A third more, since sorting takes half a key for each.
    let keyBytes = MemoryLayout<Key>.stride * 3 / 2
    if !keys.isEmpty, arena.count + need + (keys.count + 1) * keyBytes > capacity {
      try flush()
    }
    if keys.isEmpty, arena.capacity == 0 {
      // What is not touched takes no memory; growing would need the old place beside the new.
      arena.reserveCapacity(capacity)
      keys.reserveCapacity(capacity / (EntryRecord.header + keyBytes))
    }
    let offset = arena.count
    EntryRecord.append(rank: rank, name: name, facts, position: position, to: &arena)
    keys.append(
      Key(key: EntryRecord.key(arena.span, at: offset), offset: UInt32(offset)))
  }

  private mutating func sort() {
    let arena = arena
    keys.sort { a, b in
      EntryRecord.orders(
        arena.span, at: Int(a.offset), key: a.key, before: arena.span, at: Int(b.offset),
        key: b.key)
    }
  }

  /// Writes what is in memory as a run.
  private mutating func flush() throws(ListError) {
    sort()
    do throws(Errno) {
      if scratch == nil { scratch = try ScratchFile() }
      guard let scratch else { return }
      let start = scratch.count
      var block: [UInt8] = []
      block.reserveCapacity(ListInput.block * 2)
      for key in keys {
        let offset = Int(key.offset)
        let name = EntryRecord.name(arena.span, at: offset)
        block.append(contentsOf: arena[offset..<name.upperBound])
        if block.count >= ListInput.block {
          try scratch.append(block.span)
          block.removeAll(keepingCapacity: true)
        }
      }
      try scratch.append(block.span)
      runs.append(start..<scratch.count)
    } catch {
      throw .noScratch(error)
    }
    arena.removeAll(keepingCapacity: true)
    keys.removeAll(keepingCapacity: true)
  }

  /// Ends the sorting.
  consuming func finish() -> SortedEntries {
    sort()
    return SortedEntries(scratch: scratch, runs: runs, arena: arena, keys: keys)
  }
}

/// Entries that were sorted, which can be read again and again.
struct SortedEntries {
  let scratch: ScratchFile?
  let runs: [Range<Int64>]
  let arena: [UInt8]
  let keys: [EntrySorter.Key]
}
