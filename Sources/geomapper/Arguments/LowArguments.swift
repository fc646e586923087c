import GeoAtlas
import GeoChange
import GeoCore
import GeoDraw
import GeoFormats
import GeoLive
import GeoProjection
import GeoSources
import GeoSystem
import GeoTree
import GeoWeb

/// The options and operands as they were typed, each value by itself already looked at.
///
/// What is `nil` was not given. ``MapPlan`` says what follows from it.
struct LowArguments {
  var operands: [[UInt8]] = []
  /// What was given by names from before, and what it is called now, fit for a terminal.
  var renamed: [(old: String, new: String)] = []

  /// The values of each option that was given, by its name; an empty one for a flag.
  var given: [String: [[UInt8]]] = [:]

  var output: [UInt8]?
  var format: FileFormat?
  var tippecanoe = false
  var lonlat = false
  var isIndexed = true
  var compression: Compression?
  var quotesAll = false
  var archive = ArchiveArguments()

  var layout: Layout?

  /// The roots of the world, `[LABEL=]DIR`, where operands are something else.
  var roots: [[UInt8]] = []
  var zoom: Int?
  var box: BoundingBox?
  var maxDepth: Int?
  /// How many places or rows are told.
  var limit: Int?
  /// How deep a tree is read, where that is not a matter of a map.
  var readingDepth: Int?

  var rules: [LowRule] = []
  var names: [[UInt8]] = []
  var kinds: Set<EntryKind>?
  var sizes: [SizeCondition] = []
  var newer: [UInt8]?
  var older: [UInt8]?

  var redaction = RedactionArguments()

  var shards = ShardArguments()
  var list = ListArguments()

  var threads: Int?
  var readsMetadata = true
  var links = LinkArguments()

  var serve = ServeArguments()

  var progress: ProgressMode?
  var isQuiet = false

  var atlas = AtlasArguments()
  var stats = StatsArguments()
  var track = TrackArguments()
  var record = RecordArguments()
  var diff = DiffArguments()
  var draw = DrawArguments()
  /// The folder that is written, if it is one: it is no part of what is read.
  var ownFolder: OwnFolder?
  var history = HistoryArguments()

  /// Where the revisions are that are operands.
  var gitRepository: [UInt8]?
  /// The snapshot that `--info` asks about.
  var snapshotInfo: [UInt8]?

  /// Whether it is said of what a map is made that questions are asked of.
  var asksMap: Bool { !roots.isEmpty || gitRepository != nil || list.file != nil }
}

/// What says which entries are left out; the last one that matches an entry decides.
enum LowRule {
  case exclude([UInt8])
  case excludeFrom([UInt8])
  case include([UInt8])
  case noHidden
  case gitignore
}

/// Whether the tool shows how far it is.
enum ProgressMode: String, CaseIterable {
  /// On a terminal only.
  case auto
  case always
  case never
}

/// What the commands that ask the map take, as it was typed.
struct AtlasArguments {
  var isFolder: Bool?
  var counts = false
  var radius: Double?
  /// Which of what was found comes first; nil for what fits best.
  var order: MatchOrder?
  var isCoprocess = false
}

/// The options of shard manifests and their parts.
struct ShardArguments {
  /// The shard manifest to map.
  var manifest: [UInt8]?
  /// The number of manifests to split into.
  var parts: Int?
}

/// The options of a list that is read in place of a disk, as they were typed.
struct ListArguments {
  /// `-` for standard input.
  var file: [UInt8]?
  var format: ListFormat?
  var isZeroSeparated = false
}

/// Tiles in one file, in place of a map of features, or in a site.
struct ArchiveArguments {
  /// The deepest zoom of its tiles.
  var maxZoom: Int?
  /// Whether tiles are left out in which nothing comes into sight.
  var isSparse = false
  /// Where a site will be.
  var address: String?
}

/// What is done where a tree is more than a tree.
struct LinkArguments {
  var staysOnFileSystem = false
  var follows = false
  var countsLinks = false
  var totals = false
}

/// What is told by other names, as it was typed.
struct RedactionArguments {
  var globs: [[UInt8]] = []
  var keyFile: [UInt8]?

  /// Whether anything is.
  var isAsked: Bool { !globs.isEmpty }
}

/// What `geomapper stats` takes, as it was typed.
struct StatsArguments {
  var depth: Int?
  var grouping: StatsGrouping?
  var order: StatsOrder?
}

/// What `geomapper diff` takes, as it was typed.
struct DiffArguments {
  /// `[LABEL=]STATE`
  var old: [[UInt8]] = []
  var new: [[UInt8]] = []
  var showsAll = false
  var tellsByStatus = false
  var isDated = false
  /// Unix time since when what is told was changed.
  var since: Int64?
}

/// What `geomapper history` takes, as it was typed.
struct HistoryArguments {
  var tellsEvents = false
  var since: Int64?
  var until: Int64?
  var path: [UInt8]?
  /// Where the frames of a film go.
  var film: [UInt8]?
  /// Frames a second.
  var rate: Int?
  /// How long the film is.
  var seconds: Int?

  /// What of a history is told.
  var filter: HistoryFilter {
    var filter = HistoryFilter()
    (filter.since, filter.until, filter.path) = (since, until, path)
    return filter
  }
}

/// What `geomapper draw` is asked for.
struct DrawArguments {
  /// The format of the frames of a film.
  var frames: FileFormat?
  var size: SheetSize?
  var title: [UInt8]?
  var isDark = false
  var shading: Shading?
  var date: Int64?
  /// The folder that is drawn, as it was given.
  var folder: [UInt8]?
}

/// What the options of `geomapper serve` say.
struct ServeArguments {
  var port: Int?
  var host: String?
  var opensBrowser = false
  var origins: Set<WebOrigin> = []
  var requiresToken = false
  /// `[LABEL=]STATE`, of the state that is compared with
  var since: [[UInt8]] = []
  /// Whether operands are states, all of which are shown.
  var showsHistory = false
  /// The recording that is played on the map.
  var recording: [UInt8]?
}

/// What `geomapper track` takes, as it was typed.
struct TrackArguments {
  /// What the lines of timed paths are.
  enum Lines: String, CaseIterable {
    case plain
    case strace
    case recording
  }

  var tolerance: Double?
  var near: [(longitude: Double, latitude: Double, radius: Double)] = []
  var lines: Lines?
}

/// What the commands about recordings take, as it was typed.
struct RecordArguments {
  var directory: [UInt8]?
  var name: [UInt8]?
  var tags: [[UInt8]] = []
  /// Milliseconds.
  var duration: Int64?
  var events: Int?
  /// Milliseconds.
  var sampling: Int64?

  /// Rules, and files with rules, in the order in which they were given.
  var alerts: [AlertRule] = []
  var alertFiles: [[UInt8]] = []
  /// Milliseconds.
  var cooldown: Int64?
  /// In which way changes are found out.
  var way: WatchWay?
  /// Whether what was lost is looked for.
  var repairs = true
  /// A command and its arguments.
  var command: [[UInt8]]?

  var speed: Double?
  var loops = false
  /// Milliseconds.
  var from: Int64?
  var compared: (Int, Int)?
  /// Whether all recordings are exported.
  var exportsAll = false
}
