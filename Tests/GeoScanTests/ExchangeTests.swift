import GeoSystem
import Synchronization
import Testing

@testable import GeoScan

@Suite struct ExchangeTests {
  /// What the workers of a test share.
  private final class Progress: Sendable {
    let arrived = Atomic<Int>(0)
    let done = Atomic<Int>(0)
  }

  private static func work(pieces: Int) -> Work {
    let roots = (0..<pieces).map { ScanRoot(label: Array("\($0)".utf8), directory: []) }
    return Work(roots: roots, plan: NoPlan())
  }

  /// Keeps a processor busy.
  private static func burn(nanoseconds: Int64) {
    let end = ThisProcess.nanoseconds + nanoseconds
    while ThisProcess.nanoseconds < end {}
  }

  /// Most workers are hungry by the time the processors turn out to be busy, so that fewer may work
  /// than are hungry: work that comes up then is taken all the same.
  @Test(.timeLimit(.minutes(1)), arguments: [2, 16, 64])
  func moreAreHungryThanMayWork(workers: Int) async throws {
    let exchange = Exchange<Int>(
      Self.work(pieces: 1), workers: workers, processors: 1, headroom: 1 << 20)
    let progress = Progress()
    let batches = ScanBatches(exchange)
    for _ in 0..<workers {
      try WorkerThread.start {
        progress.arrived.add(1, ordering: .relaxed)
        while let (id, work) = exchange.take() {
          let isFirst = progress.done.add(work.range.count, ordering: .relaxed).oldValue == 0
          if isFirst {
            while progress.arrived.load(ordering: .relaxed) < workers, !exchange.isCancelled {}
            Self.burn(nanoseconds: 8 * WorkerLimit.interval)
          }
          exchange.finish(id, givingBack: isFirst ? [Self.work(pieces: 200)] : [])
        }
        exchange.leave()
      }
    }
    for try await _ in batches {}
    #expect(progress.done.load(ordering: .relaxed) == 201)
  }
}
