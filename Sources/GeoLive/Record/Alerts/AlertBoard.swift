/// All rules of a recording, and what is needed to look at them.
package struct AlertBoard: Sendable {
  /// What is known of a folder at a moment.
  package struct Facts: Sendable {
    package var bytes: Int64
    package var files: Int64
    package var free: Int64?

    /// Facts of the given values.
    package init(bytes: Int64, files: Int64, free: Int64?) {
      self.bytes = bytes
      self.files = files
      self.free = free
    }
  }

  private var states: [AlertState]
  private var growth: [GrowthWindow]
  private var rates: [EventWindow]
  private var nextLook: Int64 = 0

  /// How often the rules are looked at, in nanoseconds.
  package static let interval: Int64 = 1_000_000_000

  /// A board of some rules.
  ///
  /// - Parameter cooldown: How long an alert is not raised again, in nanoseconds.
  package init(_ rules: [AlertRule], cooldown: Int64) {
    states = rules.map { AlertState($0, cooldown: cooldown) }
    growth = rules.map { _ in GrowthWindow() }
    rates = rules.map { _ in EventWindow() }
  }

  /// Whether there are any.
  package var isEmpty: Bool { states.isEmpty }
  package var rules: [AlertRule] { states.map(\.rule) }

  /// When the rules are to be looked at next.
  package var deadline: Int64 { nextLook }

  /// Takes account of an event.
  package mutating func note(_ path: [UInt8], at time: Int64) {
    for index in states.indices where states[index].rule.quantity == .events {
      if path.isPath(atOrBelow: states[index].rule.path) { rates[index].add(at: time) }
    }
  }

  /// Looks at all rules, if it is time.
  ///
  /// - Parameter ask: What is known of the folder at a path; nil if there is none.
  /// - Returns: What has become of which.
  package mutating func look(
    at time: Int64, _ ask: (_ path: [UInt8], _ needsFree: Bool) -> Facts?
  ) -> [RecordedAlert] {
    if time < nextLook { return [] }
    nextLook = time + Self.interval
    var told: [RecordedAlert] = []
    for index in states.indices {
      let rule = states[index].rule
      guard let facts = ask(rule.path, rule.quantity == .free) else { continue }
      let value: Double?
      switch rule.quantity {
      case .bytes: value = Double(facts.bytes)
      case .files: value = Double(facts.files)
      case .free: value = facts.free.map { Double($0) }
      case .events: value = Double(rates[index].count(at: time))
      case .growth: value = growth[index].add(facts.bytes, at: time)
      }
      guard let value, let state = states[index].update(value, at: time) else { continue }
      told.append(
        RecordedAlert(
          name: rule.name, path: rule.path, rule: rule.text, value: value, limit: rule.limit,
          state: state))
    }
    return told
  }
}

/// Events of the last minute, counted by seconds.
struct EventWindow: Sendable {
  private var counts = [UInt32](repeating: 0, count: 60)
  private var second: Int64 = 0
  private var sum = 0

  mutating func add(at time: Int64) {
    advance(to: time)
    counts[Int(second % 60)] &+= 1
    sum += 1
  }

  /// How many there were in the minute before a time.
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

/// By how much something has grown in the last hour, by a value of each minute.
struct GrowthWindow: Sendable {
  private var values: [(time: Int64, value: Int64)] = []

  private static let minute: Int64 = 60_000_000_000
  private static let hour: Int64 = 3_600_000_000_000

  /// Takes the value of a moment.
  ///
  /// - Returns: What it has grown by, an hour; nil for less than a minute.
  mutating func add(_ value: Int64, at time: Int64) -> Double? {
    values.removeAll { time - $0.time > Self.hour }
    if values.last.map({ time - $0.time >= Self.minute }) ?? true {
      values.append((time, value))
    }
    guard let first = values.first, time - first.time >= Self.minute else { return nil }
    return Double(value - first.value) * Double(Self.hour) / Double(time - first.time)
  }
}
