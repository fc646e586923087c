import GeoCore
import GeoProjection

/// Writes the features of a map in one format, a folder or a batch of files at a time.
///
/// A writer is for one thread. The output of several writers can be joined in the order of the map.
/// In `geojson` each feature begins with `,` and a line end, so the first byte of the very first
/// feature has to be dropped. In other formats each feature ends its own line.
package final class FeatureWriter {
  private var writer: any FormatWriter
  /// What precedes each feature but the first; empty in most formats.
  package let separator: [UInt8]

  package init(format: OutputFormat, options: WriterOptions = WriterOptions()) {
    writer =
      switch format.file {
      case .geojsonseq: GeoJSONWriter(.sequence, options)
      case .geojsonl: GeoJSONWriter(.lines, options)
      case .csv: CSVWriter(options)
      case .gpx: GPXWriter()
      case .html: HTMLWriter(format.makePage())
      case .flatgeobuf: FlatGeobufWriter(options)
      case .parquet: ParquetWriter(options)
      default: GeoJSONWriter(.collection, options)
      }
    separator = writer.separator
    needsCells = type(of: writer).needsCells
  }

  /// Whether it writes ``FolderShape/cell`` and ``FileBatch/towns``.
  package let needsCells: Bool

  package func writeHeader(_ header: MapHeader, to buffer: inout OutputBuffer) {
    writer.writeHeader(header, to: &buffer)
  }

  package func writeFooter(_ summary: MapSummary, to buffer: inout OutputBuffer) {
    writer.writeFooter(summary, to: &buffer)
  }

  /// Sets the members about several states for the features written next; nil for none.
  package func setParts(_ parts: FeatureParts?) { writer.setParts(parts) }

  /// Sets the values of layers at the folder, or at the files, that are written next; nil for none.
  package func setLayers(_ layers: LayerBatch?) { writer.setLayers(layers) }

  /// Removes the separator of the first feature, which needs none.
  package func removeSeparator(
    at start: Int, unless hasFeatures: inout Bool, from buffer: inout OutputBuffer
  ) {
    if hasFeatures || buffer.count == start { return }
    hasFeatures = true
    // The line end stays.
    if !separator.isEmpty { buffer.remove(start..<(start + 1)) }
  }

  /// Sets the folder of the next calls: the root's label and names, raw, joined by `/`.
  package func enterFolder(path: [UInt8]) { writer.enterFolder(path: path) }

  package func writeFolder(
    _ folder: FeatureRecord, _ shape: FolderShape, to buffer: inout OutputBuffer
  ) {
    writer.writeFolder(folder, shape, to: &buffer)
  }

  /// Writes files of the folder entered, except those that are hidden or have vanished.
  ///
  /// - Parameter names: A table with the names of the files, from the first of the folder on.
  /// - Returns: The number of files written, and of those that are marked as unreadable.
  package func writeFiles(
    _ names: NameTable, _ range: Range<Int>, places: [FilePlace], facts: [EntryFacts],
    _ batch: FileBatch, to buffer: inout OutputBuffer
  ) -> MapSummary {
    writer.writeFiles(names, range, places: places, facts: facts, batch, to: &buffer)
  }
}

/// The properties that files of one folder share.
package struct FileBatch: Sendable, Equatable {
  /// Their depth, one more than their folder's.
  package var depth: Int
  /// Decimals of their coordinates, at most 13.
  package var digits: UInt8
  package var minzoom: UInt8
  /// The ground of the folder's files, if the format supports it; else empty.
  package var towns: [TownGround]

  package init(depth: Int, digits: UInt8, minzoom: UInt8, towns: [TownGround] = []) {
    self.depth = depth
    self.digits = digits
    self.minzoom = minzoom
    self.towns = towns
  }
}

/// What is drawn of a folder, in integers of 10^-digits degrees.
package struct FolderShape: Sendable {
  /// Its coast line, counter-clockwise and not closed; empty if it has no land.
  package var ring: [Coordinate]
  /// The outline of its cell, if the format supports it; else empty.
  package var cell: [Coordinate] = []
  /// The tint of its land, 0 to 5, if the format supports it.
  package var tint: UInt8?

  package init(ring: [Coordinate] = []) { self.ring = ring }
}

extension NodeKind {
  package var text: StaticString {
    switch self {
    case .continent: "continent"
    case .country: "country"
    case .state: "state"
    case .district: "district"
    case .poi: "poi"
    }
  }
}

extension EntryKind {
  /// The name of a special file in formats and tiles; nil for folders and regular files.
  package var special: StaticString? {
    switch self {
    case .symlink: "symlink"
    case .fifo: "fifo"
    case .socket: "socket"
    case .block: "block"
    case .character: "character"
    case .regular, .directory, .unknown: nil
    }
  }
}

/// A writer of one format: a header, features with a separator between them, and a footer.
///
/// The loop over a batch is generic, so that the compiler makes one for each format, with direct
/// calls. A format defines how a folder and a file are put and, if it has them, header and footer.
protocol FormatWriter: Sendable {
  var separator: [UInt8] { get }

  func writeHeader(_ header: MapHeader, to buffer: inout OutputBuffer)

