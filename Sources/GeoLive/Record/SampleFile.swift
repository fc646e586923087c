import GeoCore
import GeoProjection

/// The file format of a sample book, so that a later run can continue it.
///
/// The line ``head`` is followed by the key, which identifies what was sampled, then by each folder
/// with its bytes and files, then by each root with its free bytes. The last eight bytes are the
/// XXH64 of everything before, little-endian. Numbers are varints. A series is a number of chunks,
/// each with its first time and value and the encoded further values (``SampleSeries``).
package enum SampleFile {
  /// The first line; its number is the version of the format.
  static let head = Array("geomapper samples 1\n".utf8)
  /// The beginning of the first line in any version.
  private static let stem = Array("geomapper samples ".utf8)
  /// Size of the checksum.
  private static let tail = 8
  package static let maximumBytes = 64 << 20

  static let foreign = Failure.damage("not a file with samples")
  static let otherVersion = Failure.damage("written by another version of geomapper")
  static let otherFolders = Failure.damage("it has the samples of other folders")
  /// The checksum is wrong, or the content is malformed.
  static let damaged = Failure.damage("the file is damaged")

  /// If the result would be longer than the limit, the oldest samples are omitted.
  package static func bytes(
    of book: SampleBook, key: [UInt8], limit: Int = maximumBytes
  ) -> [UInt8] {
    let newest = book.entries.values.compactMap(\.bytes.last?.time).max() ?? 0
    var span = SampleSeries.span
    func size() -> Int { key.count + 64 + book.size(since: newest - span) }
    while span > 0, size() > limit { span /= 2 }
    let isShort = size() <= limit
    var bytes = head
    bytes.append(text: key)
    (isShort ? book : SampleBook()).put(to: &bytes, since: newest - span)
    let sum = XXH64.hash(bytes.span, seed: 0)
    bytes.append(little: sum)
    return bytes
  }

  /// Drops samples after `now`, in Unix seconds.
  package static func book(
    _ bytes: [UInt8], key: [UInt8], now: Int64
  ) throws(Failure) -> SampleBook {
    guard bytes.starts(with: stem) else { throw foreign }
    guard bytes.starts(with: head) else { throw otherVersion }
    guard bytes.count >= head.count + tail else { throw damaged }
    let end = bytes.count - tail
    let sum = bytes.span.loadWord(at: end)
    guard XXH64.hash(bytes.span.extracting(0..<end), seed: 0) == sum else { throw damaged }
    var content = SampleFileReader(reader: ByteReader(head.count..<end), now: now)
    let own = try rethrowing(content.reader.takeText(in: bytes.span)) { (_: ByteDamage) in damaged }
    if own != key { throw otherFolders }
    return try rethrowing(content.book(in: bytes.span)) { (_: ByteDamage) in damaged }
  }
}

extension SampleBook {
  /// Upper bound of the bytes that ``put(to:since:)`` appends.
  fileprivate func size(since start: Int64) -> Int {
    var size = 20
    for (path, entry) in entries {
      size += path.count + 10 + entry.bytes.size(since: start) + entry.files.size(since: start)
    }
    for (path, series) in free { size += path.count + 10 + series.size(since: start) }
    return size
  }

  /// Appends the chunks that end at or after a time.
  fileprivate func put(to bytes: inout [UInt8], since start: Int64) {
    func sorted<Value>(_ all: [[UInt8]: Value]) -> [(key: [UInt8], value: Value)] {
      all.sorted { $0.key.lexicographicallyPrecedes($1.key) }
    }
    bytes.append(varint: UInt64(entries.count))
    for (path, entry) in sorted(entries) {
      bytes.append(text: path)
      entry.bytes.put(to: &bytes, since: start)
      entry.files.put(to: &bytes, since: start)
    }
    bytes.append(varint: UInt64(free.count))
    for (path, series) in sorted(free) {
      bytes.append(text: path)
      series.put(to: &bytes, since: start)
    }
  }
}

extension SampleSeries {
  private func recent(_ start: Int64) -> [Chunk] { chunks.filter { $0.last.time >= start } }

  fileprivate func size(since start: Int64) -> Int {
    recent(start).reduce(10) { $0 + $1.bytes.count + 30 }
  }

  fileprivate func put(to bytes: inout [UInt8], since start: Int64) {
    let chunks = recent(start)
    bytes.append(varint: UInt64(chunks.count))
    for chunk in chunks {
      bytes.append(zigzag: chunk.start.time)
      bytes.append(zigzag: chunk.start.value)
      bytes.append(text: chunk.bytes)
    }
  }
}

/// Decodes what ``SampleFile`` encodes, validating everything.
private struct SampleFileReader {
  var reader: ByteReader
  let now: Int64

  /// Samples are at least a second apart.
  private static let maximumValues = 2 * SampleSeries.span
  /// In Unix seconds: about the year 36,800.
  private static let latest: UInt64 = 1 << 40

  mutating func book(in bytes: Span<UInt8>) throws(ByteDamage) -> SampleBook {
    var book = SampleBook()
    for _ in 0..<(try reader.takeVarint(in: bytes)) {
      let path = try reader.takeText(in: bytes)
      let entry = SampleBook.Entry(bytes: try series(in: bytes), files: try series(in: bytes))
      // A chart pairs the values of both series.
      guard entry.bytes.count == entry.files.count else { throw .malformed }
      if entry.bytes.count > 0 { book.entries[path] = entry }
    }
    for _ in 0..<(try reader.takeVarint(in: bytes)) {
      let path = try reader.takeText(in: bytes)
      let series = try series(in: bytes)
      if series.count > 0 { book.free[path] = series }
    }
    guard reader.isAtEnd else { throw .malformed }
    return book
  }

  private mutating func series(in bytes: Span<UInt8>) throws(ByteDamage) -> SampleSeries {
    var series = SampleSeries()
    var (last, values) = (Int64.min, Int64(0))
    for _ in 0..<(try reader.takeVarint(in: bytes)) {
      let time = try reader.takeDifference(in: bytes)
      let value = try reader.takeDifference(in: bytes)
      let count = try reader.takeCount(in: bytes)
      guard time >= last else { throw .malformed }
      let (stop, now) = (reader.position + count, now)
      try SampleSeries.Chunk.decode((time, value), from: &reader, until: stop, in: bytes) {
        (time, value) throws(ByteDamage) in
        guard time.magnitude <= Self.latest, values < Self.maximumValues else { throw .malformed }
        (last, values) = (time, values + 1)
        if time <= now { series.add(value, at: time) }
      }
      guard reader.position == stop else { throw .malformed }
    }
    return series
  }
}
