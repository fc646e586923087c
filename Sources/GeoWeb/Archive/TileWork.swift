import GeoAtlas
import GeoProjection
import GeoSystem
import GeoTree

/// Makes the tiles of a world with several threads, piece by piece.
///
/// A piece is a tile of zoom ``TileWork/split`` with all tiles within it; the tiles above are one
/// more piece. The result doesn't depend on which thread makes which piece.
final class TileWork: @unchecked Sendable {
  // Sendable: mutable state is only accessed inside the monitor.
  private let world: World
  private let totals: TreeTotals?
  private let range: TileDescent.Range
  private let tops: [TileAddress]
  private let monitor = Monitor()
  private var next = 0
  private var running = 0
  private var failure: Errno?
  private var pieces: [(shelf: Int, piece: TileShelf.Piece)?]
  private var shelves: [ScratchFile] = []
  private let probeShare: UInt64?
  private var sums = ProbeSums()

  /// The zoom at which the world is divided into pieces.
  private static let split = 5

  /// - Parameters:
  ///   - sample: Make only every n-th piece.
  ///   - probeShare: Measure the tiles within every n-th tile of the last complete zoom.
  init(
    _ world: World, totals: TreeTotals?, range: TileDescent.Range, sample: Int = 1,
    probeShare: UInt64? = nil
  ) {
    self.probeShare = probeShare
    self.world = world
    self.totals = totals
    self.range = range
    var tops = TileAddress(zoom: 0, x: 0, y: 0).map { [$0] } ?? []
    if range.deepest >= Self.split {
      let first = HilbertCurve.first(ofZoom: Self.split)
      let end = HilbertCurve.first(ofZoom: Self.split + 1)
      tops += stride(from: first + UInt64(sample / 2), to: end, by: sample).compactMap {
        HilbertCurve.tile($0)
      }
    }
    self.tops = tops
    pieces = Array(repeating: nil, count: tops.count)
  }

  /// Makes all tiles, and waits for them. It stops early if the current task is cancelled.
  ///
  /// - Parameter progress: Called with the progress in thousandths.
  func run(threads: Int, progress: (Int) -> Void = { _ in }) throws(Errno) -> TileCollection {
    for _ in 0..<min(threads, tops.count) {
      monitor.withLock { running += 1 }
      do throws(Errno) {
        try WorkerThread.start(stackSize: 8 << 20) { [self] in work() }
      } catch {
        // The threads that did start do the work.
        monitor.withLock {
          running -= 1
          if running == 0, next == 0 { failure = failure ?? error }
        }
        break
      }
    }
    while true {
      let (isDone, done) = monitor.withLock {
        if running > 0 { monitor.waitInReserve(nanoseconds: 200_000_000) }
        return (running == 0, next)
      }
      if isDone { break }
      if Task.isCancelled { monitor.withLock { failure = failure ?? .cancelled } }
      progress(1000 * done / tops.count)
    }
    if let failure { throw failure }
    return TileCollection(
      pieces: pieces.compactMap { $0 }, shelves: shelves, range: range)
  }

  /// The sizes measured one zoom below the last complete one; valid after ``run(threads:progress:)``.
  var probed: ProbeSums { monitor.withLock { sums } }

  private func work() {
    do throws(Errno) {
      let shelf = try TileShelf(deepest: range.deepest)
      let number = monitor.withLock {
        shelves.append(shelf.scratch)
        return shelves.count - 1
      }
      while let index = take() {
        try make(index, on: shelf)
        let piece = try shelf.takePiece()
        monitor.withLock { pieces[index] = (number, piece) }
      }
    } catch {
      monitor.withLock { failure = failure ?? error }
    }
    monitor.withLock {
      running -= 1
      if running == 0 { monitor.wakeReserve() }
    }
  }

  private func take() -> Int? {
    monitor.withLock {
      if failure != nil || next == tops.count { return nil }
      next += 1
      return next - 1
    }
  }

  private func make(_ index: Int, on shelf: TileShelf) throws(Errno) {
    var range = range
    if index == 0 { range.deepest = min(range.deepest, Self.split - 1) }
    var sums = ProbeSums()
    // The first piece ends above the measured tiles, unless the whole range ends there.
    let isAbove = index == 0 && self.range.complete >= Self.split
    let probe = (isAbove ? nil : probeShare).map { share in
      TileDescent.Probe(share: share) { (parent, children) in
        sums.parents += shelf.length(of: parent)
        for child in children { sums.children += shelf.length(of: child) }
      }
    }
    let descent = TileDescent(through: world, totals: totals, range: range, probe: probe) {
      (tile) throws(Errno) in try shelf.add(tile)
    }
    try descent.run(from: tops[index])
    monitor.withLock {
      self.sums.parents += sums.parents
      self.sums.children += sums.children
    }
  }
}

/// The compressed bytes of some tiles, and of the tiles within them at the next zoom.
struct ProbeSums: Sendable {
  var parents = 0
  var children = 0
}
