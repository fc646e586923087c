import GeoAtlas
import GeoCore
import GeoFormats
import GeoLive
import GeoProjection
import GeoSystem

/// `geomapper recordings info`: shows the contents of recordings.
enum RecordingInfo {
  static func run(_ names: [[UInt8]], _ run: Run, as format: FileFormat) throws(Failure) {
    _ = try run.place
    let low = run.low
    var text: [UInt8] = []
    for name in names {
      let file = try RecordingFile.named(name, low)
      let reader = try file.read()
      var summary = RecordingSummary(reader.metadata, compared: low.record.compared)
      file.show(in: run.progress, as: names.count > 1 ? file.shown : "")
      summary.fault = EventExport.forEach(reader) { summary.add($0) }
      Progress.wipe()
      run.add(summary.fault, endingEarly: file.shown)
      if let compared = low.record.compared {
        text += try EventComparison.text(of: summary, compared, file.shown)
      } else if format == .json {
        text += json(of: summary, name)
      } else {
        text += Array(((text.isEmpty ? "" : "\n") + plain(of: summary, file.shown)).utf8)
      }
    }
    try run.write(text)
  }

  static func putTime(_ name: String, _ milliseconds: Int64, to json: inout JSONBuilder) {
    json.member(name, text: Array(TrackInfo.moment(milliseconds).utf8))
  }

  private static func plain(of summary: RecordingSummary, _ shown: String) -> String {
    let metadata = summary.metadata
    var lines: [(String, String)] = []
    if let name = metadata.name { lines.append(("name", TerminalText.escaped(name))) }
    if !metadata.tags.isEmpty {
      lines.append(("tags", metadata.tags.map { TerminalText.escaped($0) }.joined(separator: ", ")))
    }
    lines.append(("recorded", TrackInfo.moment(metadata.recordedAt)))
    if !metadata.device.isEmpty {
      lines.append(
        (
          "on",
          TerminalText.escaped(metadata.device) + ", "
            + TerminalText.escaped(metadata.systemVersion)
        ))
    }
    if !metadata.roots.isEmpty {
      lines.append(
        ("roots", metadata.roots.map { TerminalText.escaped($0) }.joined(separator: ", ")))
    }
    lines.append(("duration", TimeSpan.text(seconds: summary.duration)))
    let types = summary.types.sorted { $0.key < $1.key }
      .map { "\($0.value.grouped) \($0.key)" }.joined(separator: ", ")
    lines.append(
      ("events", summary.count.grouped + (types.isEmpty ? "" : ": \(types)")))
    if !summary.changes.isEmpty {
      lines.append(
        (
          "changes",
          summary.changes.sorted { $0.key < $1.key }
            .map { "\($0.value.grouped) \($0.key)" }.joined(separator: ", ")
        ))
    }
    if let bounds = summary.bounds {
      lines.append(("bounds", "\(bounds.west),\(bounds.south),\(bounds.east),\(bounds.north)"))
    }
    if summary.length > 0 { lines.append(("way", NodeText.distance(summary.length))) }
    return "\(shown)\n" + lines.map { "  \(padded($0, 10))\($1)\n" }.joined()
      + alerts(of: summary) + TrendText.plain(of: summary)
  }

  /// Each alert on a line.
  private static func alerts(of summary: RecordingSummary) -> String {
    var text = summary.alerts.map { time, alert in
      let name = alert.name == alert.rule ? "" : "\(TerminalText.escaped(alert.name)): "
      return "  \(padded("alert", 10))\(TimeSpan.text(seconds: time)) \(alert.state.rawValue): "
        + "\(name)\(TerminalText.escaped(alert.rule)) (\(alert.valueText))\n"
    }.joined()
    let more = (summary.types["alert"] ?? 0) - summary.alerts.count
    if more > 0 { text += "  \(padded("", 10))and \(Quantity.count(more, "more alert"))\n" }
    return text
  }

  private static func put(_ alert: RecordedAlert, at time: Double, to json: inout JSONBuilder) {
    json.object { json in
      json.key("relativeTime")
      json.value(time)
      json.member("name", text: alert.name)
      json.member("path", text: alert.path)
      json.member("rule", text: alert.rule)
      json.key("value")
      json.value(alert.value)
      json.key("limit")
      json.value(alert.limit)
      json.member("state", text: Array(alert.state.rawValue.utf8))
    }
  }

