import GeoCore
import GeoFormats
import GeoLive

/// How fast a folder has grown since a kept state, and when its disk will be full, as text and as
/// JSON.
struct GrowthText {
  /// The time that the user asked for: as typed, and in Unix seconds; nil for none.
  var wanted: (text: [UInt8], seconds: Int64)?
  /// Bytes at Unix times in seconds, oldest first; nil if sizes are unknown.
  let values: [(time: Int64, bytes: Int64)]?
  let measure: SizeMeasure
  let free: Int64?

  private var forecast: Forecast {
    // Apparent sizes fill no disk.
    values != nil && measure != .allocated ? .unknown(.notOnDisk) : Forecast(values, free: free)
  }

  /// Bytes a day between the first and the last value; nil if they are too close in time.
  private var bytesPerDay: Double? { values.flatMap { Forecast.rate(of: $0) }.map { $0 * 24 } }

  // MARK: Text

  var asked: String {
    guard let wanted else { return "" }
    return padded("since", 9) + wanted.text.shown + ", "
      + CivilTime.text(unixSeconds: wanted.seconds) + "\n"
  }

  var text: String {
    var text = ""
    if let bytesPerDay {
      text += padded("rate", 9) + Quantity.signed(Self.whole(bytesPerDay)) + " a day, "
      text += Quantity.signed(Self.whole(bytesPerDay * 7)) + " a week\n"
    }
    return text + padded("full", 9) + Self.words(forecast)
      + (free.map { ", \(Quantity.bytes(Int(clamping: $0))) free" } ?? "") + "\n"
  }

  private static func whole(_ number: Double) -> Int64 { Int64(TrendText.whole(number)) }

  /// A forecast in words: `in 40 to 60 days`.
  static func words(_ forecast: Forecast) -> String {
    switch forecast {
    case .unknown(let reason): return "can't be said: \(reason.rawValue)"
    case .full(let hours, let earliest?, let latest):
      let unit = Unit(hours: hours)
      let low = unit.amount(earliest)
      guard let latest else { return "in \(unit.words(low)) or later" }
      let high = unit.amount(latest)
      if high == .max { return "in \(unit.words(low)) or later" }
      return low == high ? "in \(unit.words(low))" : "in \(low.grouped) to \(unit.words(high))"
    case .full(let hours, nil, _):
      let unit = Unit(hours: hours)
      return "in about \(unit.words(unit.amount(hours))); how exact that is takes a third state"
    }
  }

  private struct Unit {
    let name: String
    let hours: Double

    /// The unit in which a time is neither very short nor very long.
    init(hours: Double) {
      (name, self.hours) =
        hours < 48 ? ("hour", 1) : hours < 730 * 24 ? ("day", 24) : ("year", 365.25 * 24)
    }

    /// A time in this unit; `.max` above a century.
    func amount(_ hours: Double) -> Int {
      hours > 100 * 365.25 * 24 ? .max : Int((hours / self.hours).rounded())
    }

    func words(_ amount: Int) -> String {
      amount == .max ? "more than a century" : Quantity.count(amount, name)
    }
  }

  // MARK: JSON

  func put(to json: inout JSONBuilder) {
    if let wanted {
      json.member("since") { json in
        json.member("text", text: wanted.text, raw: "rawText")
        json.member("time", moment: wanted.seconds)
      }
    }
    if let bytesPerDay {
      json.member("bytesPerDay", Self.whole(bytesPerDay))
      json.member("bytesPerWeek", Self.whole(bytesPerDay * 7))
    }
    json.member("free", free)
    json.member("full") { json in
      switch forecast {
      case .unknown(let reason): json.member("unknown", word: reason.rawValue)
      case .full(let hours, let earliest, let latest):
        for (name, value) in [("days", hours), ("earliestDays", earliest), ("latestDays", latest)] {
          json.member(name, decimal: value.map { $0 / 24 })
        }
      }
    }
  }
}
