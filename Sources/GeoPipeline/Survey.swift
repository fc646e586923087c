import GeoSources
import GeoCore
import GeoProjection
import GeoTree

/// A request that was found to be in order.
struct Survey: Sendable {
  /// All labels asked for, in the order of their bytes.
  let labels: [[UInt8]]
  let engine: GeoProjectionEngine
  private let filter: MapFilter
  private let selection: Selection
  private let git: GitRules?
  private let scanner: FileSystemScanner
  /// Reads in place of the scanner, if there is a list.
  private let list: ListScanner?
  private let readsMetadata: Bool
  /// Where the scan begins.
  let roots: [ScanRoot]
  private let places: [FolderPlace]
  /// What a deed says of the roots.
  private let claims: [Int: Claim]
  /// Where a folder is found not to be the deed's.
  let misfit = Misfit()
  /// What git's rules say in the roots, if anybody asks.
  private let scopes: [IgnoreScope]
  /// Whether a first pass adds up what is below each folder.
  private let needsTotals: Bool

  init(_ request: MapRequest) throws(MapError) {
    if let conflict = request.conflict { throw .conflict(conflict) }
    let sorted = try WorldRoots.checked(request.roots, areThere: request.list == nil)
    list = try Self.open(request.list, roots: request.roots.count)
    readsMetadata = request.scan.readsMetadata
    labels = request.deed?.labels ?? sorted.map(\.label)
    let layout = request.deed?.layout ?? request.layout
    engine = try WorldRoots.engine(layout, labels)
    filter = request.filter
    selection = request.selection
    needsTotals = request.totals
    let git = selection.usesGitignore ? GitRules() : nil
    self.git = git
    scanner = FileSystemScanner(options: request.scan)

    var starts: [Start]
    if let deed = request.deed {
      starts = try Self.starts(of: deed, in: sorted, by: engine, filter, request.selection, git)
    } else {
      starts = zip(sorted, engine.roots).map { (root, place) in
        Start(
          root: root, place: place, claim: nil, scope: git?.scope(around: root))
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
    claims = Dictionary(
      uniqueKeysWithValues: starts.enumerated().compactMap { (index, start) in
        start.claim.map { (index, $0) }
      })
    scopes = starts.compactMap(\.scope)
  }

  /// Opens a list, if there is one.
  ///
  /// - Parameter roots: How many roots it is for.
  static func open(_ list: ListSource?, roots: Int) throws(MapError) -> ListScanner? {
    guard let source = list else { return nil }
    if roots > 1 { throw .severalRootsOfList }
    do throws(ListError) {
      return try ListScanner(opening: source)
    } catch {
      throw .list(error)
    }
  }

  /// Where a scan begins.
  struct Start {
    var root: ScanRoot
    let place: FolderPlace
    /// What the deed says of it, if there is one.
    let claim: Claim?
    /// What git's rules say in it, if anybody asks.
    let scope: IgnoreScope?
    var verdict = MapFilter.Verdict.entered
  }

  /// How many folders were opened so far.
  var openedFolders: Int { get async { await scanner.openedFolders } }

  /// Starts the scan, or the first pass, if there is to be one.
  func start<Output: SurveyOutput>(
    output makeOutput: @escaping @Sendable () -> Output
  ) async throws(MapError) -> SurveyBatches<Output.Content> {
    guard needsTotals else {
      return SurveyBatches(.scan(try await begin(output: makeOutput)))
    }
    do {
      let pass = try await scanner.totals(of: roots)
      return SurveyBatches(
        .totals(pass) { (totals) throws(MapError) in
          try await begin(with: totals, output: makeOutput)
        })
    } catch {
      throw MapError(error)
    }
  }

  /// Starts the scan.
  func begin<Output: SurveyOutput>(
    with totals: TreeTotals? = nil, output makeOutput: @escaping @Sendable () -> Output
  ) async throws(MapError) -> ScanBatches<Output.Content> {
    let labels = NameTable(roots.map(\.label), kind: .directory)
    let numbers = totals?.numbers(of: labels, in: nil) ?? []
    let plan = FolderPlan(roots: places, numbers: numbers, claims: claims)
    let makeSurveyor = { @Sendable [engine, filter, selection, git, scopes, misfit] in
      Surveyor(
        engine: engine, filter: filter, selection: selection, git: git, scopes: scopes,
        totals: totals, misfit: misfit, output: makeOutput())
    }
    do {
      if let list {
        guard let root = roots.first else { return ScanBatches() }
        var listRoot = ListRoot(label: root.label, prefix: root.directory)
        listRoot.isEntered = root.isEntered
        listRoot.readsMetadata = readsMetadata
        return try list.scan(listRoot, plan: plan, visitor: makeSurveyor)
      }
      return try await scanner.scan(roots, plan: plan, visitor: makeSurveyor)
    } catch {
      throw MapError(error)
    }
  }
}
