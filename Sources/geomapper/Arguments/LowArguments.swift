import GeoAtlas
import GeoCore
import GeoFormats
import GeoProjection
import GeoSources
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

  /// Whether it is said of what a map is made that questions are asked of.
  var asksMap: Bool { !atlas.roots.isEmpty || gitRepository != nil || list.file != nil }
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
  /// `[LABEL=]DIR`
  var roots: [[UInt8]] = []
  var isFolder: Bool?
  var counts = false
  var radius: Double?
  var limit: Int?
  /// Which of what was found comes first; nil for what fits best.
  var order: MatchOrder?
  var isCoprocess = false
}

/// What was typed for deeds and their parts.
struct DeedArguments {
  /// The deed to map.
  var deed: [UInt8]?
  /// Into how many deeds to split.
  var parts: Int?
  /// The roots of the world, as operands would be.
  var roots: [[UInt8]] = []
}

/// The options of a list that is read in place of a disk, as they were typed.
struct ListArguments {
  /// `-` for standard input.
  var file: [UInt8]?
  var format: ListFormat?
  var isZeroSeparated = false
}

/// Arguments as the system hands them over.
enum RawArguments {
  /// The bytes of this process's arguments without the program's name.
  ///
  /// `CommandLine.arguments` would repair what is no UTF-8, and a path would become another.
  static func ofThisProcess() -> [[UInt8]] {
    let pointers = UnsafeBufferPointer(
      start: CommandLine.unsafeArgv, count: Int(CommandLine.argc))
    return pointers.dropFirst().compactMap { pointer in
      guard let pointer else { return nil }
      var length = 0
      while pointer[length] != 0 { length += 1 }
      return UnsafeBufferPointer(start: pointer, count: length).map { UInt8(bitPattern: $0) }
    }
  }
}
