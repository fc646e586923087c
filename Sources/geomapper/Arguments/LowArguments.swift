import GeoFormats
import GeoCore
import GeoProjection
import GeoTree

/// The options and operands as they were typed, each value by itself already looked at.
///
/// What is `nil` was not given. ``MapPlan`` says what follows from it.
struct LowArguments {
  var operands: [[UInt8]] = []
  /// What was given by names from before, and what it is called now, fit for a terminal.
  var renamed: [(old: String, new: String)] = []

  var output: [UInt8]?
  var format: FileFormat?
  var tippecanoe = false
  var lonlat = false
  var isIndexed = true
  var compression: Compression?
  var quotesAll = false
  var archive = ArchiveArguments()

  var layout: Layout?

  var zoom: Int?
  var box: BoundingBox?
  var maxDepth: Int?
  /// How deep a tree is read, where that is not a matter of a map.
  var readingDepth: Int?

  var rules: [LowRule] = []
  var names: [[UInt8]] = []
  var kinds: Set<EntryKind>?
  var sizes: [SizeCondition] = []
  var newer: [UInt8]?
  var older: [UInt8]?

  var redaction = RedactionArguments()

  var deeds = DeedArguments()
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
