import GeoCore
import GeoFormats
import GeoPipeline
import GeoProjection
import GeoSystem
import GeoTree

/// Two states that are to be compared.
package struct Comparison: Sendable {
  /// The folders of the old state, each under a label of its own.
  package var old: [ScanRoot]
  /// The folders of the new state.
  package var new: [ScanRoot]
  /// How sub-folders come by their land.
  package var layout = Layout.settled
  /// Which entries of both states are compared.
  package var selection = Selection()
  /// How the folders are read.
  package var scan = FileSystemScanner.Options()
  /// Whether files that don't differ are kept, too.
  package var keepsAll = false
  /// What of it is kept.
  var keeping = Keeping()
  /// Whether it is added up what both states have below each folder.
  package var keepsSums: Bool {
    get { keeping.keepsSums }
    set { keeping.keepsSums = newValue }
  }
  /// Unix time since when what differs was changed, by the new state's times; nil if all is wanted. What
  /// has no time in the new state, as it is gone or not known, is wanted in any case.
  package var since: Int64? {
    get { keeping.since }
    set { keeping.since = newValue }
  }
  /// Whether it is asked when folders were changed themselves; with ``since`` it always is.
  package var asksForFolders = true
  /// How many bytes of what is kept are in memory, or a little more; what there is no room for goes into a
  /// scratch file.
  package var memory: Int {
    get { keeping.memory }
    set { keeping.memory = newValue }
  }

  /// What is kept of a comparison, and where.
  struct Keeping {
    var keepsSums = false
    var since: Int64?
    var memory = 22 << 20
    /// Makes the file for what there is no room for.
    var makeFile: PageStore.MakeFile = { () throws(Errno) in try ScratchFile() }
  }

  /// The usual comparison of two states.
  package init(old: [ScanRoot], new: [ScanRoot]) {
    self.old = old
    self.new = new
  }

  /// Whether folders are passed over in which both states are known to have the same: nobody asks what is
  /// in them, or what of it was left out.
  package var passesOver: Bool {
    mayPassOver && !keepsAll && !keepsSums && !selection.isActive
  }
  /// Whether that may be.
  var mayPassOver = true

  /// The roots of the world of both states.
  package var union: [ScanRoot] { UnionSource.roots(of: [old, new]) }

  /// Begins to compare.
  ///
  /// - Throws: `MapError`.
  package func start() async throws(MapError) -> ComparisonBatches {
    let world = try WorldRoots(union, layout)
    let knowledge = world.roots.first?.source.knowledge ?? .seconds
    var options = scan
    options.readsMetadata = true
    options.asksForStorage = true
    options.asksForNanosecondsAlone = true
    options.asksForFolders = asksForFolders || since != nil
    let plan = ComparePlan(depth: 0, old: .whole, new: .whole, numbers: [])
    do {
      let batches = try await FileSystemScanner(options: options).scan(world.roots, plan: plan) {
        [selection, keepsAll, keepsSums, passesOver] in
        CompareVisitor(
          selection: selection, knowledge: knowledge, keepsAll: keepsAll, keepsSums: keepsSums,
          passesOver: passesOver)
      }
      return ComparisonBatches(
        batches: batches, engine: world.engine, roots: world.roots, keeping: keeping,
        isPartial: since != nil || world.roots.contains { $0.source.isPartial })
    } catch {
      throw MapError(error)
    }
  }
}

/// A comparison while it is made.
package struct ComparisonBatches: Sendable {
  let batches: ScanBatches<ComparePart>
  let engine: GeoProjectionEngine
  /// The roots of the union.
  let roots: [ScanRoot]
  let keeping: Comparison.Keeping
  /// Whether any of the states has left entries out before, or what differs is asked for in part.
  package let isPartial: Bool

  /// Reads the comparison from its beginning; it can be read once.
  package func makeAsyncIterator() -> Iterator {
    Iterator(
      base: batches.makeAsyncIterator(), roots: roots,
      builder: ChangeTreeBuilder(labels: roots.map(\.label), keeping))
  }

  /// How far a comparison is.
  package struct Progress: Sendable {
    /// Folders so far.
    package let folders: Int
    /// Files so far.
    package let files: Int
    /// What could not be read since the last time.
    package let faults: [ScanFault]
    /// The path of the folder that it has come to.
    package let place: [UInt8]
  }

  /// Reads a comparison on.
  package struct Iterator {
    fileprivate var base: ScanBatches<ComparePart>.Iterator
    fileprivate let roots: [ScanRoot]
    fileprivate var builder: ChangeTreeBuilder

    /// Goes on; nil at the end.
    ///
    /// - Throws: `CancellationError` if the task was cancelled, `MapError` if there is no scratch file for
    ///   what memory has no room for.
    package mutating func next(isolation actor: isolated (any Actor)?) async throws -> Progress? {
      guard let batch = try await base.next(isolation: actor) else { return try readPassedOver() }
      do throws(Errno) {
        try builder.add(batch.content)
      } catch {
        throw MapError.noScratch(error)
      }
      return progress(faults: batch.faults, at: batch.place)
    }

    private func progress(faults: [ScanFault], at place: [UInt8]) -> Progress {
      Progress(
        folders: builder.counted.folders, files: builder.counted.files, faults: faults,
        place: place)
    }

    /// Reads which files are in folders that were passed over, if what moved depends on that.
    private mutating func readPassedOver() throws(MapError) -> Progress? {
      let contents = builder.takePassedOver()
      guard !contents.isEmpty, let root = roots.first else { return nil }
      var digests: [UInt64] = []
      // All roots of a union have one source.
      let reason = root.source.readObjects(in: contents) { object in
        if let key = FileKey(object) { digests.append(key.digest) }
      }
      do throws(Errno) {
        try builder.add(unmoved: digests)
      } catch {
        throw MapError.noScratch(error)
      }
      return progress(
        faults: reason.map { [ScanFault(path: root.label, reason: $0)] } ?? [], at: root.label)
    }

    /// What differs, once ``next(isolation:)`` has come to the end.
    ///
    /// - Throws: `MapError` if there is no scratch file, or it can't be read.
    package mutating func finish() throws(MapError) -> ChangeTree {
      do throws(Errno) {
        return try builder.finish()
      } catch {
        throw MapError.noScratch(error)
      }
    }
  }
}

