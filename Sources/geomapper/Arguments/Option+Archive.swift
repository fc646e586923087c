/// Tiles in one file, in place of a map of features, or in a site.
struct ArchiveArguments {
  /// The deepest zoom of its tiles.
  var maxZoom: Int?
  /// Whether no tile down to it is left out that isn't empty.
  var isComplete = false
  /// Where a site will be.
  var address: String?
}

extension Option {
  /// How deep the tiles of an archive go.
  static let maxZoom = Option(
    name: "max-zoom", group: .output,
    help: "Make the tiles of --format pmtiles down to zoom Z, 0 to 26; by default to the zoom that "
      + "shows 95 % of the nodes, 24 at most.",
    effect: .number("Z", in: 0...26) { $0.archive.maxZoom = $1 })

  /// For clients that draw nothing where a tile is left out.
  static let completeTiles = Option(
    name: "complete", group: .output,
    help: "Leave out no tile down to --max-zoom but empty ones, for programs that draw nothing "
      + "where one is missing (MapLibre, QGIS, GDAL). Each zoom takes about twice the room of the one "
      + "before.",
    effect: .flag { $0.archive.isComplete = true })
}
