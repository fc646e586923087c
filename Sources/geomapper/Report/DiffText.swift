import GeoChange
import GeoCore
import GeoFormats

struct DiffText {
  let states: [MapState]
  let tree: ChangeTree
  let top: Int
  /// Growth over time, and what was deleted; nil to leave both out.
  var growth: GrowthText?
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
    return padded(word, 9) + state.name.shown + time + "\n"
  }

  private func row(_ word: String, _ amount: ChangeSummary.Amount, _ color: Color) -> String {
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
    (Quantity.bytes(Int(clamping: place.bytes)), place.path.shown)
  }

  /// What grew or shrank, and what of it moved: `home/new, of it 5 kB moved here from home/old`.
  private static func words(_ row: GrowthRow) -> (amount: String, words: String) {
    var words = row.text(of: row.path.shown)
    if let mostly = row.mostly {
      words += ", mostly " + mostly.dropFirst(row.path.count + 1).shown
    }
    if row.moved > 0 {
      let isGrowth = row.bytes > 0
      words += ", of it \(Quantity.bytes(Int(clamping: row.moved))) moved "
      words += isGrowth ? "here" : "away"
      if let other = row.otherPath {
        words += (isGrowth ? " from " : " to ") + other.shown
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
      let indent = String(repeating: " ", count: width - row.amount.count)
      text += "  \(indent)\(colored(row.amount, color))  \(row.words)\n"
    }
    return text
  }

  private func moves(_ moves: [ChangeSummary.FolderMove]) -> String {
    if moves.isEmpty { return "" }
    var text = "\n" + colored("folders that moved", .bold) + "\n"
    for move in moves {
      text += "  " + move.from.shown + " " + colored("->", .blue) + " "
      text += move.to.shown + " (" + Quantity.count(move.files, "file") + ")\n"
    }
    return text
  }
}

extension DiffText {
  var json: [UInt8] {
    let summary = ChangeSummary(tree, top: top)
    return JSONBuilder.line { json in
      json.member("states", objects: states) { state, json in
        json.member("name", text: state.name, raw: "rawName")
        if let time = state.time { json.member("time", moment: time) }
      }
      for (name, amount) in [
        ("added", summary.added), ("removed", summary.removed), ("changed", summary.changed),
        ("moved", summary.moved),
      ] {
        json.member(name) { json in
          json.member("files", Int64(amount.files))
          json.member("folders", Int64(amount.folders))
          // Lists of names have no sizes.
          if amount.isSized { json.member("bytes", amount.bytes) }
        }
      }
      json.member("bytes", tree.totalGrowth)
      json.member("measure", word: tree.measure.name)
      if isIncomplete || tree.isIncomplete { json.member("incomplete", true) }
      json.member("grown", rows: summary.grown)
      json.member("shrunk", rows: summary.shrunk)
      Self.put("largest", summary.largest, to: &json)
      json.member("folderMoves", objects: summary.folderMoves) { move, json in
        json.member("from", text: move.from, raw: "rawFrom")
        json.member("to", text: move.to, raw: "rawTo")
        json.member("files", Int64(move.files))
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
    json.member(name, objects: places) { place, json in
      json.member("path", text: place.path, raw: "rawPath")
      json.member("bytes", place.bytes)
    }
  }
}
