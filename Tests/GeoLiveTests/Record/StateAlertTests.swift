import GeoCore
import TestSupport
import Testing

@testable import GeoLive

/// Alerts between kept states.
@Suite struct StateAlertTests {
  private static let second: Int64 = 1_000_000_000
  private static let day = 86_400 * second
  private let scope = Array("machine /home".utf8)

  private func rule(_ text: String) throws -> AlertRule {
    try AlertRule(parsing: Array(text.utf8))
  }

  /// Evaluates one state after another, each in a run of its own, and returns what changed.
  private func evaluate(
    _ rules: [AlertRule], at day: Double, since before: Double?, bytes: Int64?, was: Int64?,
    cooldown: Int64 = 0, _ memory: inout AlertMemory
  ) throws -> [String] {
    let time = Int64(day * Double(Self.day))
    // Memories are kept as text between the runs.
    let kept = try AlertMemory(of: scope, parsing: memory.text)
    #expect(kept == memory)
    var alerts = StateAlerts(rules, cooldown: cooldown, after: kept, at: time)
    let changed = alerts.evaluate(
      at: time, since: before.map { Int64($0 * Double(Self.day)) },
      facts: { path in
        bytes.map { AlertBoard.Facts(size: $0, files: 7, free: path == [0x61] ? 5 : nil) }
      }, earlier: { _ in was })
    memory = alerts.remembered
    return changed.map { "\(String(decoding: $0.rule, as: UTF8.self)) \($0.state) \($0.value)" }
  }

  @Test func growthIsMeasuredBetweenTwoStates() throws {
    var memory = AlertMemory(of: scope)
    let rules = try ["a growth > 10M/d", "a growth > 60M/w", "a growth > 1M"].map(rule)
    #expect(rules.map(\.span) == [.day, .week, .hour])
    // The first state has nothing before it.
    #expect(try evaluate(rules, at: 1, since: nil, bytes: 1 << 40, was: nil, &memory).isEmpty)
    // Twenty megabytes in two days: ten a day, seventy a week.
    let grown = Int64(20 << 20)
    #expect(
      try evaluate(rules, at: 3, since: 1, bytes: grown, was: 0, &memory)
        == ["a growth > 60M/w raised \(Double(70 << 20))"])
    #expect(
      try evaluate(rules, at: 3.5, since: 3, bytes: 3 * grown, was: grown, &memory)
        == [
          "a growth > 10M/d raised \(Double(80 << 20))",
          "a growth > 1M raised \(Double(80 << 20) / 24)",
        ])
  }

  @Test func growthNeedsElapsedTime() throws {
    var memory = AlertMemory(of: scope)
    let rules = [try rule("a growth > 1/w")]
    let minute = 60.0 / 86_400
    for before in [1.0, 1.0 - minute / 2, 2] {
      #expect(try evaluate(rules, at: 1, since: before, bytes: 9, was: 0, &memory).isEmpty)
    }
    #expect(try evaluate(rules, at: 1, since: 1 - 2 * minute, bytes: 9, was: nil, &memory).isEmpty)
    #expect(try evaluate(rules, at: 1, since: 1 - 2 * minute, bytes: nil, was: 9, &memory).isEmpty)
    #expect(try evaluate(rules, at: 1, since: 1 - 2 * minute, bytes: 9, was: 0, &memory).count == 1)
  }

  @Test func otherQuantitiesUseTheNewState() throws {
    var memory = AlertMemory(of: scope)
    let rules = try ["a bytes > 10", "a files >= 7", "a free < 6", "b free < 6", "a events > 0"]
      .map(rule)
    #expect(try evaluate(rules, at: 0, since: nil, bytes: 11, was: nil, &memory).isEmpty)
    #expect(
      try evaluate(rules, at: 1, since: 0, bytes: 11, was: nil, &memory)
        == ["a bytes > 10 raised 11.0", "a files >= 7 raised 7.0", "a free < 6 raised 5.0"])
    #expect(rules.filter { !StateAlerts.knows($0.quantity) } == [rules[4]])
  }

  /// A folder that could not be read may have more, not less.
  @Test func unknownValuesChangeNoAlert() throws {
    let rules = try ["a bytes < 100", "a bytes > 100", "a files > 3"].map(rule)
    var memory = AlertMemory(of: scope)
    func evaluate(_ bytes: Int64, isPartial: Bool) throws -> [String] {
      var alerts = StateAlerts(rules, cooldown: 0, after: memory, at: Self.day)
      let changed = alerts.evaluate(
        at: Self.day, since: 0,
        facts: { _ in AlertBoard.Facts(size: bytes, files: 1, free: nil, isPartial: isPartial) },
        earlier: { _ in nil })
      memory = alerts.remembered
      return changed.map { "\(String(decoding: $0.rule, as: UTF8.self)) \($0.state)" }
    }
    #expect(try evaluate(50, isPartial: true).isEmpty)
    #expect(try evaluate(500, isPartial: true) == ["a bytes > 100 raised"])
    #expect(try evaluate(50, isPartial: true).isEmpty)
    #expect(
      try evaluate(50, isPartial: false) == ["a bytes < 100 raised", "a bytes > 100 cleared"])
    #expect(try evaluate(50, isPartial: true).isEmpty)
    #expect(
      try evaluate(106, isPartial: true) == ["a bytes < 100 cleared", "a bytes > 100 raised"])
  }

  /// An alert is raised once over all runs, and not again within the cooldown.
  @Test func alertsAreRememberedBetweenRuns() throws {
    var memory = AlertMemory(of: scope)
    let rules = [try rule("a bytes > 100")]
    var reported: [String] = []
    for (day, bytes) in [(0, 50), (1, 101), (2, 200), (3, 99), (4, 90), (5, 300), (8, 300), (9, 0)]
      as [(Double, Int64)]
    {
      let changed = try evaluate(
        rules, at: day, since: day - 1, bytes: bytes, was: nil, cooldown: 5 * Self.day, &memory)
      reported += changed.map { "\(Int(day)) \($0.split(separator: " ")[4])" }
    }
    #expect(reported == ["1 raised", "4 cleared", "8 raised", "9 cleared"])
    // A clock that was wrong doesn't silence an alert.
    #expect(
      try evaluate(rules, at: 2, since: 1, bytes: 500, was: nil, cooldown: Self.day, &memory).count
        == 1)
  }

  @Test func memoriesOfOtherScopesStay() throws {
    var memory = AlertMemory(of: scope)
    let (mine, theirs) = (try rule("a bytes > 1"), try rule("x: a bytes > 1"))
    memory[theirs] = AlertMemory.Entry(isRaised: true, lastRaised: 5)
    #expect(try evaluate([mine], at: 1, since: 0, bytes: 5, was: nil, &memory).count == 1)
    #expect(memory[theirs] == AlertMemory.Entry(isRaised: true, lastRaised: 5))
    // The same file serves other folders.
    let others = try AlertMemory(of: Array("machine /srv".utf8), parsing: memory.text)
    #expect(others[mine] == nil && others[theirs] == nil && others.text == memory.text)
  }

  @Test(arguments: [
    "", "x\n", "geomapper alerts 2\n", "geomapper alerts 1\nx raised 1\n",
    "geomapper alerts 1\n\(String(repeating: "a", count: 64)) risen 1\n",
    "geomapper alerts 1\n\(String(repeating: "a", count: 64)) raised -1\n",
  ])
  func damagedMemoriesAreRefused(text: String) {
    #expect(throws: Failure.self) { try AlertMemory(of: scope, parsing: Array(text.utf8)) }
  }
}
