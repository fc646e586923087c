import GeoCore
import GeoFormats
import GeoPipeline
import GeoProjection
import GeoSystem
import GeoTree

package struct Comparison: Sendable {
  package var old, new: [ScanRoot]
  package var layout = Layout.settled
  package var selection = Selection()
  package var scan = FileSystemScanner.Options()
  package var keepsAll = false
  package var keepsSums = false
  /// Drops changes before this Unix time, by the new state's times; nil keeps all. Changes without
  /// a time in the new state, such as removals, are always kept.
  package var since: Int64?
  /// The measure of sizes; nil for room on disk if both states know it.
  package var measure: SizeMeasure?
  /// Whether files of one type and size are the same, whatever their times are.
  package var ignoresTimes = false
  /// Whether the modification times of folders are read; with ``since`` they always are.
  package var asksForFolders = true
  /// Approximate limit of memory for the result, in bytes; the rest goes to a scratch file.
  package var memory = 22 << 20
  var makeFile: PageStore.MakeFile = { () throws(Errno) in try ScratchFile() }

  package init(old: [ScanRoot], new: [ScanRoot]) {
    self.old = old
    self.new = new
  }

  /// Possible if neither entries of equal folders nor counts of excluded entries are needed.
  package var skipsEqual: Bool {
    maySkipEqual && !keepsAll && !keepsSums && !selection.isActive
  }
  /// Tests turn it off.
  var maySkipEqual = true

  package var union: [ScanRoot] { UnionSource.roots(of: [old, new]) }

  package func start() async throws(MapError) -> ComparisonBatches {
    let world = try WorldRoots(union, layout)
    let knowledge = world.roots.first?.source.knowledge ?? .seconds
    var options = scan
    options.readsMetadata = true
    options.asksForStorage = true
    options.asksForFolders = asksForFolders || since != nil
    options.selection = selection
    let plan = ComparePlan(depth: 0, old: .whole, new: .whole, numbers: [])
    let followsLinks = options.followsLinks(in: world.roots)
    // A change that is dropped takes back what its name counts.
    let countsOnce = since == nil
    let visiting = CompareOptions(
      knowledge: knowledge, keepsAll: keepsAll, keepsSums: keepsSums,
      // Any file in a skipped folder may be one that is reached elsewhere, too.
      skipsEqual: skipsEqual && !(followsLinks && countsOnce), ignoresTimes: ignoresTimes,
      countsOnce: countsOnce, followsLinks: followsLinks)
    do {
      let batches = try await FileSystemScanner(options: options).scan(world.roots, plan: plan) {
        CompareVisitor(visiting)
      }
      return ComparisonBatches(
        comparison: self, batches: batches, engine: world.engine, roots: world.roots)
    } catch {
      throw .noThread(error)
    }
  }
}

/// How much a state knows about the entries of a folder.
enum SideView: Sendable {
  case absent
  case whole
  /// The state knows some entries or none; entries it doesn't list may exist.
  case unknown

  /// Whether an entry that the state doesn't list is known not to exist.
  var isAuthoritative: Bool { self != .unknown }
}

/// What a comparison knows about a folder before it reads the sub-folders.
final class ComparePlan: Sendable {
  let depth: Int32
  let old, new: SideView
  /// Indices of the sub-folders that are entered, among all; empty if all are.
  let numbers: [Int32]

  init(depth: Int32, old: SideView, new: SideView, numbers: [Int32]) {
    self.depth = depth
    self.old = old
    self.new = new
    self.numbers = numbers
  }
}

/// A file that differs, or any file if all are kept.
struct ComparedFile: Sendable {
  /// Location of its name: within a part an offset in the part's names, afterwards in the tree's.
  var name: PagedName
  var change: NodeChange
  /// Metadata in the new state; for a removed file, in the old one.
  var facts: EntryFacts
  /// Metadata in the old state; for an added file, the same as `facts`.
  var was: EntryFacts
  /// Room on disk in the state of `facts`, and in that of `was`; negative if unknown.
  var room: Int64 = -1
  var roomBefore: Int64 = -1
  /// Whether amounts and lists count its bytes: not for a further name of a file.
  var isCounted = true
  /// Number of the file at the other end of a move; −1 if it didn't move.
  var partner: Int32 = -1
  /// Number of its folder; −1 within a part.
  var folder: Int32 = -1

  /// Bytes in the new state, or in the old one if it is gone; nil if unknown.
  func size(_ measure: SizeMeasure) -> Int64? { amount(facts, room, measure) }

