/// Counts the events of the last minute, second by second.
struct EventWindow: Sendable {
  private var counts = [UInt32](repeating: 0, count: 60)
  private var second: Int64 = 0
  private var sum = 0

  mutating func add(at time: Int64) {
    advance(to: time)
    counts[Int(second % 60)] &+= 1
    sum += 1
  }

  /// In the minute before a time.
  mutating func count(at time: Int64) -> Int {
    advance(to: time)
    return sum
  }

  private mutating func advance(to time: Int64) {
    let now = max(second, time / 1_000_000_000)
    for passed in (second + 1)..<(min(now, second + 60) + 1) {
      sum -= Int(counts[Int(passed % 60)])
      counts[Int(passed % 60)] = 0
    }
    if now - second > 60 {
      counts = [UInt32](repeating: 0, count: 60)
      sum = 0
    }
    second = now
  }
}

/// Measures growth over the last hour from one value a minute.
struct GrowthWindow: Sendable {
  private var values: [(time: Int64, value: Int64)] = []

  private static let minute: Int64 = 60_000_000_000
  private static let hour: Int64 = 3_600_000_000_000

  /// Returns growth per hour; nil until a minute is covered.
  mutating func add(_ value: Int64, at time: Int64) -> Double? {
    values.removeAll { time - $0.time > Self.hour }
    if values.last.map({ time - $0.time >= Self.minute }) ?? true {
      values.append((time, value))
    }
    guard let first = values.first, time - first.time >= Self.minute else { return nil }
    return Double(value - first.value) * Double(Self.hour) / Double(time - first.time)
  }
}

/// Whether a rule's alert is raised. It is raised once until the value is back by a margin, and
/// again only after the cooldown.
struct AlertState: Sendable {
  let rule: AlertRule
  /// In nanoseconds.
  let cooldown: Int64
  private(set) var isRaised = false
  private(set) var lastRaised: Int64?

  init(
    _ rule: AlertRule, cooldown: Int64, isRaised: Bool = false, lastRaised: Int64? = nil
  ) {
    (self.rule, self.cooldown) = (rule, cooldown)
    (self.isRaised, self.lastRaised) = (isRaised, lastRaised)
  }

  /// Returns the new state, if it has changed; it doesn't by an unknown value.
  mutating func update(_ value: Double?, at time: Int64) -> RecordedAlert.State? {
    guard let value else { return nil }
    if isRaised {
      if !rule.hasRecovered(value) { return nil }
      isRaised = false
      return .cleared
    }
    if !rule.holds(for: value) { return nil }
    if let lastRaised, time.subtracting(saturating: lastRaised) < cooldown { return nil }
    isRaised = true
    lastRaised = time
    return .raised
  }

  /// The alert that a value raises or clears.
  mutating func alert(_ value: Double?, at time: Int64) -> RecordedAlert? {
    guard let value, let state = update(value, at: time) else { return nil }
    return RecordedAlert(
      name: rule.name, path: rule.path, rule: rule.text, value: value, limit: rule.limit,
      state: state)
  }
}
