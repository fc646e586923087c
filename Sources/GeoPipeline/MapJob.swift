import GeoCore
import GeoFormats
import GeoProjection
import GeoSources
import GeoTree

/// A request that was found to be in order.
struct MapJob: Sendable {
  /// All labels asked for, in the order of their bytes.
  let labels: [[UInt8]]
  let engine: GeoProjectionEngine
  private let filter: MapFilter
  private let selection: Selection
  private let git: GitRules?
  private let scanner: FileSystemScanner
  /// Where the scan begins.
  let roots: [ScanRoot]
  private let places: [FolderPlace]
  /// What a manifest says of the roots.
  private let assignments: [Int: Assignment]
  /// Where a folder is found not to be the manifest's.
  let mismatch = Mismatch()
  /// What git's rules say in the roots, if anybody asks.
  private let scopes: [IgnoreScope]
  /// Whether a first pass adds up what is below each folder.
  private let needsTotals: Bool

  init(_ request: MapRequest) throws(MapError) {
    if let conflict = request.conflict { throw .conflict(conflict) }
    let sorted = try WorldRoots.checked(request.roots, areThere: true)
    labels = request.shard?.labels ?? sorted.map(\.label)
    let layout = request.shard?.layout ?? request.layout
    engine = try WorldRoots.engine(layout, labels)
    filter = request.filter
    selection = request.selection
    needsTotals = request.totals
    let git = selection.usesGitignore ? GitRules() : nil
    self.git = git
    scanner = FileSystemScanner(options: request.scan)

    var starts: [Start]
    if let manifest = request.shard {
      starts = try Self.starts(of: manifest, in: sorted, by: engine, filter, request.selection, git)
    } else {
      starts = zip(sorted, engine.roots).map { (root, place) in
        Start(
          root: root, place: place, assignment: nil, scope: git?.scope(around: root))
      }
    }
    var ring: [Coordinate] = []
    for index in starts.indices {
      starts[index].verdict = filter.verdict(on: starts[index].place, by: engine, ring: &ring)
      starts[index].root.isEntered = starts[index].verdict == .entered
    }
    starts.removeAll { $0.verdict == .hidden }
    roots = starts.map(\.root)
    places = starts.map(\.place)
    assignments = Dictionary(
      uniqueKeysWithValues: starts.enumerated().compactMap { (index, start) in
        start.assignment.map { (index, $0) }
      })
    scopes = starts.compactMap(\.scope)
  }

  /// Where a scan begins.
  struct Start {
    var root: ScanRoot
    let place: FolderPlace
    /// What the manifest says of it, if there is one.
    let assignment: Assignment?
    /// What git's rules say in it, if anybody asks.
    let scope: IgnoreScope?
    var verdict = MapFilter.Verdict.entered
  }

  /// How many folders were opened so far.
  var openedFolders: Int { get async { await scanner.openedFolders } }

  /// Starts the scan, or the first pass, if there is to be one.
  func start<Output: MapOutput>(
    output makeOutput: @escaping @Sendable () -> Output
  ) async throws(MapError) -> MapBatches<Output.Content> {
    guard needsTotals else {
      return MapBatches(.scan(try await begin(output: makeOutput)))
    }
    do {
      let pass = try await scanner.totals(of: roots)
      return MapBatches(
        .totals(pass) { (totals) throws(MapError) in
          try await begin(with: totals, output: makeOutput)
        })
    } catch {
      throw MapError(error)
    }
  }

  /// Starts the scan.
  func begin<Output: MapOutput>(
    with totals: TreeTotals? = nil, output makeOutput: @escaping @Sendable () -> Output
  ) async throws(MapError) -> ScanBatches<Output.Content> {
    let labels = NameTable(roots.map(\.label), kind: .directory)
    let numbers = totals?.numbers(of: labels, in: nil) ?? []
    let plan = FolderPlan(roots: places, numbers: numbers, assignments: assignments)
    let makeVisitor = { @Sendable [engine, filter, selection, git, scopes, mismatch] in
      MapVisitor(
        engine: engine, filter: filter, selection: selection, git: git, scopes: scopes,
        totals: totals, mismatch: mismatch, output: makeOutput())
    }
    do {
      return try await scanner.scan(roots, plan: plan, visitor: makeVisitor)
    } catch {
      throw MapError(error)
    }
  }
}

