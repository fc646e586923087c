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

/// Values that are made one after the other, each by another thread while the one before is used.
final class ReadAhead<Value> {
  private let isThreaded: Bool
  private let make: @Sendable () throws(Errno) -> Value?
  private var coming: BackgroundTask<Value?>?

  /// - Parameters:
  ///   - threads: How many threads may work at once; with one, each value is made when it is asked for.
  ///   - make: Makes the next value; nil at the end, and then it isn't called again. It is called by one thread at a time.
  init(threads: Int, _ make: @escaping @Sendable () throws(Errno) -> Value?) {
    isThreaded = threads > 1
    self.make = make
    begin()
  }

  private func begin() {
    let work = BackgroundTask(make)
    if isThreaded { work.begin() }
    coming = work
  }

  /// The next value; nil at the end.
  ///
  /// - Throws: What making it has thrown; there is no other value after that.
  func next() throws(Errno) -> Value? {
    guard let work = coming else { return nil }
    coming = nil
    guard let value = try work.finish() else { return nil }
    begin()
    return value
  }
}

/// Bytes that are written first and read later, in a scratch file if they are many.
struct Spool: ~Copyable {
  /// Bytes that are kept in memory.
  private static let most = 256 << 10

  private var buffer = OutputBuffer(capacity: 4096)
  private var scratch: ScratchFile?
  private var position: Int64 = 0

  /// Adds what `body` writes.
  @inline(__always)
  mutating func add(_ body: (inout OutputBuffer) -> Void) throws(Errno) {
    body(&buffer)
    if buffer.count >= Self.most { try flush() }
  }

  private mutating func flush() throws(Errno) {
    if scratch == nil { scratch = try ScratchFile() }
    guard let scratch else { return }
    try buffer.withBytes { (bytes) throws(Errno) in try scratch.append(bytes) }
    buffer.removeAll()
  }

  /// Adds what was not read yet to other bytes, at most `count` bytes.
  ///
  /// - Returns: How many there were; 0 at the end.
  mutating func read(upTo count: Int, appendingTo bytes: inout [UInt8]) throws(Errno) -> Int {
    guard let scratch else {
      let start = Int(position)
      let end = min(buffer.count, start + count)
      buffer.withBytes { written in
        unsafe written.extracting(start..<end).withUnsafeBufferPointer {
          unsafe bytes.append(contentsOf: $0)
        }
      }
      position = Int64(end)
      return end - start
    }
    if buffer.count > 0 { try flush() }
    let found = try scratch.read(upTo: count, at: position, appendingTo: &bytes)
    position += Int64(found)
    return found
  }
}

/// Makes a file of a map whose beginning depends on what comes last: an index, counts, an order.
///
/// The threads that read the tree write each node as a record, by the ``FormatWriter`` of the format. An
/// assembler takes the records in the order of the map, in scratch files where they don't fit into
/// memory; when all have come it gives the file, part by part. So a map in such a format is a stream like any other,
/// and its bytes are the same for any number of threads.
///
/// A format adds a subclass, and a line to ``make(for:_:_:threads:)``.
package class FileAssembler {
  /// What the map says of itself.
  package let header: MapHeader
  /// What its records say.
  package let options: WriterOptions
  /// How many threads may work at once.
  let threads: Int

  /// An assembler that has got nothing yet.
  package init(_ header: MapHeader, _ options: WriterOptions, threads: Int) {
    self.header = header
    self.options = options
    self.threads = max(threads, 1)
  }

  /// What assembles a format; nil if its features are written as they come.
  ///
  /// - Parameter threads: How many threads may work at once.
  package static func make(
    for format: OutputFormat, _ header: MapHeader, _ options: WriterOptions, threads: Int
  ) -> FileAssembler? {
    switch format {
    case .flatgeobuf where options.isIndexed:
      FlatGeobufAssembler(header, options, threads: threads)
    case .parquet: ParquetAssembler(header, options, threads: threads)
    default: nil
    }
  }

  /// Takes records, whole ones, in the order of the map.
  ///
  /// - Throws: Why a scratch file could not be written.
  package func take(_ records: Span<UInt8>) throws(Errno) {}

  /// All records have come.
  ///
  /// - Throws: Why a scratch file could not be written or read.
  package func finish() throws(Errno) {}

  /// Writes the next part of the file, some 100 to 800 KiB, to an empty buffer, or puts a buffer that has it in the place of
  /// that one.
  ///
  /// - Returns: Whether there was any.
  /// - Throws: Why a scratch file could not be read.
  package func write(to buffer: inout OutputBuffer) throws(Errno) -> Bool { false }
}
