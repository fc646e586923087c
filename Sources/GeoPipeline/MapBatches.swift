import GeoCore
import GeoTree

/// The batches of a map job: the progress of a first pass, if there is one, then the scan.
struct MapBatches<Content: Sendable>: Sendable {
  enum Step: Sendable {
    /// The first pass made progress.
    case counted(TotalsScan.Progress)
    case scanned(ScanBatch<Content>)
  }

  typealias Pass = (kind: MapSums.Kind, scan: TotalsScan)

  enum Start: Sendable {
    case scan(ScanBatches<Content>)
    /// First passes, and the function that starts the scan with their sums.
    case sums(
      [Pass], MapSums,
      scan: @Sendable (MapSums) async throws(MapError) -> ScanBatches<Content>)
  }

  private let start: Start

  init(_ start: Start) { self.start = start }

  /// Reads the batches from the beginning, once only.
  func makeAsyncIterator() -> Iterator { Iterator(start) }

  struct Iterator {
    /// The first passes that haven't begun.
    private var passes: ArraySlice<Pass> = []
    private var pass: TotalsScan.Iterator?
    private var kind = MapSums.Kind.both
    private var sums = MapSums(layers: nil)
    private var scan: (@Sendable (MapSums) async throws(MapError) -> ScanBatches<Content>)?
    private var batches: ScanBatches<Content>.Iterator?
    /// Paths that the first pass could not read, so that they are reported once.
    private var named: Set<[UInt8]> = []

    fileprivate init(_ start: Start) {
      switch start {
      case .scan(let batches): self.batches = batches.makeAsyncIterator()
      case .sums(let passes, let sums, let scan):
        self.passes = passes[...]
        self.sums = sums
        self.scan = scan
        beginPass()
      }
    }

    private mutating func beginPass() {
      guard let next = passes.popFirst() else { return }
      kind = next.kind
      pass = next.scan.makeAsyncIterator()
    }

    /// - Throws: `CancellationError` if the task was cancelled, `MapError` if the scan can't start.
    mutating func next(isolation actor: isolated (any Actor)?) async throws -> Step? {
      while pass != nil {
        if let progress = try await pass?.next(isolation: actor) {
          for fault in progress.faults { named.insert(fault.rawPath) }
          return .counted(progress)
        }
        if let totals = pass?.finish() { sums.set(totals, kind) }
        pass = nil
        beginPass()
        if pass == nil { batches = try await scan?(sums).makeAsyncIterator() }
      }
      guard var batch = try await batches?.next(isolation: actor) else { return nil }
      if !named.isEmpty { batch.faults.removeAll { named.contains($0.rawPath) } }
      return .scanned(batch)
    }
  }
}
