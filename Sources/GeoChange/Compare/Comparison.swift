import GeoFormats
import GeoCore
import GeoPipeline
import GeoProjection
import GeoTree
import GeoSystem

/// Two states that are to be compared.
public struct Comparison: Sendable {
  /// The folders of the old state, each under a label of its own.
  public var old: [ScanRoot]
  /// The folders of the new state.
  public var new: [ScanRoot]
  /// How sub-folders come by their land.
  public var layout = Layout.settled
  /// Which entries of both states are compared.
  public var selection = Selection()
  /// How the folders are read.
  public var scan = FileSystemScanner.Options()
  /// Whether files that don't differ are kept, too.
  public var keepsAll = false
  /// What of it is kept.
  var keeping = Keeping()
  /// Whether it is added up what both states have below each folder.
  public var keepsSums: Bool {
    get { keeping.keepsSums }
    set { keeping.keepsSums = newValue }
  }
  /// Unix time since when what differs was changed, by the new state's times; nil if all is wanted. What
  /// has no time in the new state, as it is gone or not known, is wanted in any case.
  public var since: Int64? {
    get { keeping.since }
    set { keeping.since = newValue }
  }
  /// Whether it is asked when folders were changed themselves; with ``since`` it always is.
  public var asksForFolders = true
  /// How many bytes of what is kept are in memory, or a little more; what there is no room for goes into a
  /// scratch file.
  public var memory: Int {
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
  public init(old: [ScanRoot], new: [ScanRoot]) {
    self.old = old
    self.new = new
  }

  /// Whether folders are passed over in which both states are known to have the same: nobody asks what is
  /// in them, or what of it was left out.
  public var passesOver: Bool {
    mayPassOver && !keepsAll && !keepsSums && !selection.isActive
  }
  /// Whether that may be.
  var mayPassOver = true

  /// The roots of the world of both states.
  public var union: [ScanRoot] { UnionSource.roots(of: [old, new]) }

  /// Begins to compare.
  ///
  /// - Throws: `MapError`.
  public func start() async throws(MapError) -> ComparisonBatches {
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
public struct ComparisonBatches: Sendable {
  let batches: ScanBatches<ComparePart>
  let engine: GeoProjectionEngine
  /// The roots of the union.
  let roots: [ScanRoot]
  let keeping: Comparison.Keeping
  /// Whether any of the states has left entries out before, or what differs is asked for in part.
  public let isPartial: Bool

  /// Reads the comparison from its beginning; it can be read once.
  public func makeAsyncIterator() -> Iterator {
    Iterator(
      base: batches.makeAsyncIterator(), roots: roots,
      builder: ChangeTreeBuilder(labels: roots.map(\.label), keeping))
  }

  /// How far a comparison is.
  public struct Progress: Sendable {
    /// Folders so far.
    public let folders: Int
    /// Files so far.
    public let files: Int
    /// What could not be read since the last time.
    public let faults: [ScanFault]
    /// The path of the folder that it has come to.
    public let place: [UInt8]
  }

  /// Reads a comparison on.
  public struct Iterator {
    fileprivate var base: ScanBatches<ComparePart>.Iterator
    fileprivate let roots: [ScanRoot]
    fileprivate var builder: ChangeTreeBuilder

    /// Goes on; nil at the end.
    ///
    /// - Throws: `CancellationError` if the task was cancelled, `MapError` if there is no scratch file for
    ///   what memory has no room for.
    public mutating func next(isolation actor: isolated (any Actor)?) async throws -> Progress? {
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
    public mutating func finish() throws(MapError) -> ChangeTree {
      do throws(Errno) {
        return try builder.finish()
      } catch {
        throw MapError.noScratch(error)
      }
    }
  }
}
