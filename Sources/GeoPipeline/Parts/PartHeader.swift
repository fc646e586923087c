import GeoCore
import GeoFormats
import GeoProjection

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
    buffer.append("\",\"deed\":\"")
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
    try reader.skip("\",\"deed\":\"")
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
  package static var sealLength: Int { Checksum.length }

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
