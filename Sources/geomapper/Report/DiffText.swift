import GeoChange
import GeoCore
import GeoFormats
import GeoLive

/// The summary of a comparison, as text and as JSON.
struct DiffText {
  let states: [MapState]
  let tree: ChangeTree
  /// Number of paths in each list.
  let top: Int
  /// Growth over time, and what was deleted; nil to leave both out.
  var growth: GrowthText?
  /// Whether something could not be read.
  var isIncomplete = false
  var isColored = false

  private enum Color: String {
    case green = "32"
    case red = "31"
    case yellow = "33"
    case blue = "34"
    case bold = "1"
  }

  private func colored(_ text: String, _ color: Color) -> String {
    isColored ? "\u{1b}[\(color.rawValue)m\(text)\u{1b}[0m" : text
  }

  /// The summary as text with a final line end.
  var text: String {
    let summary = ChangeSummary(tree, top: top)
    var text = growth?.asked ?? ""
    text += zip(["old", "new"], states).map { line($0, of: $1) }.joined()
    if tree.comparesNothing { return text + "they could not be compared\n" }
    if tree.isEmpty {
      let part = isIncomplete || tree.isIncomplete ? " in what could be compared" : ""
      return text + "nothing differs\(part)\n" + (growth?.text ?? "")
    }
    text += padded("sizes", 9) + tree.measure.words + "\n"
    text += row("added", summary.added, .green) + row("removed", summary.removed, .red)
    text += row("changed", summary.changed, .yellow) + row("moved", summary.moved, .blue)
    if let bytes = tree.totalGrowth {
      text += padded("in all", 9) + padded("", 24) + Quantity.signed(bytes) + "\n"
    }
    text += growth?.text ?? ""
    text += list("grew most", summary.grown.map(Self.words), .green)
    text += list("shrank most", summary.shrunk.map(Self.words), .red)
    text += list("largest new files", summary.largest.map(Self.words), .green)
    text += moves(summary.folderMoves)
    if growth != nil {
      text += list("largest deleted", summary.deleted.map(Self.words), .red)
    }
    return text
  }

  private func line(_ word: String, of state: MapState) -> String {
    let time = state.time.map { ", " + CivilTime.text(unixSeconds: $0) } ?? ""
    return padded(word, 9) + TerminalText.escaped(state.name) + time + "\n"
  }

  private func row(
    _ word: String, _ amount: ChangeSummary.Amount, _ color: Color
  ) -> String {
    if amount.files == 0, amount.folders == 0 { return "" }
    var what = Quantity.count(amount.files, "file")
    if amount.folders > 0 { what += ", " + Quantity.count(amount.folders, "folder") }
    let bytes = Int(amount.bytes)
    let word = colored(padded(word, 9), color)
    // Lists of names have no sizes.
    if !amount.isSized { return word + what + "\n" }
    let size = color == .yellow ? Quantity.signed(amount.bytes) : Quantity.bytes(bytes)
    return word + padded(what, 24) + size + "\n"
  }

  private static func words(_ place: ChangeSummary.Place) -> (amount: String, words: String) {
    (Quantity.bytes(Int(clamping: place.bytes)), TerminalText.escaped(place.path))
  }

  /// What grew or shrank, and what of it moved: `home/new, of it 5 kB moved here from home/old`.
  private static func words(_ row: GrowthRow) -> (amount: String, words: String) {
    var words = row.text(of: TerminalText.escaped(row.path))
    if let mostly = row.mostly {
      words += ", mostly " + TerminalText.escaped(Array(mostly.dropFirst(row.path.count + 1)))
    }
    if row.moved > 0 {
      let isGrowth = row.bytes > 0
      words += ", of it \(Quantity.bytes(Int(clamping: row.moved))) moved "
      words += isGrowth ? "here" : "away"
      if let other = row.otherPath {
        words += (isGrowth ? " from " : " to ") + TerminalText.escaped(other)
      }
    }
    return (Quantity.signed(row.bytes), words)
  }

  private func list(
    _ title: String, _ rows: [(amount: String, words: String)], _ color: Color
  ) -> String {
    if rows.isEmpty { return "" }
    let width = rows.map(\.amount.count).max() ?? 0
    var text = "\n" + colored(title, .bold) + "\n"
    for row in rows {
      let room = String(repeating: " ", count: width - row.amount.count)
      text += "  " + room + colored(row.amount, color) + "  " + row.words + "\n"
    }
    return text
  }

  private func moves(_ moves: [ChangeSummary.FolderMove]) -> String {
    if moves.isEmpty { return "" }
    var text = "\n" + colored("folders that moved", .bold) + "\n"
    for move in moves {
      text += "  " + TerminalText.escaped(move.from) + " " + colored("->", .blue) + " "
      text += TerminalText.escaped(move.to) + " (" + Quantity.count(move.files, "file") + ")\n"
    }
    return text
  }
}

