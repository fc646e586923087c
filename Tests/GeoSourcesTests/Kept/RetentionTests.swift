import Foundation
import GeoCore
import TestSupport
import Testing

@testable import GeoSources

/// Which states are retained.
@Suite struct RetentionTests {
  private func state(_ seconds: Int64, _ number: Int) -> KeptState {
    var state = KeptState(roots: [])
    (state.seconds, state.number, state.id) = (seconds, UInt64(number), Array("\(number)".utf8))
    return state
  }

  /// The periods of the calendar that a time is in.
  private func period(_ unit: Retention.Unit, _ seconds: Int64) -> [Int] {
    var calendar = Calendar(identifier: .iso8601)
    calendar.timeZone = TimeZone(secondsFromGMT: 0) ?? .current
    let parts = calendar.dateComponents(
      [.year, .month, .day, .hour, .weekOfYear, .yearForWeekOfYear],
      from: Date(timeIntervalSince1970: Double(seconds)))
    let day = [parts.year, parts.month, parts.day].map { $0 ?? 0 }
    switch unit {
    case .hours: return day + [parts.hour ?? 0]
    case .days: return day
    case .weeks: return [parts.yearForWeekOfYear ?? 0, parts.weekOfYear ?? 0]
    case .months: return Array(day.prefix(2))
    }
  }

  /// The states that stay, by the definition: slow and plain.
  private func model(_ states: [KeptState], _ counts: [Retention.Unit: Int]) -> Set<UInt64> {
    let sorted = states.sorted { $0.isEarlier(than: $1) }
    var kept = Set([sorted.first, sorted.last].compactMap { $0?.number })
    if let last = states.map(\.number).max() { kept.insert(last) }
    if let first = states.map(\.number).min() { kept.insert(first) }
    for (unit, count) in counts {
      var last: [[Int]: UInt64] = [:]
      var order: [[Int]] = []
      for state in sorted {
        let period = period(unit, state.seconds)
        if last[period] == nil { order.append(period) }
        last[period] = state.number
      }
      for period in order.suffix(count) { kept.insert(last[period] ?? 0) }
    }
    return kept
  }

  @Test func itRetainsTheLastOfEachPeriod() throws {
    let property = Property<[Int64]>("retention") { generator in
      let start = Int64(generator.number(in: -10_000_000...1_900_000_000))
      let step = [60, 4000, 40_000, 500_000][generator.number(in: 0...3)]
      var time = start
      return (0..<generator.number(in: 0...60)).map { _ in
        time += Int64(generator.number(in: -step / 4...step))
        return time
      }
    } shrink: { times in
      times.indices.map { index in times.enumerated().filter { $0.offset != index }.map(\.element) }
    } fault: { times in
      let states = times.enumerated().map { self.state($0.element, $0.offset + 1) }
      let all: [[Retention.Unit: Int]] = [
        [.hours: 24, .days: 7, .weeks: 4, .months: 12], [.days: 3], [.weeks: 2, .months: 1], [:],
      ]
      for counts in all {
        let dropped = Set(Retention(counts: counts).dropped(of: states.shuffled()).map(\.number))
        let expected = Set(states.map(\.number)).subtracting(self.model(states, counts))
        if dropped != expected { return "\(counts): dropped \(dropped), not \(expected)" }
        let rest = states.filter { !dropped.contains($0.number) }
        let again = Retention(counts: counts).dropped(of: rest)
        if !again.isEmpty { return "\(counts): a second time drops \(again.map(\.number))" }
      }
      return Retention.all.dropped(of: states).isEmpty ? nil : "all drops something"
    }
    let found = try property.counterexample(cases: 200)
    #expect(found == nil, "\(found.map(String.init(describing:)) ?? "")")
  }

  @Test func rulesAreParsed() throws {
    func parsed(_ text: String) throws -> Retention { try Retention(parsing: Array(text.utf8)) }
    #expect(try parsed("hours=24,days=7,weeks=4,months=12") == .default)
    #expect(try parsed("all") == .all)
    #expect(try parsed("days=30").counts == [.days: 30])
    for text in ["", "days", "days=", "days=-1", "days=1,days=2", "days=x", "years=1", "days=1,"] {
      #expect(throws: Failure.self, "\(text)") { try parsed(text) }
    }
  }
}
