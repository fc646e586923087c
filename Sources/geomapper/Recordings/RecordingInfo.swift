import GeoAtlas
import GeoEmit
import GeoPath
import GeoRecord
import GeoSystem

/// `geomapper recordings info`: what a recording holds.
enum RecordingInfo {
  static func run(_ names: [[UInt8]], _ low: LowArguments) throws(Failure) -> ExitStatus {
    let place = try OutputPlace(low.output ?? [UInt8(ascii: "-")])
    let folder = try RecordingPlace.open(low)
    var text: [UInt8] = []
    var status = ExitStatus.success
    for name in names {
      let input = try RecordingsCommand.call(name) { (folder) throws(RecordingFolder.Failure) in
        try folder.open(name)
      }(folder)
      let file = RecordingFile(input, shown: "'\(TerminalText.escaped(name))'")
      let reader = try file.read()
      var summary = RecordingSummary(reader.metadata, compared: low.record.compared)
      summary.fault = EventExport.forEach(reader) { summary.add($0) }
      if let fault = summary.fault {
        Messages.note("\(file.shown) breaks off: \(fault)")
        status = .incomplete
      }
      if let compared = low.record.compared {
        text += try comparison(summary, compared, file.shown)
      } else if low.record.showFormat == .json {
        text += json(of: summary, name) + [10]
      } else {
        text += Array(((text.isEmpty ? "" : "\n") + plain(of: summary, file.shown)).utf8)
      }
    }
    try OutputFile.write(text, to: place)
    return status
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
      .map { "\(Quantity.grouped($0.value)) \($0.key)" }.joined(separator: ", ")
    lines.append(
      ("events", Quantity.grouped(summary.count) + (types.isEmpty ? "" : ": \(types)")))
    if !summary.changes.isEmpty {
      lines.append(
        (
          "changes",
          summary.changes.sorted { $0.key < $1.key }
            .map { "\(Quantity.grouped($0.value)) \($0.key)" }.joined(separator: ", ")
        ))
    }
    if let bounds = summary.bounds {
      lines.append(("bounds", "\(bounds.west),\(bounds.south),\(bounds.east),\(bounds.north)"))
    }
    if summary.length > 0 { lines.append(("way", NodeText.distance(summary.length))) }
    return "\(shown)\n" + lines.map { "  \(padded($0, 10))\($1)\n" }.joined()
      + TrendText.plain(of: summary)
  }

  private static func json(of summary: RecordingSummary, _ name: [UInt8]) -> [UInt8] {
    var json = JSONBuilder()
    json.object { json in
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
        json.key("bbox")
        json.array { json in
          for number in [bounds.west, bounds.south, bounds.east, bounds.north] {
            json.value(number)
          }
        }
      }
      TrendText.put(summary, to: &json)
      if let fault = summary.fault { json.member("fault", text: Array("\(fault)".utf8)) }
    }
    return json.bytes
  }

  // MARK: Two events side by side

  private static func comparison(
    _ summary: RecordingSummary, _ numbers: (Int, Int), _ shown: String
  ) throws(Failure) -> [UInt8] {
    guard let a = summary.first, let b = summary.second else {
      throw .usage(
        "\(shown) has \(Quantity.count(summary.count, "event")): there is no "
          + "\(summary.first == nil ? numbers.0 : numbers.1) to compare")
    }
    var rows: [(String, String, String, String)] = []
    func row(_ name: String, _ a: Double?, _ b: Double?) {
      if a == nil, b == nil { return }
      var difference = ""
      if let a, let b { difference = signed(b - a) }
      rows.append((name, a.map(plain) ?? "", b.map(plain) ?? "", difference))
    }
    func row(_ name: String, _ a: [UInt8]?, _ b: [UInt8]?) {
      if a == nil, b == nil { return }
      rows.append(
        (
          name, a.map { TerminalText.escaped($0) } ?? "", b.map { TerminalText.escaped($0) } ?? "",
          a == b ? "" : "differs"
        ))
    }
    rows.append(("event", "\(numbers.0)", "\(numbers.1)", ""))
    row("type", Array(a.type.utf8), Array(b.type.utf8))
    rows.append(
      (
        "time", TrackInfo.moment(a.timestamp), TrackInfo.moment(b.timestamp),
        signed(b.relativeTime - a.relativeTime) + " s"
      ))
    let (placeA, placeB) = (a.location, b.location)
    row("path", placeA?.path ?? sample(a)?.path, placeB?.path ?? sample(b)?.path)
    row(
      "change", placeA?.change.map { Array($0.rawValue.utf8) },
      placeB?.change.map { Array($0.rawValue.utf8) })
    row("latitude", placeA?.latitude, placeB?.latitude)
    row("longitude", placeA?.longitude, placeB?.longitude)
    row("altitude", placeA?.altitude, placeB?.altitude)
    // Below 0 they are not known.
    row("course", known(placeA?.course), known(placeB?.course))
    row("speed", known(placeA?.speed), known(placeB?.speed))
    row("size", placeA?.size.map { Double($0) }, placeB?.size.map { Double($0) })
    let (sampleA, sampleB) = (sample(a), sample(b))
    row("files", sampleA.map { Double($0.files) }, sampleB.map { Double($0.files) })
    row("folders", sampleA.map { Double($0.folders) }, sampleB.map { Double($0.folders) })
    row("bytes", sampleA.map { Double($0.bytes) }, sampleB.map { Double($0.bytes) })
    row("allocated", sampleA.map { Double($0.allocated) }, sampleB.map { Double($0.allocated) })
    row("free", sampleA?.free.map { Double($0) }, sampleB?.free.map { Double($0) })
    if let placeA, let placeB {
      let distance = placeA.position.distance(to: placeB.position)
      rows.append(("distance", "", "", NodeText.distance(distance)))
    }
    let widths = (
      rows.map(\.0.count).max() ?? 0, rows.map(\.1.count).max() ?? 0, rows.map(\.2.count).max() ?? 0
    )
    var text = ""
    for row in rows {
      var line =
        padded(row.0, widths.0 + 2) + padded(row.1, widths.1 + 2) + padded(row.2, widths.2 + 2)
        + row.3
      while line.last == " " { line.removeLast() }
      text += line + "\n"
    }
    return Array(text.utf8)
  }

  private static func sample(_ event: RecordedEvent) -> RecordedSample? {
    if case .sample(let sample) = event.body { sample } else { nil }
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

extension RecordedLocation {
  /// The place on a sphere.
  var position: Sphere.Position { Sphere.Position(longitude: longitude, latitude: latitude) }
}
