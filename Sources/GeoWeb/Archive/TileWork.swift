import GeoAtlas
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
  private var pieces: [(shelf: Int, piece: TileStore.Piece)?]
  private var shelves: [ScratchFile] = []

  private static let split = 5

  init(_ world: World, totals: TreeTotals?, range: TileDescent.Range) {
    (self.world, self.totals, self.range) = (world, totals, range)
    var tops = TileAddress(zoom: 0, x: 0, y: 0).map { [$0] } ?? []
    if range.maximumZoom >= Self.split {
      let first = HilbertCurve.first(ofZoom: Self.split)
      let end = HilbertCurve.first(ofZoom: Self.split + 1)
      tops += (first..<end).compactMap { HilbertCurve.tile($0) }
    }
    self.tops = tops
    pieces = Array(repeating: nil, count: tops.count)
  }

  /// Makes all tiles, and stops early if the current task is cancelled.
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

  private func work() {
    do throws(Errno) {
      let shelf = try TileStore(maximumZoom: range.maximumZoom)
      let number = monitor.withLock {
        shelves.append(shelf.scratch)
        return shelves.count - 1
      }
      var descent = TileDescent(through: world, totals: totals) { (tile) throws(Errno) in
        try shelf.add(tile)
      }
      while let index = take() {
        var range = range
        if index == 0 { range.maximumZoom = min(range.maximumZoom, Self.split - 1) }
        try descent.run(from: tops[index], range)
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
}
