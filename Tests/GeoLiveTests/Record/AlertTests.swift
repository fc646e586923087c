import GeoCore
import TestSupport
import Testing

@testable import GeoLive

@Suite struct AlertTests {
  private static let second: Int64 = 1_000_000_000

  private func rule(_ text: String) throws -> AlertRule {
    try AlertRule(parsing: Array(text.utf8))
  }

  @Test func readsRules() throws {
    let logs = try rule("usr/var/log bytes > 10G")
    #expect(logs.path == Array("usr/var/log".utf8) && logs.quantity == .bytes)
    #expect(logs.comparison == .above && logs.limit == 10 * 1024 * 1024 * 1024)
    #expect(logs.name == logs.text)
    let named = try rule("  too much:  my files/a b   growth >= 1.5M/h ")
    #expect(named.name == Array("too much".utf8) && named.path == Array("my files/a b".utf8))
    #expect(named.limit == 1.5 * 1024 * 1024 && named.comparison == .atLeast)
    #expect(named.text == Array("my files/a b   growth >= 1.5M/h".utf8))
    #expect(try rule("usr growth < -500k/h").limit == -500 * 1024)
    #expect(try rule("usr growth < -500k/h").span == .hour)
    let daily = try rule("usr growth > 10G/d")
    #expect(daily.limit == 10 * 1024 * 1024 * 1024 && daily.span == .day)
    #expect(try rule("usr growth > 1/w").span == .week)
    #expect(try rule("usr bytes > 1.5GB").limit == 1_500_000_000)
    #expect(try rule("usr growth > 100MiB/h").limit == 100 * 1024 * 1024)
    #expect(try rule("usr events > 1000/m").limit == 1000)
    #expect(try rule("usr free <= 0").limit == 0)
  }

  @Test(arguments: [
    "", "usr", "usr bytes", "usr bytes >", "bytes > 1", "usr weight > 1", "usr bytes = 1",
    "usr bytes > much", "usr bytes > 1.2.3", "usr bytes > -1", "usr bytes > 1/h", "usr bytes > .",
    "usr bytes > 1e9", "usr bytes > inf", "usr bytes > 1/d", "usr events > 1/d",
    "usr growth > 1/y", "usr growth > /d", "usr bytes > 10 GB", "usr bytes < 0", "usr free < 0k",
  ])
  func refusesMalformedRules(text: String) {
    #expect(throws: Failure.self) { try rule(text) }
  }

  @Test func namesTheWordThatIsWrong() throws {
    for (text, reason) in [
      ("usr bytes > 10 GB", "'10 GB' after > is not a limit"),
      ("usr bytes = 1", "'=' is not one of"), ("usr weight > 1", "'weight' is not one of"),
      ("usr files < 0", "'< 0' is never true of files"),
    ] {
      #expect {
        try rule(text)
      } throws: { ($0 as? Failure)?.message.contains(reason) == true }
    }
  }

  @Test func readsFiles() throws {
    let text = "# mine\n\nlogs: usr/log bytes > 1\r\noff more: usr files > 2\noff files < 3\n"
    let rules = try AlertRule.parse(file: Array(text.utf8))
    // Without a name before it, 'off' is a folder.
    #expect(rules.map(\.path) == [Array("usr/log".utf8), Array("off".utf8)])
    #expect {
      _ = try AlertRule.parse(file: Array("usr files > 1\nnonsense\n".utf8))
    } throws: { ($0 as? Failure)?.message.hasPrefix("line 2: ") == true }
  }

  /// An alert is raised once, until the value has returned by the margin, and not again within the
  /// cooldown.
  @Test func isRaisedOnce() throws {
    var state = AlertState(try rule("usr files > 100"), cooldown: 600 * Self.second)
    var reported: [String] = []
    for (second, value) in [
      (0, 50.0), (1, 101), (2, 200), (3, 99), (4, 101), (5, 95), (6, 101), (500, 300), (601, 102),
      (602, 96), (603, 94), (1000, 50), (1202, 101),
    ] as [(Int64, Double)] {
      if let what = state.update(value, at: second * Self.second) {
        reported.append("\(second) \(what)")
      }
    }
    #expect(reported == ["1 raised", "5 cleared", "601 raised", "603 cleared", "1202 raised"])
    #expect(state.update(nil, at: 9_000 * Self.second) == nil && state.isRaised)
  }

  @Test func lowerLimitsClearUpwards() throws {
    var state = AlertState(try rule("usr free < 1000"), cooldown: 0)
    #expect(state.update(1000, at: 0) == nil)
    #expect(state.update(999, at: 1) == .raised)
    #expect(state.update(1049, at: 2) == nil)
    #expect(state.update(1050, at: 3) == .cleared)
    #expect(state.update(999, at: 4) == .raised)
  }

  /// Compared with a list of all times.
  @Test func countsEventsOfTheLastMinute() {
    var generator = SeededGenerator(seed: 4)
    var window = EventWindow()
    var times: [Int64] = []
    var now: Int64 = 5 * Self.second
    for _ in 0..<3000 {
      now += Int64(generator.number(in: 0...(generator.chance(0.01) ? 100 : 1))) * Self.second
      if generator.chance(0.7) {
        window.add(at: now)
        times.append(now)
      }
      let expected = times.count { now / Self.second - $0 / Self.second < 60 }
      #expect(window.count(at: now) == expected)
    }
  }

  @Test func isCheckedOncePerSecond() throws {
    var board = AlertBoard(
      [
        try rule("usr bytes > 10"), try rule("usr/a events >= 2/m"), try rule("usr growth > 1k/h"),
        try rule("usr growth > 100M/d"),
      ],
      cooldown: 0)
    var bytes: Int64 = 5
    var asked = 0
    func evaluate(at second: Double) -> [String] {
      board.evaluate(at: Int64(second * 1e9)) { _, _ in
        asked += 1
        return AlertBoard.Facts(size: bytes, files: 0, free: nil)
      }.map { "\(String(decoding: $0.rule, as: UTF8.self)) \($0.state)" }
    }
    #expect(evaluate(at: 1).isEmpty && asked == 4)
    bytes = 20
    #expect(evaluate(at: 1.5).isEmpty && asked == 4)
    #expect(evaluate(at: 2) == ["usr bytes > 10 raised"])
    for path in ["usr/a", "usr/ab", "usr/a/b", "usr"] {
      board.count(Array(path.utf8), at: 3_000_000_000)
    }
    #expect(evaluate(at: 3) == ["usr/a events >= 2/m raised"])
    bytes = 10_000
    #expect(evaluate(at: 60).isEmpty)
    // After a minute, ten kilobytes a minute exceed one kilobyte an hour.
    #expect(evaluate(at: 61.5) == ["usr growth > 1k/h raised"])
    #expect(evaluate(at: 64) == ["usr/a events >= 2/m cleared"])
  }
}