/// What one of two states knows of what is in a folder.
enum SideView: Sendable {
  /// The state doesn't have the folder.
  case absent
  /// All that is in it.
  case whole
  /// Some of it, or nothing: what is not known to be there may be there.
  case unknown

  /// Whether an entry that the state doesn't list is not in it.
  var denies: Bool { self != .unknown }
}

/// What a comparison knows of a folder before its sub-folders are read.
final class ComparePlan: Sendable {
  /// How deep they are.
  let depth: Int32
  let old: SideView
  let new: SideView
  /// Which of all sub-folders those are that are entered; empty if all are.
  let numbers: [Int32]

  init(depth: Int32, old: SideView, new: SideView, numbers: [Int32]) {
    self.depth = depth
    self.old = old
    self.new = new
    self.numbers = numbers
  }
}

/// A file that differs, or one of all files where all are kept.
struct ComparedFile: Sendable {
  /// Where its name is: in a part, where it begins among all names.
  var name: PagedName
  var change: NodeChange
  /// What is known of it now; of a removed one, what was known.
  var facts: EntryFacts
  /// What was known of a changed one before; of any other that both states have, the same.
  var was: EntryFacts
  /// The number of the file at the other place, if it moved; −1 if it didn't.
  var partner: Int32 = -1
  /// The number of its folder, once that is known.
  var folder: Int32 = -1
}

/// Part of a comparison: folders in the order of the map, each with those of its files that differ.
struct ComparePart: Sendable {
  /// A folder and the first of its files, or more files of the folder before.
  struct Step: Sendable {
    /// 0 for a root, 1 for what is in it, and so on; −1 for more files.
    var depth: Int32
    /// Which of the sub-folders of its parent it is.
    var number: Int32 = 0
    var folder = ComparedFolder()
    /// Where its files end.
    var fileEnd = 0
    /// Where the lengths of its sub-folders' names end.
    var childEnd = 0
    /// What differs among its own files, moved files being added and removed.
    var own = ChangesBelow()
    /// What both states have of its own files.
    var sums = StatePairSums()
  }

  var steps: [Step] = []
  var files: [ComparedFile] = []
  var names: [UInt8] = []
  /// Where the names of sub-folders are.
  var children: [PagedName] = []
  /// Files that may have moved.
  var candidates: [Candidate] = []
  /// Digests of files that are where they were.
  var unmoved: [UInt64] = []
  /// What names all that is in folders that were passed over, as both states have the same in them.
  var passedOver: [ObjectID] = []
  var excluded = ExclusionCounts()
  var counts = (folders: 0, files: 0)

  struct Candidate: Sendable {
    var key: FileKey
    /// The number of the file.
    var file: Int32
    var isNew: Bool
  }

  var weight: Int {
    steps.count * MemoryLayout<Step>.stride + files.count * MemoryLayout<ComparedFile>.stride
      + names.count + children.count * MemoryLayout<PagedName>.stride
      + candidates.count * MemoryLayout<Candidate>.stride + unmoved.count * 8
      + passedOver.count * MemoryLayout<ObjectID>.stride
      + (excluded.isEmpty ? 0 : 1)
  }
}

/// What is kept of a folder.
struct ComparedFolder: Sendable {
  /// Added, removed or neither.
  var change = NodeChange.none
  /// How many entries of the union's listing are no folders.
  var fileCount = 0
  /// How many entries its listing has in the last state that has it; −1 if it wasn't listed there.
  var entries = -1
  /// Unix time of its last change there.
  var modified: Int64?
  var isUnreadable = false
  var isLoop = false
  /// Whether anything is known of what is in it.
  var isListed = false
}
