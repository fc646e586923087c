import GeoEmit

/// Tiles in one file, in place of a map of features, or in a site.
struct ArchiveArguments {
  /// Whether it is asked for.
  var isAsked = false
  /// The deepest zoom of its tiles.
  var maxZoom: Int?
  /// Whether tiles are left out in which nothing comes into sight.
  var isSparse = false
  /// Whether it was said that none is, as is the rule.
  var isComplete = false
  /// Where a site will be.
  var address: String?
}

/// What `map --format` takes: the formats of features, and tiles in one file.
enum MapFormat: RawRepresentable, CaseIterable {
  case features(OutputFormat)
  case pmtiles

  static var allCases: [MapFormat] { OutputFormat.allCases.map { .features($0) } + [.pmtiles] }

  var rawValue: String {
    switch self {
    case .features(let format): format.rawValue
    case .pmtiles: "pmtiles"
    }
  }

  init?(rawValue: String) {
    guard let format = Self.allCases.first(where: { $0.rawValue == rawValue }) else { return nil }
    self = format
  }

  /// Notes that it was given; the last one counts.
  func store(in low: inout LowArguments) {
    switch self {
    case .features(let format):
      low.format = format
      low.archive.isAsked = false
    case .pmtiles:
      low.format = nil
      low.archive.isAsked = true
    }
  }
}

extension Option {
  /// How deep the tiles of an archive go.
  static let maxZoom = Option(
    name: "max-zoom", group: .output,
    help: "Make the tiles of --format pmtiles down to zoom Z, 0 to 26; each zoom takes about twice "
      + "the room of the one before. The default is the deepest, 24 at most, at which the archive "
      + "is at most twice as large as by --sparse.",
    effect: .number("Z", in: 0...26) { $0.archive.maxZoom = $1 })

  /// For clients that draw a larger tile where one is left out.
  static let sparseTiles = Option(
    name: "sparse", group: .output,
    help: "Leave out deep tiles in which nothing comes into sight, so that tiles can go deeper: by "
      + "default to the zoom that shows 95 % of the nodes, 24 at most. Programs that draw nothing "
      + "where a tile is missing (MapLibre, QGIS, GDAL) then have gaps.",
    effect: .flag { $0.archive.isSparse = true })

  /// What is the rule now, and once had to be asked for.
  static let completeTiles = Option(
    name: "complete", group: .output,
    help: "Leave out no tile down to --max-zoom but empty ones (the default).",
    effect: .flag { $0.archive.isComplete = true })
}
