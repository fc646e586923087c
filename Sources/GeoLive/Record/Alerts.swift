import GeoCore
import GeoTree

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

/// When somebody wants to be told: a quantity of a folder, a comparison, and a limit.
///
/// `usr/var/log bytes > 10G`, or with a name `logs: usr/var/log bytes > 10G`.
package struct AlertRule: Hashable, Sendable {
  /// What is looked at.
  package enum Quantity: String, CaseIterable, Hashable, Sendable {
    /// Bytes of all files below the folder.
    case bytes
    /// How many files there are below it.
    case files
    /// Bytes that are left in its file system.
    case free
    /// Events below it in the last minute.
    case events
    /// Bytes by which it has grown, an hour.
    case growth
  }

  /// How it is compared.
  package enum Comparison: String, CaseIterable, Hashable, Sendable {
    case above = ">"
    case atLeast = ">="
    case below = "<"
    case atMost = "<="
  }

  /// What it is called: as it was named, else the rule itself.
  package var name: [UInt8]
  /// The folder's path on the map.
  package var path: [UInt8]
  package var quantity: Quantity
  package var comparison: Comparison
  package var limit: Double
  /// The rule without its name, as it was given.
  package var text: [UInt8]

  /// Part of the limit by which a value has to come back before it counts as back.
  static let margin = 0.05

  /// Takes a rule apart, from its end: so a path may hold spaces.
  package init(parsing text: [UInt8]) throws(Malformed) {
    var rule = text[...].trimmed
    var name: [UInt8]?
    if let colon = rule.firstIndex(of: UInt8(ascii: ":")), colon + 1 < rule.endIndex,
      rule[colon + 1] == 0x20, colon > rule.startIndex,
      !rule[..<colon].contains(.slash)
    {
      name = Array(rule[..<colon])
      rule = rule[(colon + 1)...].trimmed
    }
    self.text = Array(rule)
    self.name = name ?? Array(rule)
    var rest = rule
    guard let limit = rest.takeLastWord(), let comparison = rest.takeLastWord(),
      let quantity = rest.takeLastWord(), !rest.isEmpty
    else {
      throw Malformed(
        reason: "a rule is 'PATH QUANTITY COMPARISON LIMIT', such as 'usr/var/log bytes > 10G'")
    }
    path = Array(rest)
    guard let found = Quantity(rawValue: String(decoding: quantity, as: UTF8.self)) else {
      let words = Quantity.allCases.map(\.rawValue).joined(separator: ", ")
      throw Malformed(reason: "'\(TerminalText.escaped(quantity))' is not one of \(words)")
    }
    self.quantity = found
    guard let sign = Comparison(rawValue: String(decoding: comparison, as: UTF8.self)) else {
      throw Malformed(reason: "'\(TerminalText.escaped(comparison))' is not one of >, >=, < and <=")
    }
    self.comparison = sign
    guard let number = Self.limit(limit, of: found) else {
      throw Malformed(
        reason:
          "'\(TerminalText.escaped(limit))' is not a limit of \(found.rawValue): give a number, with a "
          + "unit if it is large: \(SizeUnit.list)"
          + (found == .growth ? " and /h" : found == .events ? " and /m" : ""))
    }
    self.limit = number
  }

  private static func limit(_ text: [UInt8], of quantity: Quantity) -> Double? {
    var digits = text[...]
    let unit: String? = quantity == .growth ? "/h" : quantity == .events ? "/m" : nil
    if let unit, digits.count > 2, digits.suffix(2).elementsEqual(unit.utf8) {
      digits = digits.dropLast(2)
    }
    let isNegative = digits.first == UInt8(ascii: "-")
    if isNegative { digits = digits.dropFirst() }
    let factor = Double(SizeUnit.take(from: &digits))
    let points = digits.count { $0 == UInt8(ascii: ".") }
    guard digits.count < 20, points <= 1, digits.count > points,
      digits.allSatisfy({ 0x30...0x39 ~= $0 || $0 == UInt8(ascii: ".") }),
      let number = Double(String(decoding: digits, as: UTF8.self))
    else { return nil }
    // Only what can be below 0 has a limit there.
    if isNegative, quantity != .growth { return nil }
    return (isNegative ? -number : number) * factor
  }

  /// Whether a value is across the line.
  func holds(for value: Double) -> Bool {
    switch comparison {
    case .above: value > limit
    case .atLeast: value >= limit
    case .below: value < limit
    case .atMost: value <= limit
    }
  }

  /// Whether a value has come back by more than the margin.
  func isBack(_ value: Double) -> Bool {
    if holds(for: value) { return false }
    let room = abs(limit) * Self.margin
    switch comparison {
    case .above, .atLeast: return value <= limit - room
    case .below, .atMost: return value >= limit + room
    }
  }

  /// The rules of a file: one on each line; empty ones and those that begin with `#` don't count, and
  /// one with `off` before its name is switched off.
  ///
  /// - Throws: Why a line is none, with its number, counted from 1.
  package static func parse(file bytes: [UInt8]) throws(Malformed) -> [AlertRule] {
    var rules: [AlertRule] = []
    let lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated() {
      var line = line.trimmed
      if line.isEmpty || line.first == UInt8(ascii: "#") { continue }
      var isOff = false
      if line.starts(with: "off ".utf8) {
        let rest = line.dropFirst(4).trimmed
        let name = rest.prefix { $0 != UInt8(ascii: ":") }
        if name.count < rest.count, !name.contains(.slash) {
          isOff = true
          line = rest
        }
      }
      do throws(Malformed) {
        let rule = try AlertRule(parsing: Array(line))
        if !isOff { rules.append(rule) }
      } catch {
        throw Malformed(reason: "line \(index + 1): \(error.reason)")
      }
    }
    return rules
  }
}

extension ArraySlice<UInt8> {
  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x09 || byte == 0x0D
  }

  /// What is left without white space around it.
  fileprivate var trimmed: ArraySlice<UInt8> {
    let end = lastIndex { !Self.isSpace($0) }.map { $0 + 1 } ?? startIndex
    return self[..<end].drop(while: Self.isSpace)
  }

  /// Takes the last word off, with the white space before it.
  fileprivate mutating func takeLastWord() -> [UInt8]? {
    if isEmpty { return nil }
    let start = lastIndex(where: Self.isSpace).map { $0 + 1 } ?? startIndex
    let word = Array(self[start...])
    self = self[..<start].trimmed
    return word.isEmpty ? nil : word
  }
}

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
