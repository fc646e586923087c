import GeoCore

/// A format that a map is written in: a ``FileFormat`` that holds nodes.
///
/// What writes it is a ``FormatWriter``, in a file of its own under `Formats`.
public struct OutputFormat: Sendable, RawRepresentable, CaseIterable {
  /// Which one of the list it is.
  package let file: FileFormat
  /// What surrounds the rows of a page, and what it has beside them; made when something is written.
  let page: @Sendable () -> (frame: PageFrame, data: [UInt8])

  fileprivate init(_ file: FileFormat) {
    self.file = file
    page = { (.bare, []) }
  }

  private init(page: @escaping @Sendable () -> (frame: PageFrame, data: [UInt8])) {
    file = .html
    self.page = page
  }

  /// The format of a name; nil if there is none.
  public init?(rawValue: String) {
    guard let format = FileFormat(rawValue: rawValue)?.ofMap else { return nil }
    self = format
  }

  /// One GeoJSON `FeatureCollection` (RFC 7946), one feature to a line.
  public static let geojson = OutputFormat(.geojson)
  /// A GeoJSON text sequence (RFC 8142): each feature between RS and LF.
  public static let geojsonseq = OutputFormat(.geojsonseq)
  /// GeoJSON features, one to a line.
  public static let geojsonl = OutputFormat(.geojsonl)
  /// A table (RFC 4180), one node to a record.
  public static let csv = OutputFormat(.csv)
  /// GPX 1.1, one waypoint to a line.
  public static let gpx = OutputFormat(.gpx)
  /// A page that shows the map, opens from disk and needs nothing else.
  ///
  /// Here it holds the map's rows alone: what writes a page that people open passes the rest to
  /// ``page(_:data:)``.
  public static let html = OutputFormat(.html)
  /// FlatGeobuf, all nodes in one layer; with an index unless that is refused.
  public static let flatgeobuf = OutputFormat(.flatgeobuf)
  /// GeoParquet 1.1, the nodes in row groups of near ones.
  public static let parquet = OutputFormat(.parquet)

  /// A page that shows the map, and perhaps more.
  ///
  /// - Parameters:
  ///   - frame: What surrounds the map; it is put together when something is written.
  ///   - data: What it has beside the map, as JSON in which `<` is escaped.
  package static func page(
    _ frame: @autoclosure @escaping @Sendable () -> PageFrame, data: [UInt8] = []
  ) -> OutputFormat {
    OutputFormat(page: { (frame(), data) })
  }

  /// All formats, in the order in which they are listed.
  public static let allCases = FileFormat.allCases.compactMap(\.ofMap)

  /// Those that other programs read: all but the page.
  public static let interchange = allCases.filter { $0 != .html }

  /// What the command line calls it.
  public var rawValue: String { file.rawValue }

  /// What it has a place for.
  public var traits: FormatTraits { file.traits }

  /// The most nodes that it can hold.
  public var mostNodes: Int { file == .html ? PageFrame.mostNodes : .max }

  /// Whether the features are GeoJSON.
  public var isGeoJSON: Bool { traits.contains(.tippecanoe) }
}

extension FileFormat {
  /// What writes a map in it; nil if it holds none.
  package var ofMap: OutputFormat? { holds.contains(.nodes) ? OutputFormat(self) : nil }
}

extension OutputFormat: Hashable {
  /// Whether two formats are the same one.
  public static func == (a: Self, b: Self) -> Bool { a.file == b.file }

  /// Feeds the format.
  public func hash(into hasher: inout Hasher) { hasher.combine(file) }
}

extension OutputFormat: CustomStringConvertible {
  /// The name.
  public var description: String { rawValue }
}

/// Which columns a table of nodes has.
package enum FeatureTable: Hashable, Sendable {
  /// Those of a map.
  case nodes
  /// Those of a map of two states.
  case changes
  /// A record for each life of a node.
  case lives
  /// A record for each event of a history.
  case events
}

/// How the bytes of a file are packed.
public enum Compression: String, Sendable, CaseIterable {
  /// Not at all.
  case none
  /// By DEFLATE, with the header of gzip (RFC 1952).
  case gzip
}

/// What features are to say beyond what they always do.
public struct WriterOptions: Hashable, Sendable {
  /// Whether GeoJSON features say their zoom the way tippecanoe reads it.
  public var tippecanoe = false
  /// Whether folders say what is below them, so that tables need columns for it.
  public var totals = false
  /// Whether files may say how many names they have, so that tables need a column for it.
  public var links = false
  /// Whether folders may say that they are loops, so that tables need a column for it.
  public var loops = false
  /// Whether files have `lon` and `lat` as members, too.
  public var lonlat = false
  /// Whether there is an index, where the format has one.
  public var isIndexed = true
  /// How bytes are packed, where the format has a choice.
  public var compression = Compression.none
  /// Whether all texts of a table stand in quotes.
  public var quotesAll = false
  /// Whether the header of a table names `name`, `special` and `rawPath`, which records of parts written
  /// before them lack.
  package var hasLaterColumns = true
  /// Which columns a table has.
  package var table = FeatureTable.nodes

  /// The usual.
  public init() {}
}
