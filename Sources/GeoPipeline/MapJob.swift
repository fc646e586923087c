import GeoCore
import GeoFormats
import GeoProjection
import GeoSystem
import GeoTree

/// A checked request, ready to be scanned.
struct MapJob: Sendable {
  private let request: MapRequest
  let world: WorldRoots
  private let scanner: FileSystemScanner
  /// Reads what the selection leaves out, too: it is in the totals.
  private let countingScanner: FileSystemScanner
  // Where the scan begins.
  private var roots: [ScanRoot] = []
  private var places: [FolderPlace] = []
  private var tints: [UInt8] = []

  init(_ request: MapRequest) throws(MapError) {
    if let conflict = request.conflict { throw .conflict(conflict) }
    try request.layers?.checkNames()
    self.request = request
    world = try WorldRoots(request.roots, request.layout)
    countingScanner = FileSystemScanner(options: request.scan)
    var options = request.scan
    options.selection = request.selection
    options.asksForStorage = options.asksForStorage || request.layers?.needsStorage ?? false
    scanner = FileSystemScanner(options: options)

    var ring: [Coordinate] = []
    for (start, tint) in zip(zip(world.roots, world.engine.roots), world.engine.tintsOfRoots()) {
      var (root, place) = start
      let verdict = request.filter.verdict(on: place, by: world.engine, ring: &ring)
      if verdict == .hidden { continue }
      root.isEntered = verdict == .entered
      roots.append(root)
      places.append(place)
      tints.append(tint)
    }
  }

  var openedFolders: Int { get async { await scanner.openedFolders } }

  /// Starts the scan, or the first pass if sums of folders are needed.
  func start<Output: MapOutput>(
    output makeOutput: @escaping @Sendable () -> Output
  ) async throws(MapError) -> MapBatches<Output.Content> {
    var passes: [MapBatches<Output.Content>.Pass] = []
    let layers = request.layers
    do {
      // Totals count what the selection leaves out, which layers don't.
      if let layers, request.totals, !request.selection.isActive {
        let scan = try await countingScanner.totals(of: roots, layers: layers)
        passes.append((scan, { ($0.totals, $0.ofLayers) = ($1, $1) }))
      } else {
        if request.totals {
          passes.append((try await countingScanner.totals(of: roots), { $0.totals = $1 }))
        }
        if let layers {
          passes.append((try await scanner.sums(of: layers, in: roots), { $0.ofLayers = $1 }))
        }
      }
    } catch {
      throw MapError.noThread(error)
    }
    let sums = MapSums(layers: layers)
    return MapBatches(
      passes: passes, sums: sums,
      batches: passes.isEmpty ? try await begin(with: sums, output: makeOutput) : nil
    ) { (sums) throws(MapError) in try await begin(with: sums, output: makeOutput) }
  }

  func begin<Output: MapOutput>(
    with sums: MapSums = MapSums(layers: nil),
    output makeOutput: @escaping @Sendable () -> Output
  ) async throws(MapError) -> ScanBatches<Output.Content> {
    let labels = NameTable(roots.map(\.label), kind: .directory)
    let plan = FolderPlan(
      city: .nowhere, depth: 0, folders: places,
      numbers: sums.totals?.numbers(of: labels, in: nil) ?? [],
      sums: sums.ofLayers?.numbers(of: labels, in: nil) ?? [], cells: .init(tints: tints))
    let makeVisitor = { @Sendable [engine = world.engine, request] in
      MapVisitor(
        engine: engine, filter: request.filter, showsFolders: request.selection.showsFolders,
        sums: sums, output: makeOutput())
    }
    do {
      return try await scanner.scan(roots, plan: plan, visitor: makeVisitor)
    } catch {
      throw MapError.noThread(error)
    }
  }
}

/// Writes placed nodes in some form.
///
/// Each thread of a scan has one. It gets a folder's path, then the folder if it is shown, then
/// runs of its files.
protocol MapOutput: AnyObject, SendableMetatype {
  associatedtype Content: Sendable

  /// All calls that follow are about this folder or its files.
  func enterFolder(_ path: [UInt8])

  /// Whether folders have the outline of their cell, and files the ground that they share.
  var needsCells: Bool { get }

  /// Sets the values of layers at the folder, or at the files, that are added next.
  func setLayers(_ layers: LayerBatch)

  func addFolder(_ folder: FeatureRecord, at place: FolderPlace, _ shape: FolderShape)

  /// Adds files of the folder entered. Places and facts are those of the names in `range`, in that
  /// order.
  func addFiles(
    _ names: NameTable, _ range: Range<Int>, places: [FilePlace], facts: [EntryFacts],
    _ plan: FolderPlan)

  func leaveOut(_ counts: ExclusionCounts)

  /// Bytes not taken yet; more than 0 if anything was added or counted.
  var weight: Int { get }

  func takeContent() -> Content
}

extension MapOutput {
  var needsCells: Bool { false }
}

extension TreeTotals {
  package static func all(
    of roots: [ScanRoot], options: FileSystemScanner.Options, layers: LayerSet? = nil,
    report: ([ScanFault]) -> Void = { _ in }
  ) async throws -> TreeTotals {
    let scan: TotalsScan
    do throws(Errno) {
      scan = try await FileSystemScanner(options: options)
        .totals(of: roots, classes: FileType.classes, layers: layers)
    } catch {
      throw MapError.noThread(error)
    }
    return try await scan.finish { report($0.faults) }
  }
}

extension LayerSet {
  package func checkNames() throws(MapError) {
    try rethrowing(schema.checkNames()) { (error: Failure) in MapError.layer(error.message) }
  }

  /// For each layer with values that have no node, how many. All must have been read.
  package func unmatchedValues() throws(MapError) -> [UnmatchedValues] {
    let unmatched = try rethrowing(unmatched(), as: MapError.noScratch)
    return zip(schema.layers, unmatched.counts).compactMap { layer, count in
      count > 0 ? UnmatchedValues(layer: layer.name, count: count) : nil
    }
  }
}
