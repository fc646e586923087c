import GeoCore
import GeoFormats
import GeoLive

/// A comparison of two events of a recording: a table with a row for each member.
struct EventComparison {
  private struct Row {
    var name: String
    var first = ""
    var second = ""
    var difference = ""
  }

  private var rows: [Row] = []

  /// The numbers of the events are from 1.
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
    table.add("type", Array(a.type.rawValue.utf8), Array(b.type.rawValue.utf8))
    table.rows.append(
      Row(
        name: "time", first: TrackInfo.moment(a.timestamp), second: TrackInfo.moment(b.timestamp),
        difference: signed(b.relativeTime - a.relativeTime) + " s"))
    table.add("path", a.location?.rawPath ?? a.sample?.path, b.location?.rawPath ?? b.sample?.path)
    table.add(a.location, b.location)
    table.add(a.sample, b.sample)
    if let a = a.location, let b = b.location {
      let distance = a.position.distance(to: b.position)
      table.rows.append(Row(name: "distance", difference: NodeText.distance(distance)))
    }
    return Array(table.text.utf8)
  }

  private mutating func add(_ a: GeoLocation?, _ b: GeoLocation?) {
    add(
      "change", a?.entryChange.map { Array($0.rawValue.utf8) },
      b?.entryChange.map { Array($0.rawValue.utf8) })
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

  private mutating func add(_ name: String, _ a: Double?, _ b: Double?) {
    if a == nil, b == nil { return }
    var row = Row(name: name, first: a.map(Self.plain) ?? "", second: b.map(Self.plain) ?? "")
    if let a, let b { row.difference = Self.signed(b - a) }
    rows.append(row)
  }

  private mutating func add(_ name: String, _ a: [UInt8]?, _ b: [UInt8]?) {
    if a == nil, b == nil { return }
    rows.append(
      Row(
        name: name, first: a.map(\.shown) ?? "",
        second: b.map(\.shown) ?? "", difference: a == b ? "" : "differs"))
  }

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
  fileprivate var sample: RecordedSample? {
    if case .sample(let sample) = body { sample } else { nil }
  }
}
