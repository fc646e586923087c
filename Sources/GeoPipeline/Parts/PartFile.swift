import GeoCore
import GeoFormats
import GeoProjection
import GeoSystem

/// The header of a part of a map.
package struct PartHeader: Sendable, Hashable {
  private static let opening = "{\"geomapper\":\"part\",\"version\":"
  /// Follows the format if a table has the later columns.
  private static let columns = ",\"columns\":[\"name\",\"special\",\"rawPath\"]"

  /// How sub-folders get their land.
  package var layout: Layout
  /// The labels of all roots of the world, in byte order.
  package var labels: [[UInt8]]
  /// Whether a filter was used.
  package var isPartial: Bool
  /// The reasons for which entries could be left out.
  package var reasons: [ExclusionReason]
  /// The format of the features.
  package var format: OutputFormat
  /// Whether the records of a table have the columns `name`, `special` and `rawPath`, which older
  /// parts lack.
  package var hasLaterColumns = false
  /// A hash of all options that affect the output.
  package var options: UInt64
  /// The checksum of the manifest that was mapped.
  package var manifest: UInt64
  /// The hash of the manifest's set.
  package var set: UInt64
  /// The number of the manifest in its set, from 0.
  package var number: Int
  /// The number of manifests in the set.
  package var count: Int
  /// The paths of the folders that were mapped, in the order of the map.
  package var places: [[UInt8]]
  /// The paths of the folders that were cut out of them, in the order of the map.
  package var cuts: [[UInt8]]

  /// The header of a manifest's part.
  package init(
    _ manifest: ShardManifest, isPartial: Bool, reasons: [ExclusionReason], format: OutputFormat,
    options: UInt64
  ) {
    layout = manifest.layout
    labels = manifest.labels
    self.isPartial = isPartial
    self.reasons = reasons
    self.format = format
    hasLaterColumns = format.traits.contains(.columns)
    self.options = options
    self.manifest = manifest.checksum
    set = manifest.set
    number = manifest.number
    count = manifest.count
    places = manifest.places.map(\.path)
    cuts = manifest.cuts
  }

  /// The header of the whole map.
  package var map: MapHeader {
    MapHeader(layout: layout, labels: labels, isPartial: isPartial)
  }

  /// The header as JSON on one line.
  package var text: [UInt8] {
    var buffer = OutputBuffer(capacity: 1024)
    buffer.append(opening: Self.opening, layout, labels)
    buffer.append(isPartial ? ",\"partial\":true" : ",\"partial\":false")
    buffer.append(",\"excludes\":")
    buffer.append(list: reasons) { $0.append(Int64($1.rawValue)) }
    buffer.append(",\"format\":\"")
    buffer.append(text: format.rawValue)
    buffer.append("\"")
    if hasLaterColumns { buffer.append(text: Self.columns) }
    buffer.append(",\"options\":\"")
    buffer.append(hex: options)
    buffer.append("\",\"shard\":\"")
    buffer.append(hex: manifest)
    buffer.append("\",\"set\":\"")
    buffer.append(hex: set)
    buffer.append("\",\"number\":")
    buffer.append(Int64(number))
    buffer.append(",\"of\":")
    buffer.append(Int64(count))
    buffer.append(",\"places\":")
    buffer.append(list: places) { $0.append(path: $1) }
    buffer.append(",\"cuts\":")
    buffer.append(list: cuts) { $0.append(path: $1) }
    buffer.append("}\n")
    return buffer.bytes
  }

  /// Reads a header with its line end.
  ///
  /// - Throws: ``ShardManifestError``.
  package init(text: [UInt8]) throws(ShardManifestError) {
    if !text.starts(with: Self.opening.utf8) { throw text.isEmpty ? .cutShort : .foreign }
    guard text.last == UInt8(ascii: "\n") else { throw .cutShort }
    var reader = TextReader(text[Self.opening.utf8.count...])
    (layout, labels) = try reader.world()
    isPartial = reader.take(",\"partial\":true")
    if !isPartial { try reader.skip(",\"partial\":false") }
    try reader.skip(",\"excludes\":")
    reasons = try reader.list { (reader) throws(ShardManifestError) in
      let number = UInt8(exactly: try reader.number())
      guard let reason = number.flatMap(ExclusionReason.init) else { throw .malformed }
      return reason
    }
    try reader.skip(",\"format\":")
    format = try reader.word()
    hasLaterColumns = reader.take(Self.columns)
    try reader.skip(",\"options\":\"")
    options = try reader.hex()
    try reader.skip("\",\"shard\":\"")
    manifest = try reader.hex()
    try reader.skip("\",\"set\":\"")
    set = try reader.hex()
    try reader.skip("\",\"number\":")
    number = try reader.count()
    try reader.skip(",\"of\":")
    count = try reader.count()
    try reader.skip(",\"places\":")
    places = try reader.list { (reader) throws(ShardManifestError) in try reader.path() }
    try reader.skip(",\"cuts\":")
    cuts = try reader.list { (reader) throws(ShardManifestError) in try reader.path() }
    try reader.skip("}\n")
    if !reader.isAtEnd || number >= count || count > ShardManifest.mostInSet { throw .malformed }
  }
}

