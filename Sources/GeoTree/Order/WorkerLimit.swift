import GeoSystem

extension WorkerLimit.Clocks {
  static let ofThisProcess = Self(
    elapsed: { ThisProcess.nanoseconds }, spent: { ThisProcess.processorNanoseconds })
}

/// The rule for how many workers are active at once.
///
/// If folders are cached in memory, more workers than processors only compete. If calls wait for a
/// disk or a network, more workers hide the latency. Processor load separates the two cases.
struct WorkerLimit: Sendable {
  /// The time between adjustments in nanoseconds.
  static var interval: Int64 { 5_000_000 }

  /// The current limit: at first all workers, never below the smaller of processors and workers.
  private(set) var value: Int

  private let workers: Int
  private let processors: Int
  private var last: Reading?

  /// Readings of two clocks, in nanoseconds.
  struct Reading: Sendable {
    /// Elapsed time.
    var elapsed: Int64
    /// Processor time of the process.
    var spent: Int64
  }

  /// Functions that read the two clocks.
  struct Clocks: Sendable {
    /// Elapsed time since any fixed moment, in nanoseconds.
    var elapsed: @Sendable () -> Int64
    /// Processor time of the process, in nanoseconds.
    var spent: @Sendable () -> Int64
  }

  init(workers: Int, processors: Int) {
    self.workers = workers
    self.processors = max(1, processors)
    value = workers
  }

  /// Whether the limit matters: there are more workers than processors.
  var isAdjustable: Bool { workers > processors }

  /// Whether an adjustment is due.
  func isDue(at elapsed: Int64) -> Bool {
    guard let last else { return true }
    return elapsed - last.elapsed >= Self.interval
  }

  /// Adjusts the limit to the processor load since the last reading.
  ///
  /// - Parameter isReached: Whether the limit is reached. If not, raising it would not use idle
  ///   processors.
  mutating func adjust(to reading: Reading, isReached: Bool) {
    defer { last = reading }
    guard let last, reading.elapsed > last.elapsed else { return }
    let capacity = (reading.elapsed - last.elapsed) * Int64(processors)
    let spent = reading.spent - last.spent
    if spent < capacity / 3 * 2 {
      if isReached { value = min(workers, value + (value + 1) / 2) }
    } else {
      value = min(value, (value + processors) / 2)
    }
  }
}
