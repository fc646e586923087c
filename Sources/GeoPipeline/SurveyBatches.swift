import GeoTree

/// What a survey finds, in batches: how far a first pass is, if there is one, then what was scanned.
struct SurveyBatches<Content: Sendable>: Sendable {
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
