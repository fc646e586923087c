import GeoFormats
import GeoCore

/// Puts the parts of a map together, so that it is what one run would have written.
public struct MapJoin {
  private var parts: [PartFile]
  /// Whose part a folder is that was cut out.
  private var owners: [[UInt8]: Int] = [:]
  private let separator: [UInt8]
  private var hasFeatures = false

  /// What the map says of itself, but for what could be left out.
  public private(set) var summary = MapSummary()
  /// How many entries could not be read, or vanished, when the parts were mapped.
  public private(set) var faults = 0

  /// Bytes of all features.
  package var bytes: Int { parts.reduce(0) { $0 + $1.trailer.bytes } }
  /// How many parts there are.
  package var partCount: Int { parts.count }
  /// The format of the parts, and of the map.
  package let format: OutputFormat

  /// Looks whether some files are all parts of one map.
  ///
  /// Their features are not read yet.
  ///
  /// - Throws: ``JoinError``.
  /// - Complexity: O(bytes of headers and trailers).
  public init(_ files: [[UInt8]]) throws(JoinError) {
    var found: [Int: PartFile] = [:]
    var first: PartFile?
    for file in files {
      let part = try PartFile(file)
      if let first { try Self.compare(part, first) }
      first = first ?? part
      if let other = found.updateValue(part, forKey: part.header.number) {
        throw .doubled(file: other.file, other: file)
      }
    }
    let count = first?.header.count ?? 0
    let missing = (0..<count).filter { found[$0] == nil }
    if !missing.isEmpty { throw .missing(numbers: missing, count: count) }
    parts = found.sorted { $0.key < $1.key }.map(\.value)
    guard let rest = parts.first else { throw .missing(numbers: [], count: 0) }
    if rest.header.places != rest.header.labels {
      throw .single(file: rest.file, path: rest.header.places.first ?? [])
    }
    format = rest.header.format
    separator = FeatureWriter(format: format).separator
    summary.excluded = ExclusionCounts(asking: rest.header.reasons)
    for (number, part) in parts.enumerated() {
      summary += part.trailer.summary
      faults += part.trailer.faults
      if number == 0 { continue }
      for path in part.header.places where owners.updateValue(number, forKey: path) != nil {
        throw .refused(file: part.file, .malformed)
      }
    }
    let cuts = rest.header.cuts
    guard cuts.count == owners.count, cuts.allSatisfy({ owners[$0] != nil }) else {
      throw .refused(file: rest.file, .malformed)
    }
  }

  private static func compare(_ part: PartFile, _ first: PartFile) throws(JoinError) {
    let (a, b) = (part.header, first.header)
    if a.set != b.set || a.count != b.count || a.labels != b.labels || a.layout != b.layout
      || a.count == 1 && a.deed != b.deed
    {
      throw .foreign(file: part.file, other: first.file)
    }
    if a.options != b.options || a.format != b.format
      || a.hasLaterColumns != b.hasLaterColumns || a.isPartial != b.isPartial
      || a.reasons != b.reasons
    {
      throw .otherOptions(file: part.file, other: first.file)
    }
  }

  /// Reads all parts to see whether they are as they were written.
  ///
  /// Not needed where what is written is thrown away if ``write(_:)`` throws.
  public func verify() throws { for part in parts { try part.verify() } }

  /// Writes the map.
  ///
  /// Memory is bounded: a stretch of one part is held at a time.
  ///
  /// - Parameter body: Gets the bytes as they come.
  /// - Throws: ``JoinError``, and what `body` throws.
  public mutating func write(_ body: (Span<UInt8>) throws -> Void) throws {
    let header = parts[0].header
    var options = WriterOptions()
    options.hasLaterColumns = header.hasLaterColumns
    let writer = FeatureWriter(format: header.format, options: options)
    var buffer = OutputBuffer(capacity: 1024)
    writer.writeHeader(header.map, to: &buffer)
    try buffer.withBytes { try body($0) }

    for mark in parts[0].trailer.marks {
      if let owner = owners.removeValue(forKey: mark.path) {
        // What is missing, or comes out of turn, was not what the rest left out.
        let expected = parts[owner].marksPassed
        let marks = parts[owner].trailer.marks
        guard expected < marks.count, marks[expected].path == mark.path else {
          throw JoinError.disagreement(file: parts[owner].file, path: mark.path)
        }
        try pass(owner, body)
      }
      try pass(0, body)
    }
    for index in parts.indices {
      if parts[index].marksPassed < parts[index].trailer.marks.count {
        let path = parts[index].trailer.marks[parts[index].marksPassed].path
        throw JoinError.disagreement(file: parts[index].file, path: path)
      }
      try parts[index].finish()
    }

    buffer.removeAll()
    writer.writeFooter(summary, to: &buffer)
    try buffer.withBytes { try body($0) }
  }

  /// Lets the features up to the next mark of a part pass, with separators where they belong.
  private mutating func pass(_ index: Int, _ body: (Span<UInt8>) throws -> Void) throws {
    if separator.isEmpty { return try parts[index].pass(body) }
    let file = parts[index].file
    var isFirst = true
    let begins = parts[index].position == 0
    let leading = hasFeatures ? separator : Array(separator.suffix(1))
    try parts[index].pass { bytes in
      var range = 0..<bytes.count
      if isFirst {
        isFirst = false
        if !begins {
          guard bytes.count >= separator.count,
            separator.indices.allSatisfy({ bytes[$0] == separator[$0] })
          else { throw JoinError.refused(file: file, .malformed) }
          range = separator.count..<bytes.count
        }
        try body(leading.span)
      }
      try body(bytes.extracting(range))
    }
    if !isFirst { hasFeatures = true }
  }
}
