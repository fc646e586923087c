import GeoCore
import GeoProjection

/// Writes the features of a map in one of the formats, a folder or a batch of files at a time.
///
/// A writer is used by one thread; others have their own, and a copy is the same writer. What they
/// write can be joined in the order of the map. In `geojson` each feature begins with `,` and a line
/// end; whoever joins the parts drops the first byte of the very first one. In the other formats each
/// feature ends its own line, and nothing has to be done.
///
/// Its closures are made for the format's own type. So there is no existential between a batch and the loop
/// over it.
public struct FeatureWriter {
  /// What each feature begins with to be told from the one before; nothing in most formats.
  public let separator: [UInt8]
  /// Whether it writes ``FolderFeature/cell``, and the ground on which files stand.
  public let takesCells: Bool

  private let header: (MapHeader, inout OutputBuffer) -> Void
  private let footer: (MapSummary, inout OutputBuffer) -> Void
  private let parts: (FeatureParts?) -> Void
  private let enter: ([UInt8]) -> Void
  private let folder: (FolderFeature, [Coordinate], inout OutputBuffer) -> Void
  private let files:
    (NameTable, Range<Int>, [FilePlace], [EntryFacts], FileBatch, inout OutputBuffer) -> MapSummary

  /// A writer of the given format.
  public init(format: OutputFormat, options: WriterOptions = WriterOptions()) {
    switch format.file {
    case .geojsonseq: self.init(GeoJSONWriter(.sequence, options))
    case .geojsonl: self.init(GeoJSONWriter(.lines, options))
    case .csv: self.init(CSVWriter(options))
    case .gpx: self.init(GPXWriter())
    case .html:
      let (frame, data) = format.page()
      self.init(HTMLWriter(frame, data: data))
    case .flatgeobuf: self.init(FlatGeobufWriter(options))
    case .parquet: self.init(ParquetWriter())
    default: self.init(GeoJSONWriter(.collection, options))
    }
  }

  /// A writer of the features of one type.
  @inline(__always)
  private init<Format: FormatWriter>(_ writer: Format) {
    var writer = writer
    separator = writer.separator
    takesCells = Format.takesCells
    header = { writer.writeHeader($0, to: &$1) }
    footer = { writer.writeFooter($0, to: &$1) }
    parts = { writer.say($0) }
    enter = { writer.enterFolder(path: $0) }
    folder = { writer.writeFolder($0, ring: $1, to: &$2) }
    files = { (names, range, places, facts, batch, buffer) in
      writer.writeFiles(names, range, places: places, facts: facts, batch, to: &buffer)
    }
  }

  /// Writes what stands before the first feature; nothing in some formats.
  public func writeHeader(_ header: MapHeader, to buffer: inout OutputBuffer) {
    self.header(header, &buffer)
  }

  /// Writes what follows the last feature; nothing in some formats.
  public func writeFooter(_ summary: MapSummary, to buffer: inout OutputBuffer) {
    footer(summary, &buffer)
  }

  /// Takes what the features written next say of several states; nil if there is nothing.
  ///
  /// Formats that hold maps of one state alone have no place for it.
  package func say(_ parts: FeatureParts?) { self.parts(parts) }

  /// Takes the separator off the first feature, which needs none.
  ///
  /// - Parameters:
  ///   - start: Where in the buffer a feature begins.
  ///   - hasFeatures: Whether another one was written before.
  package func removeSeparator(
    at start: Int, unless hasFeatures: inout Bool, from buffer: inout OutputBuffer
  ) {
    if hasFeatures || buffer.count == start { return }
    hasFeatures = true
    // The line end stays.
    if !separator.isEmpty { buffer.remove(start..<(start + 1)) }
  }

  /// Says which folder the next calls are about.
  ///
  /// - Parameter path: The root's label and names, raw, joined by `/`.
  /// - Complexity: O(length of the path).
  public func enterFolder(path: [UInt8]) { enter(path) }

  /// Writes the folder entered.
  ///
  /// - Parameters:
  ///   - folder: What there is to say of it.
  ///   - ring: Its coast line, counter-clockwise, not closed, with `folder.place.digits` decimals;
  ///     GeoJSON needs it for a folder that owns land, tables don't look at it.
  ///   - buffer: Where to write.
  public func writeFolder(
    _ folder: FolderFeature, ring: [Coordinate], to buffer: inout OutputBuffer
  ) {
    self.folder(folder, ring, &buffer)
  }

  /// Writes files of the folder entered, but for those that are hidden or have vanished.
  ///
  /// - Parameters:
  ///   - names: A table with the names of the files, from the first of the folder on.
  ///   - range: Which of its names are meant.
  ///   - places: The place of each name of the range.
  ///   - facts: The facts of each name of the range; they say what is special about it, too.
  ///   - batch: What they have in common.
  ///   - buffer: Where to write.
  /// - Returns: How many were written, and how many of them are marked as unreadable.
  /// - Complexity: O(bytes written).
  public func writeFiles(
    _ names: NameTable, _ range: Range<Int>, places: [FilePlace], facts: [EntryFacts],
    _ batch: FileBatch, to buffer: inout OutputBuffer
  ) -> MapSummary {
    files(names, range, places, facts, batch, &buffer)
  }
}

/// What files of one folder that are written at once have in common.
public struct FileBatch: Sendable, Equatable {
  /// Their depth, one more than their folder's.
  public var depth: Int
  /// Decimals of their coordinates, at most 13.
  public var digits: UInt8
  /// The first zoom at which they are visible.
  public var minzoom: UInt8
  /// The ground on which the folder's files stand, where the format has a place for it; else empty.
  public var towns: [TownGround]

  /// A batch of the given parts.
  public init(depth: Int, digits: UInt8, minzoom: UInt8, towns: [TownGround] = []) {
    self.depth = depth
    self.digits = digits
    self.minzoom = minzoom
    self.towns = towns
  }
}

/// What is written of a folder, but for its path and its coast line.
public struct FolderFeature: Sendable {
  /// Where it is; says its depth, rank, zoom and whether it owns land, too.
  public var place: FolderPlace
  /// Where its label goes, in integers of 10^-`place.digits` degrees.
  public var coordinate: Coordinate
  /// Entries of its listing, whatever a filter leaves out; nil if it was not listed.
  public var entries: Int?
  /// Unix time of its last change in whole seconds, rounded down; nil if it is not known.
  public var modified: Int64?
  /// Whether its listing or its metadata could not be read.
  public var isUnreadable: Bool
  /// Whether it is one of its own ancestors, reached by a link.
  public var isLoop = false
  /// What is below it, if somebody asked for that.
  public var totals: FolderTotals?
  /// The outline of what its land was cut out of, where the format has a place for it; else empty.
  public var cell: [Coordinate] = []

  /// A folder of the given properties.
  public init(
    place: FolderPlace, coordinate: Coordinate, entries: Int?, modified: Int64?,
    isUnreadable: Bool
  ) {
    self.place = place
    self.coordinate = coordinate
    self.entries = entries
    self.modified = modified
    self.isUnreadable = isUnreadable
  }
}

extension NodeKind {
  /// How the formats and tiles call it.
  public var text: StaticString {
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
  /// How the formats and tiles call a file that is no regular one.
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
