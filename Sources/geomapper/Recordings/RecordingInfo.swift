import GeoCore
import GeoFormats
import GeoLive
import GeoProjection

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
      run.progress?.begin(names.count > 1 ? file.shown : "", reading: file.input)
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
    json.member(name, word: TrackInfo.moment(milliseconds))
  }

  private static func plain(of summary: RecordingSummary, _ shown: String) -> String {
    let metadata = summary.metadata
    var lines: [(String, String)] = []
    if let name = metadata.name { lines.append(("name", name.shown)) }
    if !metadata.tags.isEmpty {
      lines.append(("tags", metadata.tags.map(\.shown).joined(separator: ", ")))
    }
    lines.append(("recorded", TrackInfo.moment(metadata.recordedAt)))
    if !metadata.device.isEmpty {
      lines.append(("on", metadata.device.shown + ", " + metadata.systemVersion.shown))
    }
    if !metadata.roots.isEmpty {
      lines.append(("roots", metadata.roots.map(\.shown).joined(separator: ", ")))
    }
    lines.append(("duration", TimeSpan.text(seconds: summary.duration)))
    let types = summary.types.sorted { $0.key < $1.key }
      .map { "\($0.value.grouped) \($0.key)" }.joined(separator: ", ")
    lines.append(("events", summary.count.grouped + (types.isEmpty ? "" : ": \(types)")))
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

  private static func alerts(of summary: RecordingSummary) -> String {
    var text = summary.alerts.map { time, alert in
      "  \(padded("alert", 10))\(TimeSpan.text(seconds: time)) \(alert.words)\n"
    }.joined()
    let more = (summary.types["alert"] ?? 0) - summary.alerts.count
    if more > 0 { text += "  \(padded("", 10))and \(Quantity.count(more, "more alert"))\n" }
    return text
  }

  private static func put(_ alert: RecordedAlert, at time: Double, to json: inout JSONBuilder) {
    json.member("relativeTime", decimal: time)
    json.member("name", text: alert.name)
    json.member("path", text: alert.path)
    json.member("rule", text: alert.rule)
    json.member("value", decimal: alert.value)
    json.member("limit", decimal: alert.limit)
    json.member("state", word: alert.state.rawValue)
  }

  private static func json(of summary: RecordingSummary, _ name: [UInt8]) -> [UInt8] {
    JSONBuilder.line { json in
      json.member("file", text: name)
      putTime("recordedAt", summary.metadata.recordedAt, to: &json)
      if let name = summary.metadata.name { json.member("name", text: name) }
      json.member("duration", decimal: summary.duration)
      json.member("events", Int64(summary.count))
      json.member("types") { json in
        for (type, count) in summary.types.sorted(by: { $0.key < $1.key }) {
          json.member(type, Int64(count))
        }
      }
      json.member("changes") { json in
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
        json.member("alerts", objects: summary.alerts) { put($0.1, at: $0.0, to: &$1) }
      }
      TrendText.put(summary, to: &json)
      if let fault = summary.fault { json.member("fault", word: "\(fault)") }
    }
  }
}

extension GeoLocation {
  var position: Sphere.Position { Sphere.Position(longitude: longitude, latitude: latitude) }
}
