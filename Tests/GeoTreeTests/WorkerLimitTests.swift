import Testing

@testable import GeoTree

@Suite struct WorkerLimitTests {
  /// Simulates intervals in which the processors are busy to the given degree.
  private func play(
    _ limit: inout WorkerLimit, utilization: Double, intervals: Int, processors: Int,
    isReached: Bool = true, clock: inout WorkerLimit.Reading
  ) {
    for _ in 0..<intervals {
      clock.elapsed += WorkerLimit.interval
      clock.spent += Int64(Double(WorkerLimit.interval) * Double(processors) * utilization)
      limit.adjust(to: clock, isReached: isReached)
    }
  }

  @Test(arguments: [(16, 2), (3, 2), (64, 8), (2, 1)])
  func followsTheUseOfProcessors(workers: Int, processors: Int) {
    var limit = WorkerLimit(workers: workers, processors: processors)
    var clock = WorkerLimit.Reading(elapsed: 0, spent: 0)
    #expect(limit.value == workers, "nothing is known yet")
    limit.adjust(to: clock, isReached: true)

    play(&limit, utilization: 0.99, intervals: 20, processors: processors, clock: &clock)
    #expect(limit.value == processors, "more only stand in each other's way")
    play(&limit, utilization: 0.85, intervals: 20, processors: processors, clock: &clock)
    #expect(limit.value == processors, "nearly busy is busy")
    play(
      &limit, utilization: 0.2, intervals: 20, processors: processors, isReached: false,
      clock: &clock)
    #expect(limit.value == processors, "there is no work for more")
    play(&limit, utilization: 0.2, intervals: 20, processors: processors, clock: &clock)
    #expect(limit.value == workers, "they wait, so more of them hide the delay")
  }

  @Test(arguments: [(1, 2), (2, 2), (1, 1), (8, 64)])
  func fewWorkersAreNotLimited(workers: Int, processors: Int) {
    var limit = WorkerLimit(workers: workers, processors: processors)
    #expect(!limit.isAdjustable)
    var clock = WorkerLimit.Reading(elapsed: 0, spent: 0)
    for utilization in [0.0, 0.5, 1.0] {
      play(&limit, utilization: utilization, intervals: 8, processors: processors, clock: &clock)
      #expect(limit.value == workers)
    }
  }

  @Test func isDueAfterAnInterval() {
    var limit = WorkerLimit(workers: 4, processors: 2)
    #expect(limit.isDue(at: 17))
    limit.adjust(to: .init(elapsed: 17, spent: 0), isReached: true)
    #expect(!limit.isDue(at: 17 + WorkerLimit.interval - 1))
    #expect(limit.isDue(at: 17 + WorkerLimit.interval))
    // A clock that doesn't advance is ignored.
    limit.adjust(to: .init(elapsed: 17, spent: 5), isReached: true)
    #expect(limit.value == 4)
  }
}
