/// A format that a map is written in.
///
/// A format is one type, a ``FormatWriter``, in a file of its own under `Formats`, which ends with the
/// format's name and what it has a place for; ``allCases`` lists it.
public struct OutputFormat: Sendable, RawRepresentable, CaseIterable {
  /// What the command line calls it.
  public let rawValue: String
  /// What it has a place for.
  public let traits: FormatTraits
  /// The most nodes that it can hold.
  public let mostNodes: Int
  let makeWriter: @Sendable (WriterOptions) -> FeatureWriter

  /// All formats, in the order in which they are listed.
  public static let allCases: [OutputFormat] = [
    .geojson, .geojsonseq, .geojsonl, .csv, .gpx, .html, .flatgeobuf,
    .parquet,
  ]

  /// Those that other programs read: all but the page.
  public static let interchange = allCases.filter { $0 != .html }

  /// A format.
  ///
  /// It is inlined, so that what is made for `Writer` knows which type that is: then the calls for
  /// each node are direct ones.
  ///
  /// - Parameters:
  ///   - name: What the command line calls it.
  ///   - traits: What it has a place for.
  ///   - mostNodes: The most nodes that it can hold.
  ///   - make: Makes what writes it.
  @inline(__always)
  init<Writer: FormatWriter>(
    _ name: String, _ traits: FormatTraits, mostNodes: Int = .max,
    _ make: @escaping @Sendable (WriterOptions) -> Writer
  ) {
    rawValue = name
    self.traits = traits
    self.mostNodes = mostNodes
    makeWriter = { FeatureWriter(make($0)) }
  }

  /// The format of a name; nil if there is none.
  public init?(rawValue: String) {
    guard let format = Self.allCases.first(where: { $0.rawValue == rawValue }) else { return nil }
    self = format
  }

  /// Whether the features are GeoJSON.
  public var isGeoJSON: Bool { traits.contains(.tippecanoe) }
}

extension OutputFormat: Hashable {
  /// Whether two formats are the same one.
  public static func == (a: Self, b: Self) -> Bool { a.rawValue == b.rawValue }

  /// Feeds the name.
  public func hash(into hasher: inout Hasher) { hasher.combine(rawValue) }
}

extension OutputFormat: CustomStringConvertible {
  /// The name.
  public var description: String { rawValue }
}

/// What a format has a place for.
public struct FormatTraits: OptionSet, Sendable {
  /// One bit for each.
  public let rawValue: UInt16

  /// Traits of the given bits.
  public init(rawValue: UInt16) { self.rawValue = rawValue }

  /// Features that say how tippecanoe is to show them.
  public static let tippecanoe = Self(rawValue: 1)
  /// How many names a file has.
  public static let links = Self(rawValue: 2)
  /// What is below a folder.
  public static let totals = Self(rawValue: 4)
  /// Parts of a map, which can be joined.
  public static let parts = Self(rawValue: 8)
  /// Parts of a map, each of them a file that is read by itself.
  public static let standsAlone = Self(rawValue: 16)
  /// Where files are, as members beside the geometry.
  public static let lonlat = Self(rawValue: 32)
  /// An index, which can be left out.
  public static let index = Self(rawValue: 64)
  /// Bytes that are packed.
  public static let compression = Self(rawValue: 128)
  /// Texts that stand in quotes only if they have to.
  public static let quotes = Self(rawValue: 256)
  /// Columns that came later; parts of a map say how many there are.
  package static let columns = Self(rawValue: 512)
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

  /// The usual.
  public init() {}
}
