import GeoCore
import GeoFormats
import GeoLive

/// The trends of sampled folders, as text and as JSON.
enum TrendText {
  static func plain(of summary: RecordingSummary) -> String {
    var text = ""
    for (path, trend) in trends(of: summary) {
      text += "  \(path.shown): \(Quantity.bytes(Int(trend.value)))"
      if let rate = trend.rate, let direction = trend.direction {
        text += "  \(direction.arrow) \(direction.rawValue), \(change(rate)) an hour"
        if let free = summary.free[path], let hours = trend.hoursUntilFull(free: free) {
          text += ", full in \(span(hours: hours))"
        }
      }
      text += "\n"
      for window in trend.windows {
        text +=
          "    \(padded("last \(window.span / 3600) h", 12))"
          + "least \(padded(Quantity.bytes(Int(window.minimum)), 12))"
          + "greatest \(padded(Quantity.bytes(Int(window.maximum)), 12))"
          + "average \(Quantity.bytes(whole(window.average)))\n"
      }
    }
    return text
  }

  static func put(_ summary: RecordingSummary, to json: inout JSONBuilder) {
    let all = trends(of: summary)
    if all.isEmpty { return }
    json.member("trends", objects: all) { row, json in
      let (path, trend) = row
      json.member("path", text: path)
      json.member("bytes", trend.value)
      if let rate = trend.rate, let direction = trend.direction {
        json.member("bytesPerHour", decimal: rate)
        json.member("direction", word: direction.rawValue)
      }
      let free = summary.free[path]
      json.member("free", free)
      json.member("hoursUntilFull", decimal: free.flatMap { trend.hoursUntilFull(free: $0) })
      json.member("windows", objects: trend.windows) { window, json in
        json.member("hours", window.span / 3600)
        json.member("least", window.minimum)
        json.member("greatest", window.maximum)
        json.member("average", decimal: window.average)
      }
    }
  }

  private static func trends(of summary: RecordingSummary) -> [([UInt8], Trend)] {
    summary.series.sorted { $0.key.lexicographicallyPrecedes($1.key) }
      .compactMap { path, series in Trend(of: series).map { (path, $0) } }
  }

  private static func change(_ rate: Double) -> String {
    let number = whole(rate)
    return (number < 0 ? "-" : "+") + Quantity.bytes(abs(number))
  }

  static func whole(_ number: Double) -> Int {
    Int(min(max(number, -9e18), 9e18).rounded())
  }

  private static func span(hours: Double) -> String {
    if hours < 48 { return "\(whole(hours)) h" }
    return hours < 1e6 ? "\(whole(hours / 24)) days" : "more than a century"
  }
}