extension OutputBuffer {
  mutating func append(text: String) { for byte in text.utf8 { append(byte: byte) } }
}

/// The trailer of a part of a map.
package struct PartTrailer: Sendable, Equatable {
  private static let opening = "{\"geomapper\":\"end\",\"bytes\":"

  /// The position of a folder in the features.
  package struct Mark: Sendable, Hashable {
    /// The path of a folder that was mapped, or of one that was cut out and belongs here.
    package var path: [UInt8]
    /// The number of bytes of features before it.
    package var offset: Int

    /// Creates a mark.
    package init(path: [UInt8], offset: Int) {
      self.path = path
      self.offset = offset
    }
  }

  /// The number of bytes of features, without a line end after the last one that isn't part of it.
  package var bytes: Int
  /// The counts of the features.
  package var summary: MapSummary
  /// The number of entries that could not be read, or vanished.
  package var faults: Int
  /// The positions of the mapped and of the cut folders, in order.
  package var marks: [Mark]

  /// Creates a trailer.
  package init(bytes: Int, summary: MapSummary, faults: Int, marks: [Mark]) {
    self.bytes = bytes
    self.summary = summary
    self.faults = faults
    self.marks = marks
  }

  /// The trailer as JSON on one line, without the checksum at its end.
  package var text: [UInt8] {
    var buffer = OutputBuffer(capacity: 1024)
    buffer.append(text: Self.opening)
    buffer.append(Int64(bytes))
    buffer.append(",\"folders\":")
    buffer.append(Int64(summary.folders))
    buffer.append(",\"files\":")
    buffer.append(Int64(summary.files))
    buffer.append(",\"unreadable\":")
    buffer.append(Int64(summary.unreadable))
    buffer.append(",\"excluded\":")
    buffer.append(list: ExclusionReason.allCases) {
      $0.append(Int64(summary.excluded[$1]))
    }
    buffer.append(",\"faults\":")
    buffer.append(Int64(faults))
    buffer.append(",\"marks\":")
    buffer.append(list: marks) { buffer, mark in
      buffer.append("{\"path\":")
      buffer.append(path: mark.path)
      buffer.append(",\"at\":")
      buffer.append(Int64(mark.offset))
      buffer.append("}")
    }
    return buffer.bytes
  }

  /// The end of a trailer.
  ///
  /// - Parameter sum: The checksum.
  package static func checksum(_ sum: UInt64) -> [UInt8] {
    var buffer = OutputBuffer(capacity: Checksum.length)
    Checksum.append(sum, to: &buffer)
    return buffer.bytes
  }

  /// The length of a trailer's end in bytes.
  package static var checksumLength: Int { Checksum.length }

  /// Reads a trailer without its end.
  ///
  /// - Throws: ``ShardManifestError``.
  package init(text: ArraySlice<UInt8>) throws(ShardManifestError) {
    guard text.starts(with: Self.opening.utf8) else { throw .cutShort }
    var reader = TextReader(text.dropFirst(Self.opening.utf8.count))
    bytes = try reader.count()
    try reader.skip(",\"folders\":")
    summary = MapSummary(folders: try reader.count())
    try reader.skip(",\"files\":")
    summary.files = try reader.count()
    try reader.skip(",\"unreadable\":")
    summary.unreadable = try reader.count()
    try reader.skip(",\"excluded\":")
    let counts = try reader.list { (reader) throws(ShardManifestError) in try reader.count() }
    guard counts.count == ExclusionReason.allCases.count else { throw .malformed }
    for (reason, count) in zip(ExclusionReason.allCases, counts) where count > 0 {
      summary.excluded.add(count, for: reason)
    }
    try reader.skip(",\"faults\":")
    faults = try reader.count()
    try reader.skip(",\"marks\":")
    marks = try reader.list { (reader) throws(ShardManifestError) in
      try reader.skip("{\"path\":")
      let path = try reader.path()
      try reader.skip(",\"at\":")
      let offset = try reader.count()
      try reader.skip("}")
      return Mark(path: path, offset: offset)
    }
    let offsets = marks.map(\.offset)
    guard reader.isAtEnd, offsets.allSatisfy({ $0 <= bytes }),
      zip(offsets, offsets.dropFirst()).allSatisfy({ $0 <= $1 })
    else { throw .malformed }
  }
}

