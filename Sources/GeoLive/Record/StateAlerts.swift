import GeoCore

/// Evaluates alert rules between two kept states of the same folders.
///
/// Quantities are those of the new state; growth is the difference to the state before it.
package struct StateAlerts: Sendable {
  private var states: [AlertState]
  private var memory: AlertMemory

  /// Between two states over which growth is measured, in nanoseconds.
  package static let shortest: Int64 = 60_000_000_000
  private static let hour = 3_600e9

  /// Times are in Unix nanoseconds.
  package init(_ rules: [AlertRule], cooldown: Int64, after memory: AlertMemory, at time: Int64) {
    self.memory = memory
    states = rules.map { rule in
      let known = memory[rule]
      // A time after the new state is that of a clock which was wrong.
      let lastRaised = known.flatMap { $0.lastRaised > time ? nil : $0.lastRaised }
      return AlertState(
        rule, cooldown: cooldown, isRaised: known?.isRaised ?? false, lastRaised: lastRaised)
    }
  }

  package static func knows(_ quantity: AlertRule.Quantity) -> Bool { quantity != .events }

  /// `before` is the time of the state before, `earlier` the size in it. Returns the alerts that
  /// were raised or cleared; none for the first state, and none by unknown values.
  package mutating func evaluate(
    at time: Int64, since before: Int64?,
    facts: (_ path: [UInt8]) -> AlertBoard.Facts?, earlier: (_ path: [UInt8]) -> Int64?
  ) -> [RecordedAlert] {
    guard let before else { return [] }
    let (span, overflow) = time.subtractingReportingOverflow(before)
    return states.indices.compactMap { index in
      let rule = states[index].rule
      guard let facts = facts(rule.path) else { return nil }
      let value: Double? =
        switch rule.quantity {
        case .bytes: rule.known(Double(facts.size), isPartial: facts.isPartial)
        case .files: rule.known(Double(facts.files), isPartial: facts.isPartial)
        case .free: facts.free.map { Double($0) }
        case .events: nil
        case .growth:
          earlier(rule.path).flatMap { size in
            guard !overflow, span >= Self.shortest else { return nil }
            let growth = Double(facts.size) - Double(size)
            return growth * Double(rule.span.hours) * Self.hour / Double(span)
          }
        }
      return states[index].alert(value, at: time)
    }
  }

  package var remembered: AlertMemory {
    var memory = memory
    for state in states {
      guard let lastRaised = state.lastRaised ?? memory[state.rule]?.lastRaised else { continue }
      memory[state.rule] = AlertMemory.Entry(isRaised: state.isRaised, lastRaised: lastRaised)
    }
    return memory
  }
}
