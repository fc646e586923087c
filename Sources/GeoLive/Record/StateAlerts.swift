import GeoCore

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
  /// - Returns: The alerts that were raised or cleared.
  package mutating func look(
    at time: Int64, since before: Int64?,
    facts: (_ path: [UInt8]) -> AlertBoard.Facts?, earlier: (_ path: [UInt8]) -> Int64?
  ) -> [RecordedAlert] {
    var changed: [RecordedAlert] = []
    for index in states.indices {
      let rule = states[index].rule
      guard let facts = facts(rule.path) else { continue }
      let value: Double?
      switch rule.quantity {
      case .bytes: value = Double(facts.bytes)
      case .files: value = Double(facts.files)
      case .free: value = facts.free.map { Double($0) }
      case .events: value = nil
      case .growth:
        value = before.flatMap { before -> Double? in
          let (span, overflow) = time.subtractingReportingOverflow(before)
          guard !overflow, span >= Self.shortest, let bytes = earlier(rule.path) else { return nil }
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
