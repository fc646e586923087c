import GeoFormats
import GeoCore

/// What the part of a map says of itself after its last feature.
public struct PartTrailer: Sendable, Equatable {
  /// What every trailer begins with.
  private static let opening = "{\"geomapper\":\"end\",\"bytes\":"

  /// Where something begins among the features.
  public struct Mark: Sendable, Hashable {
    /// The path of a folder that was mapped, or that was cut out and would stand here.
    public var path: [UInt8]
    /// Bytes of features before it.
    public var offset: Int

    /// A mark of the given parts.
    public init(path: [UInt8], offset: Int) {
      self.path = path
      self.offset = offset
    }
  }

  /// Bytes of features, without the line end after the last one where that is no part of it.
  public var bytes: Int
  /// How many features there are.
  public var summary: MapSummary
  /// How many entries could not be read, or vanished.
  public var faults: Int
  /// Where the places and the gaps begin, in their order.
  public var marks: [Mark]

  /// A trailer of the given parts.
  public init(bytes: Int, summary: MapSummary, faults: Int, marks: [Mark]) {
    self.bytes = bytes
    self.summary = summary
    self.faults = faults
    self.marks = marks
  }

  /// The trailer as JSON on one line, but for what ends it: the check sum.
  public var text: [UInt8] {
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
  public static func seal(_ sum: UInt64) -> [UInt8] {
    var buffer = OutputBuffer(capacity: Seal.length)
    Seal.append(sum, to: &buffer)
    return buffer.bytes
  }

  /// Bytes of what ends a trailer.
  public static var sealLength: Int { Seal.length }

  /// Reads a trailer, but for what ends it.
  ///
  /// - Throws: ``DeedError``.
  public init(text: ArraySlice<UInt8>) throws(DeedError) {
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
    let counts = try reader.list { (reader) throws(DeedError) in try reader.count() }
    guard counts.count == ExclusionReason.allCases.count else { throw .malformed }
    for (reason, count) in zip(ExclusionReason.allCases, counts) where count > 0 {
      summary.excluded.add(count, for: reason)
    }
    try reader.skip(",\"faults\":")
    faults = try reader.count()
    try reader.skip(",\"marks\":")
    marks = try reader.list { (reader) throws(DeedError) in
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
