import GeoCore
import GeoSystem

extension EntryRecord: RunRecord {
  /// The rank of the folder, before the first four bytes of the name.
  @inline(__always)
  static func key(_ bytes: Span<UInt8>, at offset: Int) -> UInt64 {
    let word = bytes.loadWord(at: offset)
    let name = bytes.extracting(name(bytes, at: offset))
    return word << 32 | name.bigEndianPrefix >> 32
  }

  @inline(__always)
  static func end(_ bytes: Span<UInt8>, at offset: Int) -> Int {
    name(bytes, at: offset).upperBound
  }

  /// Names of one folder by their bytes; what is said of one name twice stays in the order of the list.
  @inline(__always)
  static func compare(
    _ bytes: Span<UInt8>, at offset: Int, _ others: Span<UInt8>, at other: Int
  ) -> Int {
    let a = bytes.extracting(name(bytes, at: offset))
    let b = others.extracting(name(others, at: other))
    let common = min(a.count, b.count)
    // The first four bytes are in the keys.
    var index = min(4, common)
    while index < common {
      if a[index] != b[index] { return a[index] < b[index] ? -1 : 1 }
      index += 1
    }
    return a.count - b.count
  }
}

/// Sorts the entries of a list that are no folders, in as much memory as it is given.
struct EntrySorter {
  private var sorter: RunSorter<EntryRecord>

  /// A sorter.
  ///
  /// - Parameter memory: Bytes of memory for entries.
  init(memory: Int) { sorter = RunSorter(memory: memory) }

  /// Adds an entry, which stands after those that were added before in the list.
  mutating func add(
    rank: UInt32, name: Span<UInt8>, _ facts: ListedFacts, position: UInt64
  ) throws(ListError) {
    do throws(Errno) {
      try sorter.add(bytes: EntryRecord.header + name.count) { bytes in
        EntryRecord.append(rank: rank, name: name, facts, position: position, to: &bytes)
      }
    } catch {
      throw .noScratch(error)
    }
  }

  /// Ends the sorting.
  consuming func finish() throws(ListError) -> SortedRuns<EntryRecord> {
    do throws(Errno) {
      return try sorter.finish()
    } catch {
      throw .noScratch(error)
    }
  }
}
