/// How many workers are at work at once: a pure rule.
///
/// Where folders are in memory, more workers than processors only stand in each other's way; where
/// each call has to wait for a disk or a network, they hide the delay. What tells one from the other
/// is how busy the process keeps the processors.
struct WorkerLimit: Sendable {
  /// After how many nanoseconds the limit is looked at again.
  static var interval: Int64 { 5_000_000 }

  /// How many may be at work now: all at first, never fewer than there are processors for.
  private(set) var value: Int

  private let workers: Int
  private let processors: Int
  private var last: Reading?

  /// What two clocks say, in nanoseconds.
  struct Reading: Sendable {
    /// Time that has passed.
    var elapsed: Int64
    /// Time that processors have spent on the process.
    var spent: Int64
  }

  /// The two clocks.
  struct Clocks: Sendable {
    /// Time that has passed since some moment, in nanoseconds.
    var elapsed: @Sendable () -> Int64
    /// Time that processors have spent on the process, in nanoseconds.
    var spent: @Sendable () -> Int64
  }

  init(workers: Int, processors: Int) {
    self.workers = workers
    self.processors = max(1, processors)
    value = workers
  }

  /// Whether there are workers that may have to stay in reserve.
  var isAdjustable: Bool { workers > processors }

  /// Whether the limit should be looked at again.
  func isDue(at elapsed: Int64) -> Bool {
    guard let last else { return true }
    return elapsed - last.elapsed >= Self.interval
  }

  /// Looks at the clocks.
  ///
  /// - Parameter isReached: Whether as many are at work as may be; if not, the limit isn't what
  ///   keeps processors idle.
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
