import GeoCore
import GeoTree

/// What first passes have added up for the folders of a map.
struct MapSums: Sendable {
  let layers: LayerSet?
  /// The totals of all folders; nil if not requested.
  var totals: TreeTotals?
  /// What all folders say of the layers; nil without layers.
  var ofLayers: TreeTotals?
}

/// The batches of a map job: the progress of a first pass, if there is one, then the scan.
struct MapBatches<Content: Sendable>: Sendable {
  enum Step: Sendable {
    /// The first pass made progress.
    case counted(TotalsScan.Progress)
    case scanned(ScanBatch<Content>)
  }

  /// A first pass, and where its totals go.
  typealias Pass = (scan: TotalsScan, set: @Sendable (inout MapSums, TreeTotals) -> Void)

  let passes: [Pass]
  let sums: MapSums
  /// The scan; nil if it begins after the passes.
  let batches: ScanBatches<Content>?
  /// Starts the scan with the sums of the passes.
  let scan: @Sendable (MapSums) async throws(MapError) -> ScanBatches<Content>

  /// Reads the batches from the beginning, once only.
  func makeAsyncIterator() -> Iterator { Iterator(self) }

  struct Iterator {
    /// The first passes that haven't begun.
    private var passes: ArraySlice<Pass>
    private var pass: TotalsScan?
    private var set: ((inout MapSums, TreeTotals) -> Void)?
    private var sums: MapSums
    /// Nil once it was called.
    private var scan: ((MapSums) async throws(MapError) -> ScanBatches<Content>)?
    private var batches: ScanBatches<Content>.Iterator?
    /// Paths that the first pass could not read, so that they are reported once.
    private var named: Set<[UInt8]> = []

    fileprivate init(_ map: MapBatches) {
      passes = map.passes[...]
      sums = map.sums
      scan = map.scan
      batches = map.batches?.makeAsyncIterator()
    }

    /// - Throws: `CancellationError` if the task was cancelled, `MapError` if the scan can't start.
    mutating func next(isolation actor: isolated (any Actor)?) async throws -> Step? {
      while batches == nil, let start = scan {
        if let progress = try await pass?.next(isolation: actor) {
          for fault in progress.faults { named.insert(fault.rawPath) }
          return .counted(progress)
        }
        if let totals = pass?.takeTotals() { set?(&sums, totals) }
        if let next = passes.popFirst() {
          (set, pass) = (next.set, next.scan)
        } else {
          (pass, scan) = (nil, nil)
          batches = try await start(sums).makeAsyncIterator()
        }
      }
      guard var batch = try await batches?.next(isolation: actor) else { return nil }
      if !named.isEmpty { batch.faults.removeAll { named.contains($0.rawPath) } }
      return .scanned(batch)
    }
  }
}