  private static func json(of summary: RecordingSummary, _ name: [UInt8]) -> [UInt8] {
    JSONBuilder.line { json in
      json.member("file", text: name)
      putTime("recordedAt", summary.metadata.recordedAt, to: &json)
      if let name = summary.metadata.name { json.member("name", text: name) }
      json.key("duration")
      json.value(summary.duration)
      json.member("events", Int64(summary.count))
      json.key("types")
      json.object { json in
        for (type, count) in summary.types.sorted(by: { $0.key < $1.key }) {
          json.member(type, Int64(count))
        }
      }
      json.key("changes")
      json.object { json in
        for (change, count) in summary.changes.sorted(by: { $0.key < $1.key }) {
          json.member(change, Int64(count))
        }
      }
      if let bounds = summary.bounds {
        json.member("bbox", each: [bounds.west, bounds.south, bounds.east, bounds.north]) {
          number, json in
          json.value(number)
        }
      }
      if !summary.alerts.isEmpty {
        json.key("alerts")
        json.array { json in
          for (time, alert) in summary.alerts { put(alert, at: time, to: &json) }
        }
      }
      TrendText.put(summary, to: &json)
      if let fault = summary.fault { json.member("fault", text: Array("\(fault)".utf8)) }
    }
  }
}

/// A comparison of two events of a recording: a table with a row for each member.
struct EventComparison {
  private struct Row {
    var name: String
    var first = ""
    var second = ""
    var difference = ""
  }

  private var rows: [Row] = []

  /// The table.
  ///
  /// - Parameters:
  ///   - summary: The summary with the two events.
  ///   - numbers: The numbers of the events, from 1.
  ///   - shown: The recording's name in messages.
  static func text(
    of summary: RecordingSummary, _ numbers: (Int, Int), _ shown: String
  ) throws(Failure) -> [UInt8] {
    guard let a = summary.first, let b = summary.second else {
      throw .usage(
        "\(shown) has \(Quantity.count(summary.count, "event")): there is no "
          + "\(summary.first == nil ? numbers.0 : numbers.1) to compare")
    }
    var table = EventComparison()
    table.rows.append(Row(name: "event", first: "\(numbers.0)", second: "\(numbers.1)"))
    table.add("type", Array(a.type.utf8), Array(b.type.utf8))
    table.rows.append(
      Row(
        name: "time", first: TrackInfo.moment(a.timestamp), second: TrackInfo.moment(b.timestamp),
        difference: signed(b.relativeTime - a.relativeTime) + " s"))
    table.add("path", a.location?.path ?? a.sample?.path, b.location?.path ?? b.sample?.path)
    table.add(a.location, b.location)
    table.add(a.sample, b.sample)
    if let a = a.location, let b = b.location {
      let distance = a.position.distance(to: b.position)
      table.rows.append(Row(name: "distance", difference: NodeText.distance(distance)))
    }
    return Array(table.text.utf8)
  }

  private mutating func add(_ a: RecordedLocation?, _ b: RecordedLocation?) {
    add(
      "change", a?.change.map { Array($0.rawValue.utf8) },
      b?.change.map { Array($0.rawValue.utf8) })
    add("latitude", a?.latitude, b?.latitude)
    add("longitude", a?.longitude, b?.longitude)
    add("altitude", a?.altitude, b?.altitude)
    // Negative values mean unknown.
    add("course", Self.known(a?.course), Self.known(b?.course))
    add("speed", Self.known(a?.speed), Self.known(b?.speed))
    add("size", a?.size.map { Double($0) }, b?.size.map { Double($0) })
  }

  private mutating func add(_ a: RecordedSample?, _ b: RecordedSample?) {
    add("files", a.map { Double($0.files) }, b.map { Double($0.files) })
    add("folders", a.map { Double($0.folders) }, b.map { Double($0.folders) })
    add("bytes", a.map { Double($0.bytes) }, b.map { Double($0.bytes) })
    add("allocated", a.map { Double($0.allocated) }, b.map { Double($0.allocated) })
    add("free", a?.free.map { Double($0) }, b?.free.map { Double($0) })
  }