  func sizeBefore(_ measure: SizeMeasure) -> Int64? { amount(was, roomBefore, measure) }

  private func amount(_ facts: EntryFacts, _ room: Int64, _ measure: SizeMeasure) -> Int64? {
    if !isCounted { return 0 }
    return measure.amount(
      bytes: facts.status.hasSize ? facts.size : nil, allocated: room < 0 ? nil : room)
  }

  func states(_ measure: SizeMeasure) -> [FolderTotals] {
    guard change != .none, let size = size(measure), let before = sizeBefore(measure) else {
      return []
    }
    let sizes: [Int64?] =
      switch change {
      case .added, .moved: [nil, size]
      case .removed, .left: [size, nil]
      case .none, .changed: [before, size]
      }
    return sizes.map { FolderTotals(files: $0 == nil ? 0 : 1, bytes: $0 ?? 0, allocated: nil) }
  }

  /// Bytes by which its folder grew; unknown sizes count as 0.
  func growth(_ measure: SizeMeasure) -> Int64 {
    let size = size(measure) ?? 0
    return switch change {
    case .none: 0
    case .added, .moved: size
    case .removed, .left: 0 &- size
    case .changed: size &- (sizeBefore(measure) ?? 0)
    }
  }
}

/// A part of a comparison: folders in the order of the map, each with its files that differ.
struct ComparePart: Sendable {
  /// A folder and its first files, or more files of the previous folder.
  struct Step: Sendable {
    /// Depth of the folder, 0 for a root; −1 for more files of the previous folder.
    var depth: Int32
    var number: Int32 = 0
    var folder = ComparedFolder()
    /// The ends of its parts of `files`, `children` and `linked`.
    var fileEnd = 0
    var childEnd = 0
    var linkedEnd = 0
    /// Changes among its own files; moved files count as added and removed.
    var own = ChangesBelow()
    /// Growth of its own files by both measures, each name counted.
    var growth = (apparent: Growth(), allocated: Growth())
    var sums = StatePairSums()
  }

  var steps: [Step] = []
  var files: [ComparedFile] = []
  var linked: [LinkedName] = []
  var rooms = (old: RoomSeen(), new: RoomSeen())
  var names: [UInt8] = []
  var children: [PagedName] = []
  var candidates: [MoveCandidate] = []
  var unmoved: [UInt64] = []
  /// Object IDs of skipped folders, which have the same contents in both states.
  var skipped: [ObjectID] = []
  var excluded = ExclusionCounts()
  var counts = (folders: 0, files: 0)

  var weight: Int {
    steps.count * MemoryLayout<Step>.stride + files.count * MemoryLayout<ComparedFile>.stride
      + linked.count * MemoryLayout<LinkedName>.stride + names.count + children.count
      * MemoryLayout<PagedName>.stride
      + candidates.count * MemoryLayout<MoveCandidate>.stride + unmoved.count * 8
      + skipped.count * MemoryLayout<ObjectID>.stride
      + (excluded.isEmpty ? 0 : 1)
  }
}

/// What a state knows of room on disk, by the files that were read.
struct RoomSeen: Sendable {
  private var isUnknown = false
  private var hasBytes = false
  private var hasRoom = false

  @inline(__always)
  mutating func see(_ version: FileVersion) {
    guard version.isThere, version.facts.status.hasSize else { return }
    if version.allocated < 0 { isUnknown = true }
    if version.allocated > 0 { hasRoom = true }
    if version.facts.size > 0 { hasBytes = true }
  }

  static func += (all: inout Self, part: Self) {
    all.isUnknown = all.isUnknown || part.isUnknown
    all.hasBytes = all.hasBytes || part.hasBytes
    all.hasRoom = all.hasRoom || part.hasRoom
  }

  /// Whether more files make no difference, or none that matters: no file has bytes so far.
  var isDecided: Bool { isUnknown || hasRoom || !hasBytes }

  /// Some file systems report none for any file. `isWhole` says that all files were read.
  func knowsRoom(isWhole: Bool) -> Bool {
    !isUnknown && (hasRoom || !hasBytes || !isWhole)
  }
}

struct ComparedFolder: Sendable {
  var change = NodeChange.none
  /// Number of files in the union's listing.
  var fileCount = 0
  /// Number of entries in the last state that has the folder; −1 if it wasn't listed there.
  var entries = -1
  var modified: Int64?
  var isUnreadable = false
  var isLoop = false
  var isListed = false
  /// Whether its entries can't be compared, as a state lacks its listing.
  var isUncompared = false
}
