import GeoCore
import GeoFormats
import GeoProjection
import GeoSystem

/// Joins the parts of a map into the bytes that one run would have written.
package struct MapJoin {
  private var parts: [PartFile]
  /// The number of the part that maps each cut folder.
  private var owners: [[UInt8]: Int] = [:]
  private let separator: [UInt8]
  private var hasFeatures = false

  /// The counts of all parts.
  package private(set) var summary = MapSummary()
  /// The number of entries that could not be read, or vanished, in all parts.
  package private(set) var faults = 0

  /// The number of bytes of all features.
  package var bytes: Int { parts.reduce(0) { $0 + $1.trailer.bytes } }
  /// The number of parts.
  package var partCount: Int { parts.count }
  /// The format of the parts and of the map.
  package let format: OutputFormat

  /// Checks that files are all parts of one map, by their headers and trailers.
  ///
  /// - Throws: ``JoinError``.
  /// - Complexity: O(bytes of headers and trailers).
  package init(_ files: [[UInt8]]) throws(JoinError) {
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
      || a.count == 1 && a.manifest != b.manifest
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

  /// Reads all parts and compares their checksums.
  ///
  /// Not needed if the output is discarded when ``write(_:)`` throws.
  package func verify() throws { for part in parts { try part.verify() } }

  /// Writes the map.
  ///
  /// Memory is bounded: one block of one part is held at a time.
  ///
  /// - Parameter body: Called with consecutive bytes.
  /// - Throws: ``JoinError``, and the errors of `body`.
  package mutating func write(_ body: (Span<UInt8>) throws -> Void) throws {
    let header = parts[0].header
    var options = WriterOptions()
    options.hasLaterColumns = header.hasLaterColumns
    let writer = FeatureWriter(format: header.format, options: options)
    var buffer = OutputBuffer(capacity: 1024)
    writer.writeHeader(header.map, to: &buffer)
    try buffer.withBytes { try body($0) }

    for mark in parts[0].trailer.marks {
      if let owner = owners.removeValue(forKey: mark.path) {
        // A cut folder that is missing or out of order was not in the tree that the first part saw.
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

  /// Writes the features of a part up to its next mark, with the separators.
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

/// The header and footer of a map, or of a part of it.
enum MapFrame: Sendable {
  case whole(MapHeader)
  case part(PartHeader)
}

/// Counts and hashes a part while it is written.
struct PartAccount {
  private var sum = XXH64.Running()
  private var bytes = 0
  private var faults = 0
  private var marks: [PartTrailer.Mark] = []
  private let separatorLength: Int

  /// - Parameter separatorLength: Bytes of the separator that the first feature lacks.
  init(separatorLength: Int) { self.separatorLength = separatorLength }

  mutating func begin(_ header: [UInt8]) { sum.take(header.span) }

  mutating func take(_ chunk: MapChunk, marks new: [PartTrailer.Mark]) {
    // At the beginning of a part, offsets include the separator that the first feature lacks.
    let lost = bytes == 0 ? separatorLength : 0
    for mark in new {
      marks.append(
        PartTrailer.Mark(path: mark.path, offset: bytes + max(0, mark.offset - lost)))
    }
    chunk.withBytes { sum.take($0) }
    bytes += chunk.count
    faults += chunk.faults.count
  }

  /// The first of the given folders that the scan did not reach.
  ///
  /// - Parameter places: Paths in the order of the scan.
  func firstMissing(of places: [[UInt8]]) -> [UInt8]? {
    var missing = places[...]
    for mark in marks where mark.path == missing.first { missing.removeFirst() }
    return missing.first
  }

  /// The end of the part.
  ///
  /// - Parameter ending: Follows the last feature, if there is any.
  mutating func end(_ summary: MapSummary, ending: [UInt8]) -> [UInt8] {
    var text = bytes > 0 ? ending : []
    let trailer = PartTrailer(
      bytes: bytes, summary: summary, faults: faults, marks: marks)
    text += trailer.text
    sum.take(text.span)
    return text + PartTrailer.checksum(sum.value)
  }
}

extension MapRequest {
  /// A hash of all options that affect the output, except where the folders are.
  var fingerprint: UInt64 {
    let options: [(StaticString, Bool)] = [
      ("tippecanoe", tippecanoe), ("totals", totals), ("metadata", scan.readsMetadata),
      ("links", scan.countsLinks), ("follows", scan.followsLinks),
      ("stays", scan.staysOnFileSystem), ("lonlat", lonlat), ("index", isIndexed),
      ("gzip", compression == .gzip), ("quotes", quotesAll),
    ]
    var text = format.rawValue
    for (name, isGiven) in options { text += " \(name)=\(isGiven)" }
    text += " \(filter.zoom ?? -1) \(filter.maximumDepth ?? -1)"
    if let box = filter.box { text += " \(box.west) \(box.south) \(box.east) \(box.north)" }
    let selected = Array(text.utf8) + [0] + selection.signature
    return XXH64.hash(selected.span, seed: 0)
  }
}

/// Why parts can't be joined.
package enum JoinError: Error, Hashable, Sendable {
  /// A file can't be read.
  case unreadable(file: [UInt8], Errno)
  /// The file is not a regular file, which can be read at any position.
  case notRegular(file: [UInt8])
  /// The file is not a part, or was damaged.
  case refused(file: [UInt8], ShardManifestError)
  /// Two parts belong to different worlds, or to different splits of one.
  case foreign(file: [UInt8], other: [UInt8])
  /// Two parts were made with different options.
  case otherOptions(file: [UInt8], other: [UInt8])
  /// Two files hold the same part.
  case doubled(file: [UInt8], other: [UInt8])
  /// Parts are missing; with the number of all parts.
  case missing(numbers: [Int], count: Int)
  /// The only part is of a manifest for one folder, not for a whole world.
  case single(file: [UInt8], path: [UInt8])
  /// Two parts saw different trees.
  case disagreement(file: [UInt8], path: [UInt8])
}

extension JoinError: GroupedError {
  package var group: ErrorGroup {
    switch self {
    case .unreadable, .notRegular: .source
    case .refused: .damage
    default: .usage
    }
  }

  /// The fault and its remedy in one line, escaped for a terminal.
  package var description: String {
    func text(_ bytes: [UInt8]) -> String { TerminalText.escaped(bytes) }
    switch self {
    case .unreadable(let file, let reason): return "can't read '\(text(file))': \(reason)"
    case .notRegular(let file):
      return "'\(text(file))' is not a regular file; save the part to a file first"
    case .refused(let file, .foreign):
      return "'\(text(file))' is not a part of a map; 'geomapper map --shard' writes parts"
    case .refused(let file, let reason): return "the part '\(text(file))' is \(reason)"
    case .foreign(let file, let other):
      return "'\(text(file))' and '\(text(other))' come from different splits"
    case .otherOptions(let file, let other):
      return "'\(text(file))' and '\(text(other))' were mapped with different options; "
        + "give all parts the same"
    case .doubled(let file, let other):
      return "'\(text(file))' and '\(text(other))' are the same part; give one of them"
    case .missing(let numbers, let count):
      let shown = numbers.prefix(10).map { "\($0)" }.joined(separator: ", ")
      return "\(numbers.count) of \(count) parts are missing: "
        + shown + (numbers.count > 10 ? " and more" : "")
    case .single(let file, let path):
      return "'\(text(file))' is the part of '\(text(path))' alone; give the parts of all "
        + "manifests of a split"
    case .disagreement(let file, let path):
      return
        "'\(text(path))' changed before '\(text(file))' was mapped; run 'geomapper split' again, "
        + "and map all parts again"
    }
  }
}