  /// Adds a row of numbers with their difference, unless both are unknown.
  private mutating func add(_ name: String, _ a: Double?, _ b: Double?) {
    if a == nil, b == nil { return }
    var row = Row(name: name, first: a.map(Self.plain) ?? "", second: b.map(Self.plain) ?? "")
    if let a, let b { row.difference = Self.signed(b - a) }
    rows.append(row)
  }

  /// Adds a row of texts, unless both are unknown.
  private mutating func add(_ name: String, _ a: [UInt8]?, _ b: [UInt8]?) {
    if a == nil, b == nil { return }
    rows.append(
      Row(
        name: name, first: a.map { TerminalText.escaped($0) } ?? "",
        second: b.map { TerminalText.escaped($0) } ?? "", difference: a == b ? "" : "differs"))
  }

  /// The rows in columns.
  private var text: String {
    func width(_ column: KeyPath<Row, String>) -> Int {
      2 + (rows.map { $0[keyPath: column].count }.max() ?? 0)
    }
    let (name, first, second) = (width(\.name), width(\.first), width(\.second))
    return rows.map { row in
      var line =
        padded(row.name, name) + padded(row.first, first) + padded(row.second, second)
        + row.difference
      while line.last == " " { line.removeLast() }
      return line + "\n"
    }.joined()
  }

  private static func known(_ number: Double?) -> Double? { number.flatMap { $0 < 0 ? nil : $0 } }

  private static func plain(_ number: Double) -> String {
    var buffer = OutputBuffer(capacity: 32)
    buffer.append(decimal: number)
    return buffer.text
  }

  private static func signed(_ number: Double) -> String {
    let rounded = (number * 1e9).rounded() / 1e9
    return (rounded > 0 ? "+" : "") + plain(rounded.isFinite ? rounded : number)
  }
}

extension RecordedEvent {
  /// The sample of a sample event; nil for other events.
  fileprivate var sample: RecordedSample? {
    if case .sample(let sample) = body { sample } else { nil }
  }
}

extension RecordedLocation {
  /// The place on a sphere.
  var position: Sphere.Position { Sphere.Position(longitude: longitude, latitude: latitude) }
}

/// The trends of sampled folders, as text and as JSON.
enum TrendText {
  static func plain(of summary: RecordingSummary) -> String {
    var text = ""
    for (path, trend) in trends(of: summary) {
      text += "  \(TerminalText.escaped(path)): \(Quantity.bytes(Int(trend.value)))"
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
          + "least \(padded(Quantity.bytes(Int(window.least)), 12))"
          + "greatest \(padded(Quantity.bytes(Int(window.greatest)), 12))"
          + "average \(Quantity.bytes(whole(window.average)))\n"
      }
    }
    return text
  }

  static func put(_ summary: RecordingSummary, to json: inout JSONBuilder) {
    let all = trends(of: summary)
    if all.isEmpty { return }
    json.key("trends")
    json.array { json in
      for (path, trend) in all {
        json.object { json in
          json.member("path", text: path)
          json.member("bytes", trend.value)
          if let rate = trend.rate, let direction = trend.direction {
            json.key("bytesPerHour")
            json.value(rate)
            json.member("direction", text: Array(direction.rawValue.utf8))
          }
          if let free = summary.free[path] {
            json.member("free", free)
            if let hours = trend.hoursUntilFull(free: free) {
              json.key("hoursUntilFull")
              json.value(hours)
            }
          }
          json.member("windows", each: trend.windows) { window, json in
            json.object { json in
              json.member("hours", window.span / 3600)
              json.member("least", window.least)
              json.member("greatest", window.greatest)
              json.key("average")
              json.value(window.average)
            }
          }
        }
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

  private static func whole(_ number: Double) -> Int {
    Int(min(max(number, -9e18), 9e18).rounded())
  }

  private static func span(hours: Double) -> String {
    if hours < 48 { return "\(whole(hours)) h" }
    return hours < 1e6 ? "\(whole(hours / 24)) days" : "more than a century"
  }
}
