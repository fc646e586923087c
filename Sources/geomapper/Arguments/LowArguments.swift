import GeoAtlas
import GeoChange
import GeoCore
import GeoDraw
import GeoLive
import GeoPipeline
import GeoProjection
import GeoSources
import GeoTree
import GeoWeb

/// The options and operands as typed; each value was checked by itself.
///
/// nil means not given. ``MapPlan`` resolves defaults.
struct LowArguments {
  var operands: [[UInt8]] = []
  /// The options in their order, each with its words: none for a flag, all that follow for the last.
  var typed: [(name: String, words: [[UInt8]])] = []

  var output: [UInt8]?
  var format: FileFormat?
  /// The map to write, without its roots and its selection; how its folders are read applies to
  /// all commands.
  var map = MapRequest(roots: [])
  var tiles = TileChoice()
  /// The future address of a site.
  var siteAddress: String?

  var layout: Layout?
  var chosenLayout: Layout { layout ?? .settled }

  /// The roots of the world, `[LABEL=]DIR`, if operands are something else.
  var roots: [[UInt8]] = []
  var limit: Int?
  /// Maximum depth to read, for commands that don't filter a map by depth.
  var scanDepth: Int?

  var rules: [LowRule] = []
  var names: [[UInt8]] = []
  var kinds: Set<EntryKind>?
  var sizes: [Selection.SizeCondition] = []
  var newer: GivenTime?
  var older: GivenTime?
  var times: [GivenTime] = []

  var redaction = RedactionArguments()
  var layers = LayerArguments()

  var parts: Int?
  /// The list of folders of one part.
  var only: [UInt8]?
  /// Whether parts may be missing.
  var allowsGaps = false
  var list = ListArguments()

  /// After how many milliseconds a folder is unreadable that doesn't answer; nil to wait for ever.
  var patience: Int64?

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
  var history = HistoryArguments()

  /// Whether sizes are apparent sizes where room on disk is known, too.
  var wantsApparent = false
  /// The measure of what differs; nil for room on disk if it is known.
  var measure: SizeMeasure? { wantsApparent ? .bytes : nil }

  /// Whether the newest kept state, or all of a history, replace the disk.
  var readsKept = false
  var gitRepository: [UInt8]?
  /// The snapshot to describe (`--info`).
  var snapshotInfo: [UInt8]?

  /// Whether an option chooses the roots or the source of the map that a question is about.
  var asksMap: Bool { !roots.isEmpty || gitRepository != nil || list.file != nil }

  /// The values of an option, empty ones of a flag; nil if it is not given.
  func values(of name: String) -> [[UInt8]]? {
    let given = typed.filter { $0.name == name }
    return given.isEmpty ? nil : given.map { $0.words.first ?? [] }
  }
}

/// A rule that leaves entries out or in; the last one that matches an entry decides.
enum LowRule {
  case exclude([UInt8]), excludeFrom([UInt8]), include([UInt8]), noHidden, gitignore
}

enum ProgressMode: String, CaseIterable {
  /// On a terminal only.
  case auto
  case always, never
}

/// Options of the commands that answer questions about a map.
struct AtlasArguments {
  var isFolder: Bool?
  var counts = false
  var radius: Double?
  /// The order of matches; nil for best match first.
  var order: MatchOrder?
  var orderLayer: String?
  var isCoprocess = false
}

struct ListArguments {
  var file: [UInt8]?
  var format: ListFormat?
  var isZeroSeparated = false
}

struct RedactionArguments {
  var globs: [[UInt8]] = []
  var keyFile: [UInt8]?

  var isAsked: Bool { !globs.isEmpty }
}

struct StatsArguments {
  var depth: Int?
  var grouping: StatsGrouping?
  var order: StatsOrder?
  /// The layers by which totals are grouped, and rows sorted, instead.
  var groupingLayer: String?
  var orderLayer: String?
  /// Bytes.
  var minimum: Int64?
  /// Whether kept states are shown instead of the disk.
  var showsTrend = false
}

struct KeepArguments {
  var store: [UInt8]?
  var lists = false
  /// Whether operands are times of states to remove.
  var drops = false
  var isDry = false
  var retention = Retention.default
}

struct TimerArguments {
  /// Milliseconds.
  var interval: Int64?
  var installs = false
  var removes = false
  var isOfSystem = false
}

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
  var card: (file: [UInt8], format: FileFormat)?
}

struct HistoryArguments {
  var listsEvents = false
  var filter = HistoryFilter()
  var film: (file: [UInt8], format: FileFormat)?
  /// Frames per second.
  var rate: Int?
  /// Milliseconds.
  var duration: Int64?
  var frameSize: FrameSize?
  var isLight = false
}

struct DrawArguments {
  /// Size, title and colours; the title and a dark ground also of cards and films.
  var poster = PosterOptions()
  /// The layer that colours show.
  var colour: String?
  var date: Int64?
  var folder: [UInt8]?
}

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
  var recording: [UInt8]?
}

struct TrackArguments {
  enum Lines: String, CaseIterable { case plain, strace, recording }

  var tolerance: Double?
  var isStrict = false
  var near: [(longitude: Double, latitude: Double, radius: Double)] = []
  var lines: Lines?
}

/// Options of the commands about recordings; spans are in milliseconds.
struct RecordArguments {
  var directory: [UInt8]?
  var name: [UInt8]?
  var tags: [[UInt8]] = []
  var duration: Int64?
  var events: Int?
  var sampling: Int64?

  var alerts: [AlertRule] = []
  var alertFiles: [[UInt8]] = []
  var cooldown: Int64?
  /// A command and its arguments.
  var command: [[UInt8]]?

  var speed: Double?
  var loops = false
  var from: Int64?
  var compared: (Int, Int)?
  var exportsAll = false
}
