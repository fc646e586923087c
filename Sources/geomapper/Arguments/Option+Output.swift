import GeoCore
import GeoFormats
import GeoProjection

extension Option {
  /// What is written, where, and in which format.
  static let written: [Option] = [
    Option(
      name: "output", short: "o", group: .output,
      commands: Command.Name.allCases.filter { ![.serve, .replay].contains($0) },
      help: "Write to FILE (replaced only on success); '-' (the default) is standard output.",
      variants: [
        Variant(
          .map, .join,
          help: "Write to FILE, which is replaced when the map is complete and left alone if it "
            + "can't be. A pipe or a device is written in place; '-' (the default) is standard "
            + "output.", brief: "Write to FILE"),
        Variant(
          .publish, help: "Write into FOLDER, which is made if it isn't there.",
          brief: "Write into FOLDER",
          effect: .path("FOLDER", "the name of a folder") { (low, text) in low.output = text }),
        Variant(
          .split,
          help: "Write the shard manifest to FILE. With --parts, write one file for each part into "
            + "the folder FILE, which must be empty or new. '-' (the default) is standard output, "
            + "one manifest a line.",
          brief: "Write to FILE, or with --parts into the folder FILE"),
        Variant(
          .snapshot,
          help:
            "Write to FILE, which is replaced when the snapshot is complete and left alone if it "
            + "can't be; '-' is standard output, which must not be a terminal.",
          brief: "Write to FILE"),
        Variant(
          .diff, .history,
          help:
            "Write to FILE, which is replaced when all is written and left alone if it can't be; "
            + "'-' (the default) is standard output.", brief: "Write to FILE"),
        Variant(
          .draw,
          help: "Write to FILE, which is replaced when the sheet is complete and left alone if it "
            + "can't be; '-' is standard output, which must not be a terminal.",
          brief: "Write to FILE"),
        Variant(
          .track, help: "Write to FILE, complete or not at all; '-' is standard output.",
          brief: "Write to FILE"),
        Variant(
          .recordings,
          help: "Write to FILE, complete or not at all; '-' (the default) is standard output.",
          brief: "Write to FILE"),
        Variant(
          .record,
          help: "Record to FILE, which must not be there; '-' streams lines of JSON to standard "
            + "output. By default it is geo_log_ and the time, in the folder of recordings.",
          brief: "Record to FILE; '-' streams lines of JSON"),
      ],
      effect: .path("FILE") { (low, text) in low.output = text }),
    Option(
      name: "format", group: .output,
      commands: Command.Name.allCases.filter { ![.serve, .publish, .record].contains($0) },
      help:
        "The default is what the name of FILE ends in, else geojson. geojson, geojsonseq (RFC 8142), geojsonl (a feature a line), csv, "
        + "gpx, html (a page that opens from disk), flatgeobuf (binary, with an index), parquet "
        + "(GeoParquet) or pmtiles (vector tiles in one file).",
      brief: "geojson, csv, html, flatgeobuf, parquet, pmtiles or another",
      variants: [
        .reports(.stats, "with all extensions, ages, owners and depths."),
        .reports(.verify, "with all counts, or the fault."),
        .reports(.split, "about what was written; the manifests then need --output FILE."),
        .reports(.join, "of what was joined; the map goes to a FILE then."),
        .reports(.snapshot, "of what --info tells."),
        Variant(
          .find, .locate, .whereis,
          help: "text (the default), or the folders and files as 'map' writes them: geojson, "
            + "geojsonseq, geojsonl, csv or gpx. Without it the name of FILE decides.",
          brief: "text (the default), geojson, csv or another", effect: .format(.answers)),
        Variant(
          .route,
          help:
            "text (the default), geojson (a LineString) or gpx (a route). Without it the name of "
            + "FILE decides.",
          brief: "text (the default), geojson or gpx", effect: .format(.routes)),
        Variant(
          .diff,
          help:
            "The default is what the name of FILE ends in, else text: a summary for people; json: "
            + "the same for programs. geojson, geojsonl, geojsonseq or csv: the "
            + "nodes that differ and the folders that hold them, on the map of both states. html: a page "
            + "that opens from disk and shows both states, on the land of all folders.",
          brief: "text (the default), json, geojson, csv, html or another",
          effect: .format([.reports, .changes])),
        Variant(
          .history,
          help:
            "The default is what the name of FILE ends in, else geojson. geojson, geojsonl, geojsonseq or csv; html: one file that plays the "
            + "history on the map in a browser; gpx: a track for each author, of the places that the "
            + "author's commits touched.",
          brief: "geojson, geojsonl, geojsonseq, csv, html or gpx", effect: .format(.lives)),
        Variant(
          .draw,
          help:
            "svg or png, which rsvg-convert or Chromium makes of it where one of these programs "
            + "is installed. Without it the name of FILE decides, else it is svg.",
          brief: "svg or png; else the name of FILE decides", effect: .format(.pictures)),
        Variant(
          .track,
          help:
            "The default is what the name of FILE ends in, else gpx. gpx, geojson, json (a track "
            + "to a line) or csv; of info, places and cues text (the default) or json.",
          brief: "gpx, geojson, json, csv or text", effect: .format([.reports, .tracks])),
        Variant(
          .replay,
          help: "jsonl (the default): lines of JSON, as 'record -o -' gives them. sse: events as a "
            + "server sends them. gpx: a track.",
          brief: "jsonl, sse or gpx", effect: .format(.playing)),
        Variant(
          .recordings,
          help: "The default is what the name of FILE ends in. Of list and info text (else the "
            + "default) or json; of export json (else the default), csv, gpx or geojson.",
          brief: "text, json, csv, gpx or geojson", effect: .format([.reports, .events])),
      ],
      effect: .format([.nodes, .tiles]),
      oldNames: [OldName(name: "json", commands: [.stats], value: "json")],
      rules: [
        .needs(
          .outputFile, in: [.split], with: ["json"],
          because: "the manifests go to standard output, too"),
        .needs(
          .outputFile, in: [.join], with: ["json"], because: "the map goes to standard output, too"),
        .needs(
          .option("info"), in: [.snapshot], because: "a snapshot has a format of its own"),
      ]),
    Option(
      name: "max-zoom", group: .output, commands: [.map, .publish],
      help:
        "Make the tiles of --format pmtiles down to zoom Z, 0 to 26; each zoom takes about twice "
        + "the room of the one before. The default is the deepest, 24 at most, at which the archive "
        + "is at most twice as large as by --sparse.",
      variants: [
        Variant(
          .publish,
          help: "Make tiles down to zoom Z, 0 to 26; by default to the zoom that shows 95 % of the "
            + "nodes, 24 at most.")
      ],
      effect: .number("Z", in: 0...26) { $0.archive.maxZoom = $1 },
      rules: [.needs(.format([.pmtiles]), in: [.map])]),
    // For clients that draw a larger tile where one is left out.
    Option(
      name: "sparse", group: .output, commands: [.map],
      help:
        "Leave out deep tiles in which nothing comes into sight, so that tiles can go deeper: by "
        + "default to the zoom that shows 95 % of the nodes, 24 at most. Programs that draw nothing "
        + "where a tile is missing (MapLibre, QGIS, GDAL) then have gaps.",
      effect: .flag { $0.archive.isSparse = true }, rules: [.needs(.format([.pmtiles]))]),
    // The default now; it had to be asked for once.
    Option(
      name: "complete", group: .output, commands: [.map],
      help: "Leave out no tile down to --max-zoom but empty ones (the default).",
      effect: .flag { _ in }, isHidden: true,
      rules: [
        .needs(.format([.pmtiles])),
        .excludes(.option("sparse"), because: "they contradict each other"),
      ]),
    Option(
      name: "tippecanoe", group: .output, commands: [.map],
      help: "Tell tippecanoe from which zoom on a feature is shown (GeoJSON formats only).",
      effect: .flag { $0.tippecanoe = true }, rules: [.works(with: .tippecanoe)]),
    Option(
      name: "lonlat", group: .output, commands: [.map],
      help: "Files have lon and lat as members beside their geometry, as folders do (GeoJSON "
        + "formats, flatgeobuf and parquet; csv has them anyway).",
      effect: .flag { $0.lonlat = true }, rules: [.works(with: .lonlat)]),
    Option(
      name: "no-index", group: .output, commands: [.map],
      help: "Write flatgeobuf as a stream, in the order of the map and without an index.",
      effect: .flag { $0.isIndexed = false }, rules: [.works(with: .index)]),
    Option(
      name: "compress", group: .output, commands: [.map],
      help: "Pack the pages of parquet: gzip (the default) or none, which is faster.",
      effect: .choice("METHOD") { (low, value: Compression) in low.compression = value },
      rules: [.works(with: .compression)]),
    Option(
      name: "quote-all", group: .output, commands: [.map],
      help: "Put every text of csv in quotes, whether it needs them or not.",
      effect: .flag { $0.quotesAll = true }, rules: [.works(with: .quotes)]),
    Option(
      name: "base-url", group: .output, commands: [.publish],
      help: "Where the site will be, http:// or https://: for programs to which its addresses "
        + "are passed on. They show a picture of it, which rsvg-convert or Chromium makes where one of "
        + "these programs is installed.",
      brief: "Where the site will be",
      effect: .value(placeholder: "URL") { (low, text) throws(BadValue) in
        let address = String(decoding: text, as: UTF8.self)
        guard address.hasPrefix("https://") || address.hasPrefix("http://"),
          text.allSatisfy({ $0 > 0x20 && $0 < 0x7F })
        else {
          throw BadValue(reason: "takes an address such as https://example.org/map/")
        }
        low.archive.address = address
      }),
    Option(
      name: "info", group: .output, commands: [.snapshot],
      help: "Tell what the snapshot FILE holds, read all of it, and name what is damaged.",
      brief: "Tell what a snapshot holds, and check it",
      effect: .path("FILE") { (low, text) in low.snapshotInfo = text }),
    Option(
      name: "parts", group: .map, commands: [.split],
      help: "Cut DIR into about N parts of similar work, and one for the rest: N + 1 manifests.",
      brief: "Cut DIR into about N parts and one for the rest",
      effect: .number("N", in: 1...10_000) { $0.shards.parts = $1 },
      oldNames: [OldName(name: "split")],
      rules: [.excludes(.option("root"), because: "the roots are the operands then")]),
  ]
}

extension Option.Variant {
  /// `--format text` or `json`, of a command that reports what it found or did.
  ///
  /// - Parameter what: What the JSON has, as a sentence that goes on.
  fileprivate static func reports(_ command: Command.Name, _ what: String) -> Self {
    Self(
      command, help: "text (the default), or json for programs, \(what)",
      brief: "text (the default) or json", effect: .format(.reports))
  }
}

extension Option.Effect {
  /// An option that takes one of the formats that hold something.
  static func format(_ contents: FileFormat.Contents) -> Self {
    .choice("FORMAT", of: FileFormat.holding(contents).map(\.rawValue)) { (low, word) in
      low.format = FileFormat(rawValue: word)
    }
  }
}
