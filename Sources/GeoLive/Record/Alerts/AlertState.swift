/// Whether a rule's line is crossed: told once until the value has come back by a margin, and not again
/// for a while.
struct AlertState: Sendable {
  let rule: AlertRule
  /// How long it is not told again, in nanoseconds.
  let cooldown: Int64
  private(set) var isRaised = false
  private var lastRaised: Int64?

  init(_ rule: AlertRule, cooldown: Int64) {
    self.rule = rule
    self.cooldown = cooldown
  }

  /// Takes the value of a moment.
  ///
  /// - Parameter value: nil if it isn't known; then nothing changes.
  /// - Returns: What has become of it, if anything has.
  mutating func update(_ value: Double?, at time: Int64) -> RecordedAlert.State? {
    guard let value else { return nil }
    if isRaised {
      if !rule.isBack(value) { return nil }
      isRaised = false
      return .cleared
    }
    if !rule.holds(for: value) { return nil }
    if let lastRaised, time - lastRaised < cooldown { return nil }
    isRaised = true
    lastRaised = time
    return .raised
  }
}
