import GeoCore
import GeoFormats
import GeoPipeline
import GeoProjection
import GeoSources
import GeoTree

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

/// Tiles in one file, in place of a map of features, or in a site.
struct ArchiveArguments {
  /// The deepest zoom of its tiles.
  var maxZoom: Int?
  /// Whether tiles are left out in which nothing comes into sight.
  var isSparse = false
  /// Whether it was said that none is, as is the rule.
  var isComplete = false
  /// Where a site will be.
  var address: String?
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

  /// The default now; it had to be asked for once.
  static let completeTiles = Option(
    name: "complete", group: .output,
    help: "Leave out no tile down to --max-zoom but empty ones (the default).",
    effect: .flag { $0.archive.isComplete = true }, isHidden: true)
}

/// What is done where a tree is more than a tree.
struct LinkArguments {
  var staysOnFileSystem = false
  var follows = false
  var countsLinks = false
  var totals = false
}

extension Option {
  /// The options about links, mounts, and files with several names.
  static let links: [Option] = [
    Option(
      name: "one-file-system", short: "x", group: .reading,
      help: "Show folders that are in another file system than DIR, but don't enter them.",
      brief: "Stay in one file system",
      effect: .flag { $0.links.staysOnFileSystem = true }),
    Option(
      name: "follow", short: "L", group: .reading,
      help: "Take symbolic links for what they lead to: folders are entered through them, and "
        + "what can be reached on several ways is drawn several times. A folder that leads back to "
        + "one of its own ancestors is marked as a loop; a broken link stays a link.",
      effect: .flag { $0.links.follows = true }),
    Option(
      name: "links", group: .reading,
      help: "Say of files with several names how many there are (GeoJSON formats only).",
      effect: .flag { $0.links.countsLinks = true }),
    Option(
      name: "totals", group: .reading,
      help: "Say of each folder how many files and bytes are below it, whatever is left out; each "
        + "file counts once, however many names it has. Reads all of it first (GeoJSON formats, "
        + "csv and html).",
      brief: "Say how many files and bytes are below each folder",
      effect: .flag { $0.links.totals = true }),
  ]
}

/// What is told by other names, as it was typed.
struct RedactionArguments {
  var globs: [[UInt8]] = []
  var keyFile: [UInt8]?

  /// Whether anything is.
  var isAsked: Bool { !globs.isEmpty }
}

extension Option {
  /// The options that give other names to what isn't everybody's.
  static let redaction: [Option] = [
    Option(
      name: "redact", group: .names,
      help:
        "Give what GLOB matches, as with --exclude, and all that is in it another name, which is made "
        + "of its path and a secret key: places, ids and lengths tell nothing of the one before. Sizes, "
        + "times and numbers of entries stay.",
      effect: .value(placeholder: "GLOB") { (low, text) throws(BadValue) in
        var selection = Selection()
        do throws(GlobError) {
          try selection.exclude(text)
        } catch {
          throw BadValue(reason: "does not take this pattern: \(error)")
        }
        low.redaction.globs.append(text)
      }),
    Option(
      name: "redact-key", group: .names,
      help: "The key's file, which is made if it isn't there; by default "
        + "~/.config/geomapper/redact.key. The same key gives the same names. Keep it to yourself: who "
        + "has it can tell which name stands for a path.",
      effect: .value(placeholder: "FILE") { (low, text) in low.redaction.keyFile = text }),
  ]
}

extension Option {
  /// The options of a list that is read in place of a disk.
  static let list: [Option] = [
    Option(
      name: "files-from", group: .list,
      help: "Map the paths in LIST, in any order, instead of a disk; '-' is standard input. DIR, "
        + "which need not be there, is what they begin with and is taken off. A line that can't "
        + "be used is named and left out, and the exit status is 1.",
      effect: .value(placeholder: "LIST") { (low, text) in low.list.file = text }),
    Option(
      name: "list-format", group: .list,
      help: "lines (the default): a path a line; a folder ends in '/' or has others below it. "
        + "find: the output of find -printf '%s %T@ %y %p\\0'. ncdu or gdu: an export in JSON.",
      effect: .choice("FORMAT") { (low, value: ListFormat) in low.list.format = value }),
    Option(
      name: "null", short: "0", group: .list,
      help: "A zero byte stands behind each path of LIST, not a line end.",
      effect: .flag { $0.list.isZeroSeparated = true }),
  ]

  /// Where revisions are that stand in place of folders.
  static let git = Option(
    name: "git", group: .list,
    help: "Take each DIR for a revision of the git repository REPO, such as HEAD~10, v2.0 or "
      + "main:Sources; without any, HEAD. If one begins with 'git:', the others are folders or "
      + "files that exist, else revisions, and './x' is always a path. Without --git, 'git:' means the "
      + "current folder's repository. Read by the program 'git'; "
      + "sizes are the blobs', and submodules are not entered.",
    effect: .value(placeholder: "REPO") { (low, text) in low.gitRepository = text })
}
