import GeoCore

/// Which states of a series to retain: the last one of each of the last hours, days, weeks and
/// months that have one, by UTC. Weeks begin on Monday.
///
/// The first and the newest are always retained.
package struct Retention: Sendable, Hashable {
  package enum Unit: String, CaseIterable, Sendable {
    case hours, days, weeks, months

    func period(of seconds: Int64) -> Int64 {
      func floored(_ a: Int64, _ b: Int64) -> Int64 { a >= 0 ? a / b : -((b - 1 - a) / b) }
      let day = floored(seconds, 86_400)
      switch self {
      case .hours: return floored(seconds, 3_600)
      case .days: return day
      // 1 January 1970 was a Thursday.
      case .weeks: return floored(day + 3, 7)
      case .months:
        // Days since 1 March of year 0; years begin in March (Hinnant, civil_from_days).
        let shifted = day + 719_468
        let era = floored(shifted, 146_097)
        let dayOfEra = shifted - era * 146_097
        let year =
          (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * year + year / 4 - year / 100)
        return (era * 400 + year) * 12 + (5 * dayOfYear + 2) / 153
      }
    }
  }

  /// Nil retains everything.
  package var counts: [Unit: Int]?

  package static let `default` = Retention(counts: [.hours: 24, .days: 7, .weeks: 4, .months: 12])

  package static let all = Retention(counts: nil)

  package init(counts: [Unit: Int]?) { self.counts = counts }

  /// Units that are not named have none.
  package init(parsing text: [UInt8]) throws(Failure) {
    if text.elementsEqual("all".utf8) {
      self = .all
      return
    }
    var counts: [Unit: Int] = [:]
    for part in text.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false) {
      let word = part.prefix { $0 != UInt8(ascii: "=") }
      guard word.endIndex < part.endIndex,
        let unit = Unit(rawValue: String(decoding: word, as: UTF8.self)), counts[unit] == nil,
        let number = Int64(wholeNumber: part[(word.endIndex + 1)...]), number <= 1_000_000
      else {
        throw .usage(
          "'\(TerminalText.escaped(text))' is not a rule (try "
            + "hours=24,days=7,weeks=4,months=12, or all)")
      }
      counts[unit] = Int(number)
    }
    self.counts = counts
  }

  package func dropped(of series: [KeptState]) -> [KeptState] {
    guard let counts else { return [] }
    let states = series.sorted { $0.isEarlier(than: $1) }
    var kept = Set([states.first?.id, states.last?.id].compactMap(\.self))
    // If the clock was set back, the newest is not the last by time.
    for end in [states.min { $0.number < $1.number }, states.max { $0.number < $1.number }] {
      if let end { kept.insert(end.id) }
    }
    for (unit, count) in counts {
      var periods: Set<Int64> = []
      for state in states.reversed() {
        let period = unit.period(of: state.seconds)
        if periods.contains(period) { continue }
        if periods.count == count { break }
        periods.insert(period)
        kept.insert(state.id)
      }
    }
    return states.filter { !kept.contains($0.id) }
  }
}
