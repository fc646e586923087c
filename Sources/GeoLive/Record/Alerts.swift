import GeoCore

/// The alert rules of a recording, with the state needed to evaluate them.
package struct AlertBoard: Sendable {
  /// Values of a folder at a moment.
  package struct Facts: Sendable {
    package var bytes: Int64
    package var files: Int64
    package var free: Int64?
    /// Whether not all of it could be read, so that it may have more bytes and files.
    package var isPartial: Bool

    /// Creates values of a folder.
    package init(bytes: Int64, files: Int64, free: Int64?, isPartial: Bool = false) {
      (self.bytes, self.files, self.free) = (bytes, files, free)
      self.isPartial = isPartial
    }
  }

  private var states: [AlertState]
  private var growth: [GrowthWindow]
  private var rates: [EventWindow]
  private var nextLook: Int64 = 0

  /// Interval between evaluations, in nanoseconds.
  package static let interval: Int64 = 1_000_000_000

  /// Creates a board for some rules.
  ///
  /// - Parameter cooldown: Time before an alert may be raised again, in nanoseconds.
  package init(_ rules: [AlertRule], cooldown: Int64) {
    states = rules.map { AlertState($0, cooldown: cooldown) }
    growth = rules.map { _ in GrowthWindow() }
    rates = rules.map { _ in EventWindow() }
  }

  /// Whether there are no rules.
  package var isEmpty: Bool { states.isEmpty }
  package var rules: [AlertRule] { states.map(\.rule) }

  /// Time of the next evaluation.
  package var deadline: Int64 { nextLook }

  /// Counts an event.
  package mutating func note(_ path: [UInt8], at time: Int64) {
    for index in states.indices where states[index].rule.quantity == .events {
      if path.isPath(atOrBelow: states[index].rule.path) { rates[index].add(at: time) }
    }
  }

  /// Evaluates all rules, if it is time.
  ///
  /// - Parameter ask: Returns the values of the folder at a path; nil if there is no such folder.
  /// - Returns: The alerts that were raised or cleared.
  package mutating func look(
    at time: Int64, _ ask: (_ path: [UInt8], _ needsFree: Bool) -> Facts?
  ) -> [RecordedAlert] {
    if time < nextLook { return [] }
    nextLook = time + Self.interval
    var changed: [RecordedAlert] = []
    for index in states.indices {
      let rule = states[index].rule
      guard let facts = ask(rule.path, rule.quantity == .free) else { continue }
      let value: Double?
      switch rule.quantity {
      case .bytes: value = Double(facts.bytes)
      case .files: value = Double(facts.files)
      case .free: value = facts.free.map { Double($0) }
      case .events: value = Double(rates[index].count(at: time))
      case .growth:
        value = growth[index].add(facts.bytes, at: time).map { $0 * Double(rule.span.hours) }
      }
      guard let value, let state = states[index].update(value, at: time) else { continue }
      changed.append(RecordedAlert(rule, value: value, state: state))
    }
    return changed
  }
}

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

  /// Number of events in the minute before a time.
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

  /// Adds the current value.
  ///
  /// - Returns: Growth per hour; nil until a minute is covered.
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
  /// Minimum time between alerts, in nanoseconds.
  let cooldown: Int64
  private(set) var isRaised = false
  /// When it was last raised.
  private(set) var lastRaised: Int64?

  init(_ rule: AlertRule, cooldown: Int64) {
    self.rule = rule
    self.cooldown = cooldown
  }

  /// Continues from an earlier evaluation.
  init(_ rule: AlertRule, cooldown: Int64, isRaised: Bool, lastRaised: Int64?) {
    self.init(rule, cooldown: cooldown)
    self.isRaised = isRaised
    self.lastRaised = lastRaised
  }

  /// Evaluates the current value.
  ///
  /// - Parameter value: nil if unknown; then nothing changes.
  /// - Returns: The new state, if it has changed.
  mutating func update(_ value: Double?, at time: Int64) -> RecordedAlert.State? {
    guard let value else { return nil }
    if isRaised {
      if !rule.isBack(value) { return nil }
      isRaised = false
      return .cleared
    }
    if !rule.holds(for: value) { return nil }
    if let lastRaised, time.subtracting(saturating: lastRaised) < cooldown { return nil }
    isRaised = true
    lastRaised = time
    return .raised
  }
}

