/// The alert rules of a recording, with the state needed to evaluate them.
package struct AlertBoard: Sendable {
  package struct Facts: Sendable {
    /// Room on disk, or the apparent size.
    package var size: Int64
    package var files: Int64
    package var free: Int64?
    /// It may then be larger and have more files.
    package var isPartial: Bool

    package init(size: Int64, files: Int64, free: Int64?, isPartial: Bool = false) {
      (self.size, self.files, self.free) = (size, files, free)
      self.isPartial = isPartial
    }
  }

  private var states: [AlertState]
  private var growth: [GrowthWindow]
  private var rates: [EventWindow]
  /// The time of the next evaluation.
  package private(set) var deadline: Int64 = 0

  /// Interval between evaluations, in nanoseconds.
  package static let interval: Int64 = 1_000_000_000

  /// Alerts may be raised again after the cooldown, in nanoseconds.
  package init(_ rules: [AlertRule], cooldown: Int64) {
    states = rules.map { AlertState($0, cooldown: cooldown) }
    growth = rules.map { _ in GrowthWindow() }
    rates = rules.map { _ in EventWindow() }
  }

  package var isEmpty: Bool { states.isEmpty }
  package var rules: [AlertRule] { states.map(\.rule) }

  package mutating func count(_ path: [UInt8], at time: Int64) {
    for index in states.indices where states[index].rule.quantity == .events {
      if path.isPath(atOrBelow: states[index].rule.path) { rates[index].add(at: time) }
    }
  }

  /// If it is time. Returns the alerts that were raised or cleared; `ask` returns nil if there is
  /// no such folder.
  package mutating func evaluate(
    at time: Int64, _ ask: (_ path: [UInt8], _ needsFree: Bool) -> Facts?
  ) -> [RecordedAlert] {
    if time < deadline { return [] }
    deadline = time + Self.interval
    return states.indices.compactMap { index in
      let rule = states[index].rule
      guard let facts = ask(rule.path, rule.quantity == .free) else { return nil }
      let value: Double? =
        switch rule.quantity {
        case .bytes: Double(facts.size)
        case .files: Double(facts.files)
        case .free: facts.free.map { Double($0) }
        case .events: Double(rates[index].count(at: time))
        case .growth: growth[index].add(facts.size, at: time).map { $0 * Double(rule.span.hours) }
        }
      return states[index].alert(value, at: time)
    }
  }
}
