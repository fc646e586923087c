import GeoSystem

extension WorkerLimit.Clocks {
  static let ofThisProcess = Self(
    elapsed: { ThisProcess.nanoseconds }, spent: { ThisProcess.processorNanoseconds },
    waits: { ThisProcess.waits })
}

/// The rule for how many workers are active at once.
///
/// If folders are cached in memory, more workers than processors only compete. If calls wait for a
/// disk or a network, more workers hide the latency. Processor load and the number of waits separate
/// the two cases: threads that compete with other programs are idle without waiting.
struct WorkerLimit: Sendable {
  /// The time between adjustments in nanoseconds.
  static var interval: Int64 { 5_000_000 }
  /// How long the limit stays although processors are idle, if workers don't wait either.
  private static var patience: Int64 { 20 * interval }

  /// The current limit, never below the smaller of processors and workers.
  private(set) var value: Int

  /// The maximum of ``value``.
  private(set) var maximum: Int
  private let processors: Int
  private var last: Reading?

  /// Readings of three clocks, in nanoseconds and counts.
  struct Reading: Sendable {
    var elapsed: Int64
    var spent: Int64
    /// How often workers waited for a system call, less how often they were interrupted.
    var waits: Int64 = 0
  }

  /// Functions that read the clocks of a ``Reading``, counted from any fixed moment.
  struct Clocks: Sendable {
    var elapsed: @Sendable () -> Int64
    var spent: @Sendable () -> Int64
    var waits: @Sendable () -> Int64
  }

  init(_ value: Int, upTo maximum: Int, processors: Int) {
    self.value = value
    self.maximum = max(value, maximum)
    self.processors = max(1, processors)
  }

  /// Whether the limit matters: there can be more workers than processors.
  var isAdjustable: Bool { maximum > processors }

  func isDue(at elapsed: Int64) -> Bool {
    guard let last else { return true }
    return elapsed - last.elapsed >= Self.interval
  }

  /// Adjusts the limit to the processor load since the last reading. `busy` workers read, or wait for
  /// a call. If the limit is not reached, raising it would not use idle processors.
  mutating func adjust(to reading: Reading, busy: Int, isReached: Bool) {
    guard let last, reading.elapsed > last.elapsed else {
      self.last = reading
      return
    }
    let elapsed = reading.elapsed - last.elapsed
    let capacity = elapsed * Int64(processors)
    let spent = reading.spent - last.spent
    guard spent < capacity / 3 * 2 else {
      value = min(value, (value + processors) / 2)
      self.last = reading
      return
    }
    // A slow call takes longer than an interval, so waits add up until each worker had one.
    // The reader of the output waits too, a few times in each interval. That counts less than waits
    // for a storage that leaves the processors idle.
    let waits = (reading.waits - last.waits) / (spent < capacity / 3 ? 1 : 8)
    let isIdle = elapsed > Self.patience && spent < capacity / 20 && waits >= 0
    if isReached, isIdle || waits >= busy {
      value = min(maximum, 2 * value)
    } else if isReached, elapsed <= Self.patience {
      return
    }
    self.last = reading
  }

  /// Lowers the maximum, as no more workers can be started.
  mutating func stop(at workers: Int) {
    maximum = max(1, min(maximum, workers))
    value = min(value, maximum)
  }
}
