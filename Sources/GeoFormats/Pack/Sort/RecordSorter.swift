import GeoCore
import GeoSystem

/// A record as it is sorted: eight bytes of key, four bytes that say how many follow, and those. All
/// numbers have their lowest byte first.
package enum Record: RunRecord {
  /// Bytes before the content.
  package static var header: Int { 12 }

  /// What the record at some place is sorted by.
  @inline(__always)
  package static func key(_ bytes: Span<UInt8>, at offset: Int) -> UInt64 {
    bytes.loadWord(at: offset)
  }

  /// Where the record at some place ends.
  @inline(__always)
  package static func end(_ bytes: Span<UInt8>, at offset: Int) -> Int {
    offset + header + Int(bytes.loadHalfWord(at: offset + 8))
  }

  /// Those of one key stay in the order in which they came.
  @inline(__always)
  package static func compare(
    _ bytes: Span<UInt8>, at offset: Int, _ others: Span<UInt8>, at other: Int
  ) -> Int { 0 }
}

/// Puts records in the order of their keys, those of one key in the order in which they came.
package struct RecordSorter {
  private var sorter: RunSorter<Record>

  /// A sorter.
  ///
  /// - Parameter memory: Bytes of memory for records, at most 2 GiB.
  package init(memory: Int = 20 << 20) { sorter = RunSorter(memory: memory) }

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
      try sorter.add(records.extracting(offset..<end))
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
    try sorter.add(bytes: Record.header + content.count) { bytes in
      for shift in stride(from: UInt64(0), to: 64, by: 8) {
        bytes.append(UInt8(truncatingIfNeeded: key >> shift))
      }
      for shift in stride(from: 0, to: 32, by: 8) {
        bytes.append(UInt8(truncatingIfNeeded: content.count >> shift))
      }
      bytes += content
    }
  }

  /// Ends the sorting.
  package consuming func finish() throws(Errno) -> SortedRecords {
    SortedRecords(runs: try sorter.finish())
  }
}

/// Records that were sorted, which can be read again and again.
package struct SortedRecords {
  private let runs: SortedRuns<Record>

  /// No records.
  package init() { runs = SortedRuns() }

  fileprivate init(runs: SortedRuns<Record>) { self.runs = runs }

  /// How many runs there are in a scratch file; 0 if all are in memory.
  package var runCount: Int { runs.runCount }

  /// Reads them from the first on.
  package func cursor() -> RecordCursor { RecordCursor(runs.cursor()) }
}

/// Reads sorted records one after the other.
package struct RecordCursor {
  private var merge: RunMerge<StoredRun<Record>>

  fileprivate init(_ merge: RunMerge<StoredRun<Record>>) { self.merge = merge }

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
    merge.withFirst { run in
      let range = run.range
      return body(run.bytes.span.extracting((range.lowerBound + Record.header)..<range.upperBound))
    }
  }
}
