import GeoCore
import GeoFormats
import GeoTree
import GeoWeb

extension Option {
  /// Options that choose what to write, where, and in which format.
  static let written: [Option] = [
    Option(
      name: "output", short: "o", group: .output,
      commands: Command.Name.allCases.filter { $0 != .serve },
      help: "Write to FILE (replaced only on success); '-' is standard output [-].",
      variants: [
        Variant(
          .map,
          help: "Write to FILE (replaced only on success). Pipes and devices are written "
            + "directly. '-' is standard output [-].", brief: "Write to FILE"),
        Variant(
          .publish, help: "Write into FOLDER, which is created if needed.",
          brief: "Write into FOLDER",
          effect: .path("FOLDER", "the name of a folder") { (low, text) in low.output = text }),
        Variant(
          .split, help: "Write the lists into FOLDER, which must be empty or new [parts].",
          brief: "Write into FOLDER",
          effect: .path("FOLDER", "the name of a folder") { (low, text) in low.output = text }),
        Variant(
          .snapshot, .join,
          help:
            "Write to FILE (replaced only on success); '-' is standard output, but not a terminal.",
          brief: "Write to FILE"),
        Variant(
          .diff, .since, .history,
          help:
            "Write to FILE (replaced only on success); '-' is standard output [-].",
          brief: "Write to FILE"),
        Variant(
          .draw,
          help: "Write to FILE (replaced only on success); '-' is standard output, but not a "
            + "terminal.",
          brief: "Write to FILE"),
        Variant(
          .track, help: "Write to FILE (replaced only on success); '-' is standard output [-].",
          brief: "Write to FILE"),
        Variant(
          .recordings, .replay,
          help: "Write to FILE (replaced only on success); '-' is standard output [-].",
          brief: "Write to FILE"),
        Variant(
          .record,
          help: "Record to FILE, which must not exist; '-' writes lines of JSON to standard "
            + "output [geo_log_TIME.json in the folder of recordings].",
          brief: "Record to FILE; '-' writes lines of JSON"),
      ],
      effect: .path("FILE") { (low, text) in low.output = text }),
    Option(
      name: "format", group: .output,
      commands: Command.Name.allCases.filter { ![.serve, .publish, .record].contains($0) },
      help: "Choose the format [by the name of FILE, else geojson]. Text: geojson, geojsonseq (RFC "
        + "8142), geojsonl (one feature a line), csv, gpx (waypoints), html (one file that opens "
        + "in a browser). Binary: flatgeobuf (with an index), parquet (GeoParquet), pmtiles "
        + "(vector tiles in one file).",
      brief: "Choose geojson, csv, html, parquet, pmtiles or another", longOnly: [.keep],
      variants: [
        .reports(.stats, "with all extensions, ages, owners and depths"),
        .reports(.verify, "with all counts, or the fault"),
        .reports(.split, "about what was written"),
        .reports(.join, "about what was joined (needs --output FILE)"),
        .reports(.snapshot, "of what --info shows"),
        .reports(.keep, "with all that is known of the states"),
        Variant(
          .find, .locate, .whereis,
          help: "Choose text, or a map of the matches: geojson, geojsonseq, geojsonl, csv or "
            + "gpx [by the name of FILE, else text].",
          brief: "Choose text, geojson, csv or another [text]", effect: .format(.answers)),
        Variant(
          .route,
          help: "Choose text, geojson (a LineString) or gpx (a route) [by the name of FILE, else "
            + "text].",
          brief: "Choose text, geojson or gpx [text]", effect: .format(.routes)),
        Variant(
          .diff, .since,
          help: "Choose text or json for a summary [by the name of FILE, else text]. Choose "
            + "geojson, geojsonl, geojsonseq or csv for a map of the differences, html for a page "
            + "that shows both states in a browser.",
          brief: "Choose text, json, geojson, csv, html or another [text]",
          effect: .format([.reports, .changes])),
        Variant(
          .history,
          help: "Choose geojson, geojsonl, geojsonseq, csv, html or gpx [by the name of FILE, else "
            + "geojson]. html is one file that plays the history in a browser. gpx has a track for "
            + "each author, through the places of the author's commits.",
          brief: "Choose geojson, csv, html, gpx or another [geojson]", effect: .format(.lives)),
        Variant(
          .draw,
          help: "Choose svg or png [by the name of FILE, else svg]. png needs rsvg-convert or "
            + "Chromium.",
          brief: "Choose svg or png [by the name of FILE, else svg]", effect: .format(.pictures)),
        Variant(
          .track,
          help: "Choose gpx, geojson, json (one track a line) or csv [by the name of FILE, else "
            + "gpx]; for info, places and cues text or json [text].",
          brief: "Choose gpx, geojson, json, csv or text", effect: .format([.reports, .tracks])),
        Variant(
          .replay,
          help: "Choose jsonl (lines of JSON, as of 'record -o -'), sse (server-sent events) or "
            + "gpx (a track) [jsonl].",
          brief: "Choose jsonl, sse or gpx [jsonl]", effect: .format(.playing)),
        Variant(
          .recordings,
          help: "Choose text or json for list and info [text]; json, csv, gpx or geojson for "
            + "export [by the name of FILE, else json].",
          brief: "Choose text, json, csv, gpx or geojson", effect: .format([.reports, .events])),
      ],
      effect: .format([.nodes, .tiles]),
      rules: [
        .needs(
          .outputFile, in: [.join], with: ["json"],
          because: "the snapshot goes to standard output, too"),
        .needs(
          .option("info"), in: [.snapshot], because: "a snapshot has its own format"),
      ]),
    Option(
      name: "max-zoom", group: .output, commands: [.map, .publish],
      help: "With --format pmtiles: make tiles down to zoom Z, 0 to 26. Each zoom takes about "
        + "twice the space of the one before [as far as nodes appear, but with about 64 bytes for "
        + "each node and 4 MB].",
      variants: [
        Variant(
          .publish,
          help: "Make tiles down to zoom Z, 0 to 26 [the zoom that shows 95 % of the nodes, at "
            + "most 24].")
      ],
      effect: .number("Z", in: TileChoice.zooms) { $0.tiles.maximumZoom = $1 },
      rules: [.needs(.format([.pmtiles]), in: [.map])]),
    // For programs that show a larger tile in place of a missing one.
    Option(
      name: "sparse", group: .output, commands: [.map],
      help: "With --format pmtiles: leave out deep tiles that show nothing new, so that tiles can "
        + "go deeper [to the zoom that shows all nodes, at most 24]. Programs that draw nothing "
        + "for a missing tile (MapLibre, QGIS, GDAL) then show gaps.",
      effect: .flag { $0.tiles.isSparse = true }, rules: [.needs(.format([.pmtiles]))]),
    Option(
      name: "tippecanoe", group: .output, commands: [.map],
      help: "Add the first zoom of each feature for tippecanoe (GeoJSON formats only).",
      brief: "Add the first zoom of each feature for tippecanoe",
      effect: .flag { $0.map.tippecanoe = true }, rules: [.works(with: .tippecanoe)]),
    Option(
      name: "lonlat", group: .output, commands: [.map],
      help: "Add lon and lat to files too, as folders have them (GeoJSON formats, flatgeobuf "
        + "and parquet; csv always has them).",
      effect: .flag { $0.map.lonlat = true }, rules: [.works(with: .lonlat)]),
    Option(
      name: "no-index", group: .output, commands: [.map],
      help: "Write flatgeobuf as a stream, in map order and without an index.",
      effect: .flag { $0.map.isIndexed = false }, rules: [.works(with: .index)]),
    Option(
      name: "compress", group: .output, commands: [.map],
      help: "Compress parquet with gzip, or none, which is faster [gzip].",
      effect: .choice("METHOD") { (low, value: Compression) in low.map.compression = value },
      rules: [.works(with: .compression)]),
    Option(
      name: "quote-all", group: .output, commands: [.map],
      help: "Quote every text field of csv.",
      effect: .flag { $0.map.quotesAll = true }, rules: [.works(with: .quotes)]),
    Option(
      name: "base-url", group: .output, commands: [.publish],
      help: "Set the address of the site, http:// or https://. It adds a preview picture to "
        + "shared links (needs rsvg-convert or Chromium).",
      brief: "Set the address of the site",
      effect: .parsed(
        "URL", "an address (try https://example.org/map/)",
        by: { text -> String? in
          let address = String(decoding: text, as: UTF8.self)
          let isWeb = address.hasPrefix("https://") || address.hasPrefix("http://")
          return isWeb && text.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) ? address : nil
        }
      ) { $0.siteAddress = $1 }),
    Option(
      name: "info", group: .output, commands: [.snapshot],
      help: "Read all of the snapshot FILE, show what it holds, and report damage.",
      brief: "Show what a snapshot holds, and check it",
      effect: .path("FILE") { (low, text) in low.snapshotInfo = text }),
    Option(
      name: "parts", group: .map, commands: [.split],
      help: "Divide DIR into about N parts of similar work, and one for the rest: N + 1 lists.",
      brief: "Divide DIR into about N parts and one for the rest",
      effect: .number("N", in: 1...TreeDivision.maximum) { $0.parts = $1 }),
    Option(
      name: "only", group: .reading, commands: [.snapshot],
      help: "Read one part: LIST is a list of 'geomapper split', or '-' for standard input. DIR is "
        + "the folder that was split. 'geomapper join' makes one snapshot of all parts.",
      brief: "Read only the folders in LIST",
      effect: .path("LIST") { (low, text) in low.only = text },
      rules: [
        .excludes(.option("info"), because: "--info shows one snapshot"),
        .excludes(.option("redact"), because: "parts are joined by their names"),
        .excludes(.option("git"), because: "parts are of folders on disk"), .notOfList,
        .excludes(
          .option("exclude-from", ["-"]), with: ["-"], because: "both read standard input"),
      ]),
    Option(
      name: "incomplete", group: .reading, commands: [.join],
      help: "Join what is there: show folders of missing parts as unreadable.",
      brief: "Go without missing parts", effect: .flag { $0.allowsGaps = true }),
  ]
}

extension Option.Variant {
  /// The variant of `--format` for a command that writes text or JSON.
  fileprivate static func reports(_ command: Command.Name, _ what: String) -> Self {
    Self(
      command, help: "Choose text, or json for programs, \(what) [text].",
      brief: "Choose text or json [text]", effect: .format(.reports))
  }
}

extension Option.Effect {
  static func format(_ contents: FileFormat.Contents) -> Self {
    .choice("FORMAT", of: FileFormat.holding(contents).map(\.rawValue)) { (low, word) in
      low.format = FileFormat(rawValue: word)
    }
  }
}
