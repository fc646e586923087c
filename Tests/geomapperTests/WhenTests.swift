import GeoCore
import TestSupport
import Testing

@testable import geomapper

/// The times that options and operands take.
@Suite struct WhenTests {
  /// Germany in 2026: clocks go forward on 29 March and back on 25 October, at 01:00 UTC.
  private static let berlin = LocalZone { seconds in
    1_774_746_000..<1_792_890_000 ~= seconds ? 7200 : 3600
  }

  private func time(
    _ text: String, now: String, in zone: LocalZone = berlin
  ) throws(Failure) -> When? {
    guard let now = Moment.seconds(parsing: Array(now.utf8)) else { return nil }
    return try When(parsing: Array(text.utf8), now: now, zone: zone)
  }

  private func unix(_ text: String) -> When? {
    Moment.seconds(parsing: Array(text.utf8)).map { .time($0) }
  }

  @Test(arguments: [
    // 2026-03-31 is a Tuesday; the clocks went forward two days before.
    ("yesterday", "2026-03-30T00:00+02:00"), ("Monday", "2026-03-30T00:00+02:00"),
    ("sun", "2026-03-29T00:00+01:00"), ("saturday", "2026-03-28T00:00+01:00"),
    ("tuesday", "2026-03-24T00:00+01:00"), ("WED", "2026-03-25T00:00+01:00"),
    ("3d", "2026-03-28T10:00Z"), ("1w", "2026-03-24T10:00Z"), ("90s", "2026-03-31T09:58:30Z"),
    ("1mo", "2026-03-01T10:00Z"), ("1y", "2025-03-31T10:00Z"), ("now", "2026-03-31T10:00Z"),
    ("today", "2026-03-31T00:00+02:00"), ("20260329", "2026-03-29T00:00+01:00"),
    ("1h30m", "2026-03-31T08:30Z"), ("0.5s", "2026-03-31T09:59:59Z"),
    ("2026-03-29", "2026-03-29T00:00+01:00"), ("2026-03-29T01:59", "2026-03-29T01:59+01:00"),
    // Clocks skip this hour, and show that one twice.
    ("2026-03-29T02:30", "2026-03-29T03:30+02:00"), ("2026-03-29 03:00", "2026-03-29T01:00Z"),
    ("2025-10-26T02:30", "2025-10-26T02:30+01:00"), ("2026-03-29T02:30Z", "2026-03-29T02:30Z"),
    ("2026-03-29T02:30-05:00", "2026-03-29T07:30Z"), ("@77", "1970-01-01T00:01:17Z"),
  ])
  func aTimeIsLocal(text: String, meaning: String) throws {
    #expect(try time(text, now: "2026-03-31T10:00Z") == unix(meaning), "\(text)")
  }

  /// A clock shows one hour twice in autumn.
  @Test(arguments: [
    ("2026-10-25T02:30", "2026-10-25T02:30+02:00"), ("2026-10-25T03:00", "2026-10-25T02:00Z"),
    ("2026-10-26", "2026-10-26T00:00+01:00"),
  ])
  func anHourThatComesTwiceIsTheFirst(text: String, meaning: String) throws {
    #expect(try time(text, now: "2026-12-01") == unix(meaning), "\(text)")
  }

  @Test func parsesWordsAndFractions() throws {
    #expect(try time("first", now: "2026-03-31") == .first)
    #expect(try time("LAST", now: "2026-03-31") == .last)
    let exact = try time("2026-03-31T10:00:00.250Z", now: "2026-04-01")
    #expect(exact == .time(1_774_951_200, millisecond: 250))
    for text in ["", "x", "mo", "mond", "3x", "2026-13-01", "2026-1-1", "-3d"] {
      #expect(try time(text, now: "2026-03-31") == nil, "\(text)")
    }
  }

  @Test(arguments: [
    ("90", "without a unit"), ("2026", "without a unit"), ("20261301", "without a unit"),
    ("1.5", "without a unit"), ("2026-04-01", "in the future"), ("20260401", "in the future"),
    ("2026-03-31T10:00:01Z", "in the future"), ("@9999999999", "in the future"),
  ])
  func aNumberAndTheFutureAreRefused(text: String, reason: String) {
    do throws(Failure) {
      let time = try time(text, now: "2026-03-31T10:00Z", in: .utc)
      Issue.record("\(text) is \(String(describing: time))")
    } catch {
      #expect(error.message.contains(reason), "\(error.message)")
    }
  }

  /// What the text doesn't say in full is printed.
  @Test(arguments: [
    ("2026-01-31T12:00Z", true), ("2026-01-31T12:00+02:00", true), ("@5", true), ("7d", false),
    ("today", false), ("2026-01-31T12:00", false),
  ])
  func anExactTextIsNotRepeated(text: String, isExact: Bool) throws {
    let time = try GivenTime(parsing: Array(text.utf8))
    #expect((time.exactText == nil) == isExact && time.seconds != nil)
    #expect(throws: Failure.self) { try GivenTime(parsing: Array("x".utf8)) }
    #expect(try GivenTime(parsing: Array("x".utf8), mayBeFile: true).seconds == nil)
    #expect(throws: Failure.self) { try GivenTime(parsing: Array("last".utf8)) }
  }

  /// The midnight that a day lacks is its first moment.
  @Test func missingMidnightIsTheFirstMoment() throws {
    // São Paulo in 2018: clocks went forward at midnight on 4 November.
    let zone = LocalZone { $0 < 1_541_300_400 ? -10_800 : -7200 }
    #expect(try time("2018-11-04", now: "2018-11-06", in: zone) == .time(1_541_300_400))
    #expect(try time("sunday", now: "2018-11-06T12:00Z", in: zone) == .time(1_541_300_400))
  }

  /// Every time that clocks show is found again, and days of the week are 1 to 7 days back.
  @Test func localTimesRoundTrip() throws {
    let property = Property<(time: Int64, change: Int64, east: [Int64])>(
      "local times",
      generate: { generator in
        let time = Int64.random(in: -4_000_000_000...4_000_000_000, using: &generator)
        return (
          time, time + Int64.random(in: -90_000...90_000, using: &generator),
          (0..<2).map { _ in 900 * Int64.random(in: -48...56, using: &generator) }
        )
      },
      fault: { given in
        let zone = LocalZone { $0 < given.change ? given.east[0] : given.east[1] }
        let local = zone.localSeconds(at: given.time)
        let found = zone.unixSeconds(ofLocal: local)
        if zone.localSeconds(at: found) != local || found > given.time {
          return "\(given.time) became \(found)"
        }
        let back = (0..<7).map { day -> Int64 in
          let names = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]
          guard
            case .time(let seconds, _)? = try? When(
              parsing: Array(names[day].utf8), now: given.time, zone: zone)
          else { return -1 }
          return given.time - seconds
        }
        let days = Set(back.map { ($0 + 43_200) / 86_400 })
        return back.allSatisfy { 0...(9 * 86_400) ~= $0 } && days.count >= 5
          ? nil : "days of the week are \(back) seconds back"
      })
    #expect(try property.counterexample(cases: 2000) == nil)
  }
}