/// Evaluates alert rules between two kept states of the same folders.
///
/// Quantities are those of the new state; growth is the difference to the state before it.
package struct StateAlerts: Sendable {
  private var states: [AlertState]
  private var memory: AlertMemory

  /// The shortest time between two states over which growth is measured, in nanoseconds.
  package static let shortest: Int64 = 60_000_000_000
  private static let hour = 3_600e9

  /// Creates an evaluation.
  ///
  /// - Parameters:
  ///   - cooldown: The time before an alert may be raised again, in nanoseconds.
  ///   - memory: What earlier evaluations have raised.
  ///   - time: The time of the new state, in Unix nanoseconds.
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

  /// Whether a quantity can be evaluated for a state.
  package static func knows(_ quantity: AlertRule.Quantity) -> Bool { quantity != .events }

  /// Evaluates all rules.
  ///
  /// - Parameters:
  ///   - time: The time of the new state, in Unix nanoseconds.
  ///   - before: The time of the state before it; nil if there isn't one.
  ///   - facts: The values of a folder in the new state; nil if there is no such folder.
  ///   - earlier: Its bytes in the state before; nil if unknown.
  /// - Returns: The alerts that were raised or cleared; none for the first state, and none by values
  ///   that are not known.
  package mutating func look(
    at time: Int64, since before: Int64?,
    facts: (_ path: [UInt8]) -> AlertBoard.Facts?, earlier: (_ path: [UInt8]) -> Int64?
  ) -> [RecordedAlert] {
    guard let before else { return [] }
    let (span, overflow) = time.subtractingReportingOverflow(before)
    var changed: [RecordedAlert] = []
    for index in states.indices {
      let rule = states[index].rule
      guard let facts = facts(rule.path) else { continue }
      let value: Double?
      switch rule.quantity {
      case .bytes: value = rule.known(Double(facts.bytes), isPartial: facts.isPartial)
      case .files: value = rule.known(Double(facts.files), isPartial: facts.isPartial)
      case .free: value = facts.free.map { Double($0) }
      case .events: value = nil
      case .growth:
        value = earlier(rule.path).flatMap { bytes in
          guard !overflow, span >= Self.shortest else { return nil }
          let growth = Double(facts.bytes) - Double(bytes)
          return growth * Double(rule.span.hours) * Self.hour / Double(span)
        }
      }
      guard let value, let state = states[index].update(value, at: time) else { continue }
      changed.append(RecordedAlert(rule, value: value, state: state))
    }
    return changed
  }

  /// The memory with this evaluation.
  package var remembered: AlertMemory {
    var memory = memory
    for state in states {
      guard let lastRaised = state.lastRaised ?? memory[state.rule]?.lastRaised else { continue }
      memory[state.rule] = AlertMemory.Entry(isRaised: state.isRaised, lastRaised: lastRaised)
    }
    return memory
  }
}

/// What alert rules have raised, for evaluations in several runs.
///
/// As text it has a line `HASH raised|cleared NANOSECONDS` for each rule. The hash is of the rule
/// and of the scope, so that several folders and machines can share a file.
package struct AlertMemory: Hashable, Sendable {
  /// What is known of a rule.
  package struct Entry: Hashable, Sendable {
    package var isRaised: Bool
    /// When it was last raised, in Unix nanoseconds.
    package var lastRaised: Int64

    /// Creates an entry.
    package init(isRaised: Bool, lastRaised: Int64) {
      self.isRaised = isRaised
      self.lastRaised = lastRaised
    }
  }

  /// What the rules are about, such as a machine and its folders.
  private let scope: [UInt8]
  private var entries: [[UInt8]: Entry] = [:]

  /// The largest text that is read, in bytes.
  package static let largest = 1 << 20
  private static let title = "geomapper alerts 1"

  /// Creates an empty memory.
  package init(of scope: [UInt8]) { self.scope = scope }

  /// Parses the text of a memory.
  ///
  /// - Throws: If it is malformed.
  package init(of scope: [UInt8], parsing text: [UInt8]) throws(Malformed) {
    self.scope = scope
    let lines = text.split(separator: 0x0A)
    guard let title = lines.first, title.elementsEqual(Self.title.utf8) else {
      throw Malformed(reason: "not a file of alerts that this version can read")
    }
    for (index, line) in lines.enumerated().dropFirst() {
      let words = line.split(separator: 0x20)
      guard words.count == 3, words[0].count == 64, let lastRaised = Int64(wholeNumber: words[2]),
        let state = RecordedAlert.State(rawValue: String(decoding: words[1], as: UTF8.self))
      else { throw Malformed(reason: "line \(index + 1) is damaged") }
      entries[Array(words[0])] = Entry(isRaised: state == .raised, lastRaised: lastRaised)
    }
  }

  /// The text, with lines in byte order.
  package var text: [UInt8] {
    var text = Array("\(Self.title)\n".utf8)
    for (key, entry) in entries.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
      let state: RecordedAlert.State = entry.isRaised ? .raised : .cleared
      text += key + Array(" \(state.rawValue) \(max(0, entry.lastRaised))\n".utf8)
    }
    return text
  }

  /// What is known of a rule; nil if it was never raised.
  package subscript(rule: AlertRule) -> Entry? {
    get { entries[key(of: rule)] }
    set { entries[key(of: rule)] = newValue }
  }

  private func key(of rule: AlertRule) -> [UInt8] {
    SHA256.digest(scope + [0] + rule.name + [0] + rule.text).span.hexDigits
  }
}
