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

/// The options and operands as typed; each value was checked by itself.
///
/// nil means not given. ``MapPlan`` resolves defaults.
struct LowArguments {
  var operands: [[UInt8]] = []

  /// The values of each given option by its name; empty for a flag.
  var given: [String: [[UInt8]]] = [:]
  /// The options in their order, each with its words: none for a flag, all that follow for the last.
  var typed: [(name: String, words: [[UInt8]])] = []

  var output: [UInt8]?
  var format: FileFormat?
  var tippecanoe = false
  var lonlat = false
  var isIndexed = true
  var compression: Compression?
  var quotesAll = false
  var archive = ArchiveArguments()

  var layout: Layout?
  /// The layout of the map, settled by default.
  var chosenLayout: Layout { layout ?? .settled }

  /// The roots of the world, `[LABEL=]DIR`, if operands are something else.
  var roots: [[UInt8]] = []
  var zoom: Int?
  var box: BoundingBox?
  var maxDepth: Int?
  /// Maximum number of places or rows.
  var limit: Int?
  /// Maximum depth to read, for commands that don't filter a map by depth.
  var scanDepth: Int?

  var rules: [LowRule] = []
  var names: [[UInt8]] = []
  var kinds: Set<EntryKind>?
  var sizes: [Selection.SizeCondition] = []
  var newer: GivenTime?
  var older: GivenTime?
  /// All times that options were given.
  var times: [GivenTime] = []

  var redaction = RedactionArguments()
  var layers = LayerArguments()

  /// The number of parts to divide a tree into.
  var parts: Int?
  /// The list of folders of one part.
  var only: [UInt8]?
  /// Whether parts may be missing.
  var allowsGaps = false
  var list = ListArguments()

  var threads: Int?
  /// After how many milliseconds a folder is unreadable that doesn't answer; nil to wait for ever.
  var patience: Int64?
  var readsMetadata = true
  var links = LinkArguments()

  var serve = ServeArguments()

  var progress: ProgressMode?
  var isQuiet = false

  var atlas = AtlasArguments()
  var stats = StatsArguments()
  var track = TrackArguments()
  var record = RecordArguments()
  var keep = KeepArguments()
  var timer = TimerArguments()
  var diff = DiffArguments()
  var draw = DrawArguments()
  /// The output folder, if a folder is written; it is left out of the scan.
  var ownFolder: OwnFolder?
  var history = HistoryArguments()

  /// Whether sizes are apparent sizes where room on disk is known, too.
  var wantsApparent = false
  /// The measure of what differs; nil for room on disk if it is known.
  var measure: SizeMeasure? { wantsApparent ? .bytes : nil }

  /// Whether the newest kept state, or all of a history, replace the disk.
  var readsKept = false
  /// The repository of the revisions that operands name.
  var gitRepository: [UInt8]?
  /// The snapshot to describe (`--info`).
  var snapshotInfo: [UInt8]?

  /// Whether an option chooses the roots or the source of the map that a question is about.
  var asksMap: Bool { !roots.isEmpty || gitRepository != nil || list.file != nil }
}

/// A rule that leaves entries out or in; the last one that matches an entry decides.
enum LowRule {
  case exclude([UInt8])
  case excludeFrom([UInt8])
  case include([UInt8])
  case noHidden
  case gitignore
}

/// When the tool shows progress.
enum ProgressMode: String, CaseIterable {
  /// On a terminal only.
  case auto
  case always
  case never
}

/// Options of the commands that answer questions about a map, as typed.
struct AtlasArguments {
  var isFolder: Bool?
  var counts = false
  var radius: Double?
  /// The order of matches; nil for best match first.
  var order: MatchOrder?
  /// The layer that orders matches, instead.
  var orderLayer: String?
  var isCoprocess = false
}

/// Options of a list that is read in place of a disk, as typed.
struct ListArguments {
  /// The list; `-` for standard input.
  var file: [UInt8]?
  var format: ListFormat?
  var isZeroSeparated = false
}

/// Options of tiles, in an archive or in a site.
struct ArchiveArguments {
  /// The deepest zoom of the tiles.
  var maxZoom: Int?
  /// Whether to leave out tiles that show nothing new.
  var isSparse = false
  /// The future address of a site.
  var address: String?