extension DiffText {
  /// The summary as a JSON object with a final line end.
  var json: [UInt8] {
    let summary = ChangeSummary(tree, top: top)
    return JSONBuilder.line { json in
      json.member("states", each: states) { state, json in
        json.object { json in
          json.member("name", text: state.name, raw: "rawName")
          if let time = state.time { json.member("time", moment: time) }
        }
      }
      for (name, amount) in [
        ("added", summary.added), ("removed", summary.removed), ("changed", summary.changed),
        ("moved", summary.moved),
      ] {
        json.key(name)
        json.object { json in
          json.member("files", Int64(amount.files))
          json.member("folders", Int64(amount.folders))
          // Lists of names have no sizes.
          if amount.isSized { json.member("bytes", amount.bytes) }
        }
      }
      json.member("bytes", tree.totalGrowth)
      json.member("measure", text: Array(tree.measure.name.utf8))
      if isIncomplete || tree.isIncomplete { json.member("incomplete", true) }
      json.member("grown", rows: summary.grown)
      json.member("shrunk", rows: summary.shrunk)
      Self.put("largest", summary.largest, to: &json)
      json.member("folderMoves", each: summary.folderMoves) { move, json in
        json.object { json in
          json.member("from", text: move.from, raw: "rawFrom")
          json.member("to", text: move.to, raw: "rawTo")
          json.member("files", Int64(move.files))
        }
      }
      if let growth {
        Self.put("deleted", summary.deleted, to: &json)
        growth.put(to: &json)
      }
    }
  }

  private static func put(
    _ name: String, _ places: [ChangeSummary.Place], to json: inout JSONBuilder
  ) {
    json.key(name)
    json.array { json in
      for place in places {
        json.object { json in
          json.member("path", text: place.path, raw: "rawPath")
          json.member("bytes", place.bytes)
        }
      }
    }
  }
}

/// How fast a folder has grown since a kept state, and when its disk will be full, as text and as
/// JSON.
struct GrowthText {
  /// The time that the user asked for: as typed, and in Unix seconds; nil for none.
  var wanted: (text: [UInt8], seconds: Int64)?
  /// Bytes at Unix times in seconds, oldest first; nil if sizes are unknown.
  let values: [(time: Int64, bytes: Int64)]?
  /// The measure of the values.
  let measure: SizeMeasure
  /// The free bytes of the file system; nil if unknown.
  let free: Int64?

  private var forecast: Forecast {
    // Apparent sizes fill no disk.
    values != nil && measure != .allocated ? .unknown(.notOnDisk) : Forecast(values, free: free)
  }

  /// Bytes a day between the first and the last value; nil if they are too close in time.
  private var bytesPerDay: Double? { values.flatMap { Forecast.rate(of: $0) }.map { $0 * 24 } }

  // MARK: Text

  /// A line with the time that was asked for; empty without one.
  var asked: String {
    guard let wanted else { return "" }
    return padded("since", 9) + TerminalText.escaped(wanted.text) + ", "
      + CivilTime.text(unixSeconds: wanted.seconds) + "\n"
  }

  /// A line with the rates, and one with the forecast.
  var text: String {
    var text = ""
    if let bytesPerDay {
      text += padded("rate", 9) + Quantity.signed(Self.whole(bytesPerDay)) + " a day, "
      text += Quantity.signed(Self.whole(bytesPerDay * 7)) + " a week\n"
    }
    return text + padded("full", 9) + Self.words(forecast)
      + (free.map { ", \(Quantity.bytes(Int(clamping: $0))) free" } ?? "") + "\n"
  }

  private static func whole(_ number: Double) -> Int64 {
    Int64(min(max(number, -9e18), 9e18).rounded())
  }

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
      return low == high
        ? "in \(unit.words(low))" : "in \(low.grouped) to \(unit.words(high))"
    case .full(let hours, nil, _):
      let unit = Unit(hours: hours)
      return "in about \(unit.words(unit.amount(hours))); how exact that is takes a third state"
    }
  }

  /// A unit of long times.
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

  /// Adds the members `since`, `bytesPerDay`, `bytesPerWeek`, `free` and `full`.
  func put(to json: inout JSONBuilder) {
    if let wanted {
      json.key("since")
      json.object { json in
        json.member("text", text: wanted.text, raw: "rawText")
        json.member("time", moment: wanted.seconds)
      }
    }
    if let bytesPerDay {
      json.member("bytesPerDay", Self.whole(bytesPerDay))
      json.member("bytesPerWeek", Self.whole(bytesPerDay * 7))
    }
    json.member("free", free)
    json.key("full")
    json.object { json in
      switch forecast {
      case .unknown(let reason): json.member("unknown", text: Array(reason.rawValue.utf8))
      case .full(let hours, let earliest, let latest):
        for (name, value) in [
          ("days", hours), ("earliestDays", earliest), ("latestDays", latest),
        ] {
          json.member(name, decimal: value.map { $0 / 24 })
        }
      }
    }
  }
}
