import GeoCore
import GeoFormats
import GeoProjection

/// What the part of a map says of itself before its first feature.
package struct PartHeader: Sendable, Hashable {
  /// What every part begins with.
  private static let opening = "{\"geomapper\":\"part\",\"version\":"
  /// What follows the format if a table has the later columns.
  private static let columns = ",\"columns\":[\"name\",\"special\",\"rawPath\"]"

  /// How sub-folders come by their land.
  package var layout: Layout
  /// The labels of all roots of the world, in byte order.
  package var labels: [[UInt8]]
  /// Whether a filter was given.
  package var isPartial: Bool
  /// Why entries could be left out.
  package var reasons: [ExclusionReason]
  /// In which format the features are.
  package var format: OutputFormat
  /// Whether the records of a table have the columns `name`, `special` and `rawPath`; those of parts from
  /// before there were such columns don't.
  package var hasLaterColumns = false
  /// A hash of all options that decide what is written.
  package var options: UInt64
  /// The check sum of the manifest that was mapped.
  package var manifest: UInt64
  /// The set of the manifest.
  package var set: UInt64
  /// Which of its set the manifest is.
  package var number: Int
  /// How many manifests there are in the set.
  package var count: Int
  /// The paths of the folders that were mapped, in the order of the map.
  package var places: [[UInt8]]
  /// Paths of what was cut out of them, in the order of the map.
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

  /// What the whole map says of itself.
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

  /// Reads a header with the line end after it.
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
  /// Adds text as it is.
  mutating func append(text: String) { for byte in text.utf8 { append(byte: byte) } }
}

/// What the part of a map says of itself after its last feature.
package struct PartTrailer: Sendable, Equatable {
  /// What every trailer begins with.
  private static let opening = "{\"geomapper\":\"end\",\"bytes\":"

  /// Where something begins among the features.
  package struct Mark: Sendable, Hashable {
    /// The path of a folder that was mapped, or that was cut out and would stand here.
    package var path: [UInt8]
    /// Bytes of features before it.
    package var offset: Int

    /// A mark of the given parts.
    package init(path: [UInt8], offset: Int) {
      self.path = path
      self.offset = offset
    }
  }

  /// Bytes of features, without the line end after the last one where that is no part of it.
  package var bytes: Int
  /// How many features there are.
  package var summary: MapSummary
  /// How many entries could not be read, or vanished.
  package var faults: Int
  /// Where the places and the gaps begin, in their order.
  package var marks: [Mark]

  /// A trailer of the given parts.
  package init(bytes: Int, summary: MapSummary, faults: Int, marks: [Mark]) {
    self.bytes = bytes
    self.summary = summary
    self.faults = faults
    self.marks = marks
  }

  /// The trailer as JSON on one line, but for what ends it: the check sum.
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

  /// What ends a trailer.
  package static func checksum(_ sum: UInt64) -> [UInt8] {
    var buffer = OutputBuffer(capacity: Checksum.length)
    Checksum.append(sum, to: &buffer)
    return buffer.bytes
  }

  /// Bytes of what ends a trailer.
  package static var sealLength: Int { Checksum.length }

  /// Reads a trailer, but for what ends it.
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