  /// The tiles to make.
  var tiles: TileChoice {
    var choice = TileChoice()
    choice.maximumZoom = maxZoom
    choice.isSparse = isSparse
    return choice
  }
}

/// Options about symbolic links, mounts and hard links.
struct LinkArguments {
  var staysOnFileSystem = false
  var follows = false
  var countsLinks = false
  var totals = false
}

/// Options that hide names, as typed.
struct RedactionArguments {
  var globs: [[UInt8]] = []
  var keyFile: [UInt8]?

  /// Whether any name is hidden.
  var isAsked: Bool { !globs.isEmpty }
}

/// Options of `geomapper stats`, as typed.
struct StatsArguments {
  var depth: Int?
  var grouping: StatsGrouping?
  var order: StatsOrder?
  /// The layers by which totals are grouped, and rows sorted, instead.
  var groupingLayer: String?
  var orderLayer: String?
  /// The least size of a row, in bytes.
  var minimum: Int64?
  /// Whether kept states are shown instead of the disk.
  var showsTrend = false
}

/// Options of `geomapper keep` and of the store, as typed.
struct KeepArguments {
  /// The folder of the store.
  var store: [UInt8]?
  var lists = false
  /// Whether operands are times of states to remove.
  var drops = false
  var isDry = false
  var retention = Retention.default
}

/// Options of the timer of `geomapper keep`, as typed.
struct TimerArguments {
  /// Milliseconds between two states.
  var interval: Int64?
  var installs = false
  var removes = false
  /// Whether it is a timer of the system, not of the user.
  var isOfSystem = false
}

/// Options of `geomapper diff`, as typed.
struct DiffArguments {
  /// `[LABEL=]STATE`
  var old: [[UInt8]] = []
  var new: [[UInt8]] = []
  var showsAll = false
  var setsStatus = false
  var isDated = false
  var ignoresTimes = false
  /// Unix time; only entries that changed since then are reported.
  var since: Int64?
  /// The file of the card, and its format.
  var card: (file: [UInt8], format: FileFormat)?
}

/// Options of `geomapper history`, as typed.
struct HistoryArguments {
  var listsEvents = false
  var since: Int64?
  var until: Int64?
  var path: [UInt8]?
  /// The file of the film, and its format.
  var film: (file: [UInt8], format: FileFormat)?
  /// Frames per second.
  var rate: Int?
  /// The duration of the film in milliseconds.
  var duration: Int64?
  var frameSize: FrameSize?
  var isLight = false

  /// The part of a history that is reported.
  var filter: HistoryFilter {
    var filter = HistoryFilter()
    (filter.since, filter.until, filter.path) = (since, until, path)
    return filter
  }
}

/// Options of `geomapper draw`, as typed.
struct DrawArguments {
  var size: SheetSize?
  var title: [UInt8]?
  var isDark = false
  var shading: Shading?
  /// The layer that colours show.
  var colour: String?
  var date: Int64?
  /// The folder to draw, as typed.
  var folder: [UInt8]?
}

/// Options of `geomapper serve`, as typed.
struct ServeArguments {
  var port: Int?
  var host: String?
  var opensBrowser = false
  var origins: Set<WebOrigin> = []
  var requiresToken = false
  /// `[LABEL=]STATE` of the state to compare with.
  var since: [[UInt8]] = []
  /// Whether operands are the states of a history.
  var showsHistory = false
  /// The recording to play on the map.
  var recording: [UInt8]?
}

/// Options of `geomapper track`, as typed.
struct TrackArguments {
  /// The format of lines of timed paths.
  enum Lines: String, CaseIterable {
    case plain
    case strace
    case recording
  }

  var tolerance: Double?
  var isStrict = false
  var near: [(longitude: Double, latitude: Double, radius: Double)] = []
  var lines: Lines?
}

/// Options of the commands about recordings, as typed.
struct RecordArguments {
  var directory: [UInt8]?
  var name: [UInt8]?
  var tags: [[UInt8]] = []
  /// Milliseconds.
  var duration: Int64?
  var events: Int?
  /// Milliseconds.
  var sampling: Int64?

  /// Rules given on the command line.
  var alerts: [AlertRule] = []
  var alertFiles: [[UInt8]] = []
  /// Milliseconds.
  var cooldown: Int64?
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