/// A file with a part of a map, read from its first feature to its last.
struct PartFile {
  let file: [UInt8]
  let header: PartHeader
  let trailer: PartTrailer
  /// Where the features begin, in bytes.
  private let start: Int
  /// Where the checksum begins, in bytes.
  private let end: Int
  private let size: Int
  private let checksum: [UInt8]
  private var sum = XXH64.Running()
  /// Bytes of features read so far.
  private(set) var position = 0
  /// Marks passed so far.
  private(set) var marksPassed = 0

  /// How many bytes are read at once.
  static let stretch = 1 << 20
  /// The maximum length of a header or a trailer.
  private static let longest = 1 << 30

  /// Reads the header and the trailer.
  init(_ file: [UInt8]) throws(JoinError) {
    self.file = file
    let input = try Self.open(file)
    size = input.size
    let head = try Self.line(of: input, file, fromEnd: false)
    let tail = try Self.line(of: input, file, fromEnd: true)
    let textEnd = tail.count - PartTrailer.checksumLength
    do throws(ShardManifestError) {
      header = try PartHeader(text: head)
      guard head.count + tail.count <= size, textEnd > 0 else { throw .cutShort }
      trailer = try PartTrailer(text: tail[..<textEnd])
      let writer = FeatureWriter(format: header.format)
      let ending = trailer.bytes > 0 ? writer.separator.suffix(1).count : 0
      guard head.count + trailer.bytes + ending + tail.count == size,
        trailer.bytes == 0 || trailer.marks.first?.offset == 0
      else { throw .changed }
    } catch {
      throw .refused(file: file, error)
    }
    start = head.count
    end = size - PartTrailer.checksumLength
    checksum = Array(tail[textEnd...])
    sum.take(head.span)
  }

  /// Reads features up to the next mark or to the end.
  ///
  /// - Parameter body: Called with consecutive bytes.
  mutating func pass(_ body: (Span<UInt8>) throws -> Void) throws {
    marksPassed += 1
    let next =
      marksPassed < trailer.marks.count ? trailer.marks[marksPassed].offset : trailer.bytes
    if position == next { return }
    let input = try Self.open(file)
    var bytes: [UInt8] = []
    while position < next {
      try read(min(Self.stretch, next - position), at: start + position, of: input, &bytes)
      position += bytes.count
      try body(bytes.span)
    }
  }

  /// Compares the checksum, after all features were read.
  mutating func finish() throws(JoinError) {
    let input = try Self.open(file)
    var bytes: [UInt8] = []
    try read(end - start - trailer.bytes, at: start + trailer.bytes, of: input, &bytes)
    if PartTrailer.checksum(sum.value) != checksum { throw .refused(file: file, .changed) }
  }

  /// Reads the whole part and compares its checksum.
  func verify() throws {
    var copy = self
    while copy.marksPassed < trailer.marks.count { try copy.pass { _ in } }
    try copy.finish()
  }

  private mutating func read(
    _ count: Int, at offset: Int, of input: borrowing ReadableFile, _ bytes: inout [UInt8]
  ) throws(JoinError) {
    do throws(Errno) {
      try input.read(count, at: offset, into: &bytes)
    } catch {
      throw .unreadable(file: file, error)
    }
    if bytes.count < count || input.size != size { throw .refused(file: file, .changed) }
    sum.take(bytes.span)
  }

  private static func open(_ file: [UInt8]) throws(JoinError) -> ReadableFile {
    do throws(Errno) {
      if let input = try ReadableFile.open(file) { return input }
    } catch {
      throw .unreadable(file: file, error)
    }
    throw .notRegular(file: file)
  }

  /// The first or the last line of a file with its end; the whole file if it has no line end.
  private static func line(
    of input: borrowing ReadableFile, _ file: [UInt8], fromEnd: Bool
  ) throws(JoinError) -> [UInt8] {
    let lineEnd = UInt8(ascii: "\n")
    var bytes: [UInt8] = []
    var count = 64 * 1024
    while true {
      count = min(count, input.size)
      do throws(Errno) {
        try input.read(count, at: fromEnd ? input.size - count : 0, into: &bytes)
      } catch {
        throw .unreadable(file: file, error)
      }
      if fromEnd {
        if let cut = bytes.dropLast().lastIndex(of: lineEnd) { return Array(bytes[(cut + 1)...]) }
      } else if let cut = bytes.firstIndex(of: lineEnd) {
        return Array(bytes[...cut])
      }
      if count == input.size { return bytes }
      if count >= longest { throw .refused(file: file, .foreign) }
      count *= 4
    }
  }
}
