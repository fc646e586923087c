import GeoFormats
import GeoProjection

extension Option {
  /// The options of `geomapper map`. The table serves the parser, the help and the suggestions.
  static let map: [Option] = [
    .output(
      "Write to FILE, which is replaced when the map is complete and left alone if it "
        + "can't be. A pipe or a device is written in place; '-' (the default) is standard "
        + "output."),
    .format(
      MapCommand.formats,
      help:
        "The default is what the name of FILE ends in, else geojson. geojson, geojsonseq (RFC 8142), geojsonl (a feature a line), csv, "
        + "gpx, html (a page that opens from disk), flatgeobuf (binary, with an index), parquet "
        + "(GeoParquet) or pmtiles (vector tiles in one file).",
      brief: "geojson, csv, html, flatgeobuf, parquet, pmtiles or another"),
    .maxZoom,
    .sparseTiles,
    .completeTiles,
    Option(
      name: "tippecanoe", group: .output,
      help: "Tell tippecanoe from which zoom on a feature is shown (GeoJSON formats only).",
      effect: .flag { $0.tippecanoe = true }),
    Option(
      name: "lonlat", group: .output,
      help: "Files have lon and lat as members beside their geometry, as folders do (GeoJSON "
        + "formats, flatgeobuf and parquet; csv has them anyway).",
      effect: .flag { $0.lonlat = true }),
    Option(
      name: "no-index", group: .output,
      help: "Write flatgeobuf as a stream, in the order of the map and without an index.",
      effect: .flag { $0.isIndexed = false }),
    Option(
      name: "compress", group: .output,
      help: "Pack the pages of parquet: gzip (the default) or none, which is faster.",
      effect: .choice("METHOD") { (low, value: Compression) in low.compression = value }),
    Option(
      name: "quote-all", group: .output,
      help: "Put every text of csv in quotes, whether it needs them or not.",
      effect: .flag { $0.quotesAll = true }),

    Option(
      name: "layout", group: .map,
      help: "settled (the default): folders share the land of their parent, none overlap. "
        + "pinned: a path alone decides where it is; some siblings overlap.",
      effect: .choice("LAYOUT") { (low, value: Layout) in low.layout = value }),

    Option(
      name: "zoom", group: .filters,
      help: "Only what is visible at zoom Z, 0 to 64; hidden folders are not read.",
      brief: "Only what is visible at zoom Z",
      effect: .number("Z", in: 0...64) { $0.zoom = $1 }),
    Option(
      name: "bbox", group: .filters,
      help: "Only what meets the box of these degrees; W above E crosses the antimeridian.",
      effect: .value(placeholder: "W,S,E,N") { (low, text) throws(BadValue) in
        do throws(BoundingBoxError) {
          low.box = try BoundingBox(parsing: text)
        } catch {
          throw BadValue(reason: "takes W,S,E,N in degrees, such as -10,35,30,60: \(error)")
        }
      }),
    Option(
      name: "max-depth", group: .filters,
      help: "No deeper than N levels below the roots, which are at depth 0.",
      brief: "No deeper than N levels",
      effect: .number("N", in: 0...Int(Int32.max)) { $0.maxDepth = $1 }),

    Option(
      name: "threads", group: .reading,
      help: "Read and draw with N threads. The map is the same with any number.",
      effect: .number("N", in: 1...1024) { $0.threads = $1 }),
    Option(
      name: "no-stat", group: .reading,
      help: "Don't ask for sizes and times of change, which is faster.",
      effect: .flag { $0.readsMetadata = false }),

    .progress,
    Option(
      name: "quiet", short: "q", group: .messages,
      help: "Don't name what could not be read, and show no progress and no summary unless "
        + "'--progress always' is given; the exit status still tells.",
      brief: "Show nothing but errors",
      effect: .flag { $0.isQuiet = true }),
    .showsHelp,
  ]
}

extension Option {
  /// `--progress`, which means the same in all commands.
  static let progress = Option(
    name: "progress", group: .messages,
    help: "Show on standard error how far it is, and when a map is written a summary: auto (the "
      + "default; on a terminal), always (elsewhere a line a second) or never, which still names "
      + "what could not be read.",
    effect: .choice("WHEN") { (low, value: ProgressMode) in low.progress = value })
}
