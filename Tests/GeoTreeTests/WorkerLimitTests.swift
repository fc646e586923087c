import Testing

@testable import GeoTree

@Suite struct WorkerLimitTests {
  /// Simulates intervals in which the processors are busy to the given degree.
  ///
  /// - Parameter waits: How often a call waits in each interval.
  private func play(
    _ limit: inout WorkerLimit, utilization: Double, intervals: Int, processors: Int,
    waits: Int64 = 1000, isReached: Bool = true, clock: inout WorkerLimit.Reading
  ) {
    for _ in 0..<intervals {
      clock.elapsed += WorkerLimit.interval
      clock.spent += Int64(Double(WorkerLimit.interval) * Double(processors) * utilization)
      clock.waits += waits
      limit.adjust(to: clock, busy: limit.value, isReached: isReached)
    }
  }

  @Test(arguments: [(16, 2), (3, 2), (64, 8), (2, 1)])
  func followsTheUseOfProcessors(workers: Int, processors: Int) {
    var limit = WorkerLimit(workers, upTo: workers, processors: processors)
    var clock = WorkerLimit.Reading(elapsed: 0, spent: 0)
    #expect(limit.value == workers, "nothing is known yet")
    limit.adjust(to: clock, busy: workers, isReached: true)

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

  @Test func growsWhileCallsWait() {
    var limit = WorkerLimit(2, upTo: 128, processors: 2)
    var clock = WorkerLimit.Reading(elapsed: 0, spent: 0)
    limit.adjust(to: clock, busy: 2, isReached: true)
    play(&limit, utilization: 0.4, intervals: 105, processors: 2, waits: 0, clock: &clock)
    #expect(limit.value == 2, "other programs use the processors")
    play(&limit, utilization: 0.01, intervals: 1, processors: 2, waits: 1, clock: &clock)
    #expect(limit.value == 2, "only one of two has waited")
    play(&limit, utilization: 0.01, intervals: 1, processors: 2, waits: 1, clock: &clock)
    #expect(limit.value == 4, "both have waited")
    play(&limit, utilization: 0.01, intervals: 60, processors: 2, waits: 0, clock: &clock)
    #expect(limit.value == 16, "calls of 100 ms")
    play(&limit, utilization: 0.1, intervals: 3, processors: 2, clock: &clock)
    #expect(limit.value == 128)
    play(&limit, utilization: 0.9, intervals: 10, processors: 2, clock: &clock)
    #expect(limit.value == 2)
    limit.stop(at: 5)
    play(&limit, utilization: 0.1, intervals: 10, processors: 2, clock: &clock)
    #expect(limit.value == 5, "no more threads can be started")
  }

  @Test(arguments: [(1, 2), (2, 2), (1, 1), (8, 64)])
  func fewWorkersAreNotLimited(workers: Int, processors: Int) {
    var limit = WorkerLimit(workers, upTo: workers, processors: processors)
    #expect(!limit.isAdjustable)
    var clock = WorkerLimit.Reading(elapsed: 0, spent: 0)
    for utilization in [0.0, 0.5, 1.0] {
      play(&limit, utilization: utilization, intervals: 8, processors: processors, clock: &clock)
      #expect(limit.value == workers)
    }
  }

  @Test func isDueAfterAnInterval() {
    var limit = WorkerLimit(4, upTo: 4, processors: 2)
    #expect(limit.isDue(at: 17))
    limit.adjust(to: .init(elapsed: 17, spent: 0), busy: 4, isReached: true)
    #expect(!limit.isDue(at: 17 + WorkerLimit.interval - 1))
    #expect(limit.isDue(at: 17 + WorkerLimit.interval))
    // A clock that doesn't advance is ignored.
    limit.adjust(to: .init(elapsed: 17, spent: 5), busy: 4, isReached: true)
    #expect(limit.value == 4)
  }
}
