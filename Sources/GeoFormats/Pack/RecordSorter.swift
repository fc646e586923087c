import GeoCore
import GeoSystem

/// A record to sort: eight bytes of key, four bytes with the length of the content, and the
/// content. Numbers are little-endian.
package enum Record: RunRecord {
  package static var header: Int { 12 }

  @inline(__always)
  package static func key(_ bytes: Span<UInt8>, at offset: Int) -> UInt64 {
    bytes.loadWord(at: offset)
  }

  @inline(__always)
  package static func end(_ bytes: Span<UInt8>, at offset: Int) -> Int {
    offset + header + Int(bytes.loadHalfWord(at: offset + 8))
  }

  /// Records with the same key stay in the order in which they were added.
  @inline(__always)
  package static func compare(
    _ bytes: Span<UInt8>, at offset: Int, _ others: Span<UInt8>, at other: Int
  ) -> Int { 0 }
}

/// Sorts records by their keys.
package struct RecordSorter {
  private var sorter: RunSorter<Record>

  /// - Parameter memory: Bytes of memory for records, at most 2 GiB.
  package init(memory: Int = 20 << 20) { sorter = RunSorter(memory: memory) }

  /// - Complexity: O(bytes), and O(n log n) comparisons of one word for what fits into memory.
  /// - Returns: The number of records.
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

  package mutating func add(content: [UInt8], key: UInt64) throws(Errno) {
    try sorter.add(bytes: Record.header + content.count) { bytes in
      bytes.append(little: key)
      bytes.append(little: UInt32(truncatingIfNeeded: content.count))
      bytes += content
    }
  }

  package consuming func finish() throws(Errno) -> SortedRecords {
    SortedRecords(runs: try sorter.finish())
  }
}

/// Sorted records, which can be read repeatedly.
package struct SortedRecords {
  private let runs: SortedRuns<Record>

  package init() { runs = SortedRuns() }

  fileprivate init(runs: SortedRuns<Record>) { self.runs = runs }

  /// The number of runs in a scratch file; 0 if all records are in memory.
  package var runCount: Int { runs.runCount }

  package func cursor() -> RecordCursor { RecordCursor(runs.cursor()) }
}

package struct RecordCursor {
  private var merge: RunMerge<StoredRun<Record>>

  fileprivate init(_ merge: RunMerge<StoredRun<Record>>) { self.merge = merge }

  /// Moves to the next record, initially to the first.
  package mutating func advance() throws(Errno) -> Bool { try merge.advance() }

  /// The key of the current record, which must exist.
  @inline(__always)
  package var key: UInt64 { merge.first.key }

  /// Calls `body` with the content of the current record, which must exist.
  @inline(__always)
  package mutating func withContent<Result>(_ body: (Span<UInt8>) -> Result) -> Result {
    merge.withFirst { run in
      let range = run.range
      return body(run.bytes.span.extracting((range.lowerBound + Record.header)..<range.upperBound))
    }
  }
}

/// Makes values one after the other, each on another thread while the previous one is used.
final class ReadAhead<Value> {
  private let isThreaded: Bool
  private let make: @Sendable () throws(Errno) -> Value?
  private var coming: BackgroundTask<Value?>?

  /// - Parameters:
  ///   - threads: The maximum number of threads; with one, each value is made when it is requested.
  ///   - make: Makes the next value; nil at the end, after which it isn't called again. It is
  ///     called by one thread at a time.
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
  func next() throws(Errno) -> Value? {
    guard let work = coming else { return nil }
    coming = nil
    guard let value = try work.finish() else { return nil }
    begin()
    return value
  }
}

/// Bytes that are written first and read later, in a scratch file if there are many.
struct Spool: ~Copyable {
  private static let maximum = 256 << 10

  private var buffer = OutputBuffer(capacity: 4096)
  private var scratch: ScratchFile?
  private var position: Int64 = 0

  @inline(__always)
  mutating func add(_ body: (inout OutputBuffer) -> Void) throws(Errno) {
    body(&buffer)
    if buffer.count >= Self.maximum { try flush() }
  }

  private mutating func flush() throws(Errno) {
    if scratch == nil { scratch = try ScratchFile() }
    guard let scratch else { return }
    try buffer.withBytes { (bytes) throws(Errno) in try scratch.append(bytes) }
    buffer.removeAll()
  }

  /// Appends unread bytes to `bytes`, at most `count`.
  ///
  /// - Returns: The number of bytes; 0 at the end.
  mutating func read(upTo count: Int, appendingTo bytes: inout [UInt8]) throws(Errno) -> Int {
    guard let scratch else {
      let start = Int(position)
      let end = min(buffer.count, start + count)
      buffer.withBytes { bytes.append(copying: $0.extracting(start..<end)) }
      position = Int64(end)
      return end - start
    }
    if buffer.count > 0 { try flush() }
    let found = try scratch.read(upTo: count, at: position, appendingTo: &bytes)
    position += Int64(found)
    return found
  }
}

/// Makes a map file whose beginning depends on all features: an index, counts, an order.
///
/// The threads that read the tree write each node as a record, by the ``FormatWriter`` of the
/// format. An assembler takes the records in the order of the map, and writes them to scratch files
/// if they exceed its memory. After the last one it returns the file, part by part. So a map in
/// such a format is a stream like any other, with the same bytes for any number of threads.
///
/// A format adds a subclass, and a line to ``make(for:_:_:threads:)``.
package class FileAssembler {
  package let header: MapHeader
  package let options: WriterOptions
  let threads: Int
  private var sorter = RecordSorter()
  /// The sorted records, once they have ended.
  var records = SortedRecords()
  private(set) var recordCount = 0

  package init(_ header: MapHeader, _ options: WriterOptions, threads: Int) {
    self.header = header
    self.options = options
    self.threads = max(threads, 1)
  }

  /// The assembler of a format; nil if its features are written as they come.
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

  /// Adds complete records, in the order of the map.
  package func add(_ records: Span<UInt8>) throws(Errno) { recordCount += try sorter.add(records) }

  /// Ends the records.
  package func finish() throws(Errno) {
    records = try sorter.finish()
    sorter = RecordSorter()
  }

  /// Writes the next part of the file, some 100 to 800 KiB, to an empty buffer, or replaces that
  /// buffer by one with the part.
  ///
  /// - Returns: Whether there was a part.
  package func write(to buffer: inout OutputBuffer) throws(Errno) -> Bool { false }
}