/// What a survey finds, in batches: how far a first pass is, if there is one, then what was scanned.
struct MapBatches<Content: Sendable>: Sendable {
  /// Part of a survey.
  enum Step: Sendable {
    /// The first pass went on.
    case counted(TotalsScan.Progress)
    case scanned(ScanBatch<Content>)
  }

  /// What a survey begins with.
  enum Start: Sendable {
    case scan(ScanBatches<Content>)
    /// A first pass, and what begins a scan that knows what it found.
    case totals(
      TotalsScan, scan: @Sendable (TreeTotals) async throws(MapError) -> ScanBatches<Content>)
  }

  private let start: Start

  init(_ start: Start) { self.start = start }

  /// Reads the survey from its beginning; it can be read once.
  func makeAsyncIterator() -> Iterator { Iterator(start) }

  struct Iterator {
    /// The first pass, until it has come to its end, and what is to follow it.
    private var pass: TotalsScan.Iterator?
    private var scan: (@Sendable (TreeTotals) async throws(MapError) -> ScanBatches<Content>)?
    private var batches: ScanBatches<Content>.Iterator?
    /// The paths of what the first pass could not read, so that it is not named twice.
    private var named: Set<[UInt8]> = []

    fileprivate init(_ start: Start) {
      switch start {
      case .scan(let batches): self.batches = batches.makeAsyncIterator()
      case .totals(let pass, let scan):
        self.pass = pass.makeAsyncIterator()
        self.scan = scan
      }
    }

    /// The next part; nil at the end.
    ///
    /// - Throws: `CancellationError` if the task was cancelled, `MapError` if the scan can't begin.
    mutating func next(isolation actor: isolated (any Actor)?) async throws -> Step? {
      if let progress = try await pass?.next(isolation: actor) {
        for fault in progress.faults { named.insert(fault.path) }
        return .counted(progress)
      }
      if let totals = pass?.finish() {
        pass = nil
        batches = try await scan?(totals).makeAsyncIterator()
      }
      guard var batch = try await batches?.next(isolation: actor) else { return nil }
      if !named.isEmpty { batch.faults.removeAll { named.contains($0.path) } }
      return .scanned(batch)
    }
  }
}

/// What is made of the nodes that a survey has placed.
///
/// One for each thread of a scan. It gets a folder's path, then the folder, if it is shown, and runs
/// of its files.
protocol MapOutput: AnyObject, SendableMetatype {
  associatedtype Content: Sendable

  /// The folder that all that follows belongs to.
  func enterFolder(_ path: [UInt8])

  /// Whether folders are to say what their lands were cut out of, and files on what ground they stand.
  var takesCells: Bool { get }

  /// The folder itself.
  ///
  /// - Parameter ring: Its coast line, not closed; empty if it is landless.
  func addFolder(_ feature: FolderFeature, ring: [Coordinate])

  /// Some of its files. Places and facts are those of the names in `range`, in that order; the plan says
  /// where they are.
  func addFiles(
    _ names: NameTable, _ range: Range<Int>, places: [FilePlace], facts: [EntryFacts],
    _ plan: FolderPlan)

  /// The place of a folder that a manifest speaks of: all that follows comes after its beginning.
  func mark(_ path: [UInt8])

  /// Some entries were left out.
  func leaveOut(_ counts: ExclusionCounts)

  /// Bytes of what was made and not yet taken; more than 0 if anything was told.
  var weight: Int { get }

  /// Gives away what was made so far.
  func takeContent() -> Content
}

extension MapOutput {
  var takesCells: Bool { false }
}

extension TreeTotals {
  /// What is below all folders of some roots, with what tiles say about it.
  ///
  /// - Throws: `MapError` if no thread can be started; `CancellationError`.
  package static func all(
    of roots: [ScanRoot], options: FileSystemScanner.Options
  ) async throws -> TreeTotals {
    let scan: TotalsScan
    do throws(FileSystemScanner.Failure) {
      scan = try await FileSystemScanner(options: options)
        .totals(of: roots, classes: FileType.classes)
    } catch {
      switch error {
      case .noThread(let reason): throw MapError.noThread(reason)
      }
    }
    var pass = scan.makeAsyncIterator()
    while try await pass.next(isolation: nil) != nil {}
    return pass.finish()
  }
}
