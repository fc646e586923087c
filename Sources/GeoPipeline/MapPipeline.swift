import GeoEmit
import GeoList
import GeoPath
import GeoProjection
import GeoScan
import GeoSelect
import GeoTier

/// Puts the stages together: scan → project → tier → emit.
public enum MapPipeline {
  /// Begins to map.
  ///
  /// All that can be wrong with a request is found here, before a byte is written.
  ///
  /// - Throws: ``MapError``.
  public static func open(_ request: MapRequest) async throws(MapError) -> MapStream {
    let survey = try Survey(request)
    let writer = FeatureWriter(format: request.format, tippecanoe: request.tippecanoe)
    let pool = ChunkPool()
    let batches = try await survey.start { FeatureOutput(writer: writer, pool: pool) }
    let header = MapHeader(
      layout: request.layout, labels: survey.labels,
      isPartial: request.filter.isActive || request.selection.isActive)
    return MapStream(
      writer: writer, header: header,
      excluded: ExclusionCounts(asking: request.selection.reasons), batches: batches, pool: pool)
  }

  /// Begins to map, into nodes instead of text; the request's format doesn't matter.
  ///
  /// - Throws: ``MapError``.
  public static func openNodes(_ request: MapRequest) async throws(MapError) -> NodeStream {
    NodeStream(batches: try await Survey(request).start { NodeOutput() })
  }
}

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
  private let roots: [ScanRoot]
  private let places: [FolderPlace]
  /// What git's rules say in the roots, if anybody asks.
  private let scopes: [IgnoreScope]
  /// Whether a first pass adds up what is below each folder.
  private let needsTotals: Bool

  init(_ request: MapRequest) throws(MapError) {
    do throws(RootError) {
      try RootLabel.validate(request.roots.lazy.map { ($0.label, $0.directory) })
    } catch {
      throw .refusedRoot(error)
    }
    let sorted = request.roots.sorted { $0.label.lexicographicallyPrecedes($1.label) }
    if request.list == nil { try Self.check(sorted) }
    list = try Self.open(request)
    readsMetadata = request.scan.readsMetadata
    labels = sorted.map(\.label)
    do throws(ProjectionError) {
      engine = try GeoProjectionEngine(
        layout: request.layout, labels: NameTable(labels, kind: .directory))
    } catch {
      switch error {
      case .landlessRoot(let index): throw .landlessRoot(label: labels[index])
      }
    }
    filter = request.filter
    selection = request.selection
    needsTotals = request.totals
    let git = selection.usesGitignore ? GitRules() : nil
    self.git = git
    scanner = FileSystemScanner(options: request.scan)

    var roots: [ScanRoot] = []
    var places: [FolderPlace] = []
    var ring: [Coordinate] = []
    for (var root, place) in zip(sorted, engine.roots) {
      let verdict = filter.verdict(on: place, by: engine, ring: &ring)
      if verdict == .hidden { continue }
      root.isEntered = verdict == .entered
      roots.append(root)
      places.append(place)
    }
    self.roots = roots
    self.places = places
    scopes = git.map { git in roots.map { git.scope(aroundRoot: $0.directory) } } ?? []
  }

  private static func check(_ roots: [ScanRoot]) throws(MapError) {
    for root in roots {
      do throws(ScanRoot.Failure) {
        try root.check()
      } catch {
        throw MapError(error, directory: root.directory)
      }
    }
  }

  private static func open(_ request: MapRequest) throws(MapError) -> ListScanner? {
    guard let source = request.list else { return nil }
    if request.roots.count > 1 { throw .severalRootsOfList }
    do throws(ListError) {
      return try ListScanner(opening: source)
    } catch {
      throw .list(error)
    }
  }

  /// How many folders were opened so far.
  var openedFolders: Int { get async { await scanner.openedFolders } }

  /// Starts the scan, or the first pass, if there is to be one.
  func start<Output: SurveyOutput>(
    output makeOutput: @escaping @Sendable () -> Output
  ) async throws(MapError) -> SurveyBatches<Output.Content> {
    guard needsTotals, list == nil else {
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
    let makeSurveyor = { @Sendable [engine, filter, selection, git, scopes] in
      Surveyor(
        engine: engine, filter: filter, selection: selection, git: git, scopes: scopes,
        totals: totals, output: makeOutput())
    }
    let labels = NameTable(roots.map(\.label), kind: .directory)
    let plan = FolderPlan(roots: places, numbers: totals?.numbers(of: labels, in: nil) ?? [])
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