  func writeFooter(_ summary: MapSummary, to buffer: inout OutputBuffer)

  /// Writes what precedes the files of the folder entered.
  func writeLead(_ batch: FileBatch, before range: Range<Int>, to buffer: inout OutputBuffer)

  mutating func setParts(_ parts: FeatureParts?)

  mutating func setLayers(_ layers: LayerBatch?)

  var layers: LayerMembers { get set }

  associatedtype Rule: TextRule

  /// The text that the features of a folder and its files share.
  var folder: FolderText<Rule> { get set }

  /// The text before a path in a feature.
  static var lead: StaticString { get }

  mutating func enterFolder(path: [UInt8])

  /// Prepares the text that the files of a batch share.
  mutating func prepare(_ batch: FileBatch)

  /// An upper bound of the bytes that the parts of a feature take.
  var capacityForParts: Int { get }

  func put(
    fileNamed name: Range<Int>, of arena: Span<UInt8>, at place: FilePlace, _ facts: EntryFacts,
    to cursor: inout OutputCursor)

  static var needsCells: Bool { get }

  /// An upper bound of the bytes that the feature of the folder entered takes.
  func capacity(forRing ring: [Coordinate]) -> Int

  func put(_ folder: FeatureRecord, _ shape: FolderShape, to cursor: inout OutputCursor)

  // Requirements, so that each format has its own, specialised.
  mutating func writeFolder(
    _ folder: FeatureRecord, _ shape: FolderShape, to buffer: inout OutputBuffer)

  mutating func writeFiles(
    _ names: NameTable, _ range: Range<Int>, places: [FilePlace], facts: [EntryFacts],
    _ batch: FileBatch, to buffer: inout OutputBuffer
  ) -> MapSummary
}

extension FormatWriter {
  var separator: [UInt8] { [] }

  mutating func setParts(_ parts: FeatureParts?) {}

  mutating func setLayers(_ layers: LayerBatch?) { self.layers.setLayers(layers) }

  static var needsCells: Bool { false }

  static var lead: StaticString { "" }

  mutating func enterFolder(path: [UInt8]) { folder.enter(path, after: Self.lead) }

  var capacityForParts: Int { 0 }

  /// An upper bound of the bytes that a file's feature takes, without its name and its layers.
  var capacityForFile: Int { 512 + folder.capacity + capacityForParts }

  func capacity(forRing ring: [Coordinate]) -> Int {
    capacityForFile + folder.prefix.count + (ring.count + 1) * (2 * OutputCursor.longestDegrees + 4)
  }

  func writeHeader(_ header: MapHeader, to buffer: inout OutputBuffer) {}

  func writeFooter(_ summary: MapSummary, to buffer: inout OutputBuffer) {}

  @inline(__always)
  func writeLead(_ batch: FileBatch, before range: Range<Int>, to buffer: inout OutputBuffer) {}

  /// Writes the folder entered.
  ///
  /// It changes nothing, but is mutating so that a boxed writer is used in place: reading it would
  /// copy all of its texts.
  @inline(__always)
  mutating func writeFolder(
    _ folder: FeatureRecord, _ shape: FolderShape, to buffer: inout OutputBuffer
  ) {
    buffer.put(reserving: capacity(forRing: shape.ring) + layers.capacity) {
      put(folder, shape, to: &$0)
    }
  }

  @inline(__always)
  mutating func writeFiles(
    _ names: NameTable, _ range: Range<Int>, places: [FilePlace], facts: [EntryFacts],
    _ batch: FileBatch, to buffer: inout OutputBuffer
  ) -> MapSummary {
    precondition(places.count == range.count && facts.count == range.count)
    writeLead(batch, before: range, to: &buffer)
    prepare(batch)
    return writePrepared(names, range, places: places, facts: facts, to: &buffer)
  }

  @inline(__always)
  private mutating func writePrepared(
    _ names: NameTable, _ range: Range<Int>, places: [FilePlace], facts: [EntryFacts],
    to buffer: inout OutputBuffer
  ) -> MapSummary {
    let arena = names.bytes.span
    let records = names.records.span
    let capacityForFile = capacityForFile + layers.capacity
    // A name is in the path, by itself, and percent-encoded if it is not UTF-8.
    let capacityForByteOfName = 2 * Rule.expansion + PercentText.expansion
    var summary = MapSummary()
    var cursor = buffer.cursor(reserving: 0)
    for index in 0..<range.count {
      let facts = facts[index]
      switch facts.status {
      case .hidden, .vanished: continue
      case .unreadable: summary.unreadable += 1
      case .known, .sized, .unasked: break
      }
      summary.files += 1
      let name = records[range.lowerBound + index].range
      precondition(name.upperBound <= arena.count)
      let needed = capacityForFile + name.count * capacityForByteOfName
      if needed > cursor.capacity {
        buffer.commit(cursor)
        cursor = buffer.cursor(reserving: needed)
      }
      layers.row = index
      put(fileNamed: name, of: arena, at: places[index], facts, to: &cursor)
    }
    buffer.commit(cursor)
    return summary
  }
}
