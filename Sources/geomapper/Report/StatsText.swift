import GeoEmit
import GeoPath
import GeoStats

/// What a tree consists of, in words and in JSON.
struct StatsText {
  let stats: TreeStats
  let top: Int
  /// Unix time from which ages were counted.
  let now: Int64

  private static let ages: [(TreeStats.Age, words: String, key: String)] = [
    (.day, "last day", "day"), (.week, "last week", "week"), (.month, "last 30 days", "month"),
    (.year, "last year", "year"), (.fiveYears, "last 5 years", "fiveYears"),
    (.older, "older", "older"), (.future, "in the future", "future"),
    (.unknown, "unknown", "unknown"),
  ]

  /// The extensions, those with the most bytes first.
  private var extensions: [(name: String, sums: TreeStats.Sums)] {
    stats.extensions.map { ($0.key.text, $0.value) }
      .sorted { ($1.sums.bytes, $0.name) < ($0.sums.bytes, $1.name) }
  }

  // MARK: For people

  var plain: String {
    var text = table(
      ["", "folders", "files", "size", "on disk"],
      stats.regions.prefix(regionLimit).map { row(TerminalText.escaped($0.path), $0.sums) }
        + (stats.regions.count == 1 ? [] : [row("total", stats.total)]))
    if stats.regions.count > regionLimit {
      text +=
        "(\(Quantity.count(stats.regions.count - regionLimit, "more region")); --top shows them)\n"
    }
    text +=
      "\n"
      + table(
        ["extension", "files", "size"],
        extensions.prefix(top).map { row in
          [
            row.name.isEmpty ? "(none)" : ".\(row.name)", Quantity.grouped(row.sums.files),
            size(row.sums.bytes),
          ]
        })
    text +=
      "\n"
      + table(
        ["changed", "files", "size"],
        Self.ages.compactMap { (age, words, _) in
          let sums = stats.ages[age.rawValue]
          return sums.files == 0 ? nil : [words, Quantity.grouped(sums.files), size(sums.bytes)]
        })
    text +=
      "\n"
      + table(
        ["depth", "folders", "files"],
        stats.depths.enumerated().map { depth, sums in
          [String(depth), Quantity.grouped(sums.folders), Quantity.grouped(sums.files)]
        })
    let lists: [(String, [TreeStats.Entry], (Int64) -> String)] = [
      ("largest files", stats.largest, size), ("newest files", stats.newest, time),
      ("folders with the most entries", stats.widest, { Quantity.grouped(Int($0)) }),
    ]
    for (title, entries, show) in lists where !entries.isEmpty {
      text += "\n\(title)\n"
      let width = entries.map { show($0.value).count }.max() ?? 0
      for entry in entries {
        let value = show(entry.value)
        text += String(repeating: " ", count: 2 + width - value.count) + value
        text += "  \(TerminalText.escaped(entry.path))\n"
      }
    }
    return text
  }

  private var regionLimit: Int { max(40, 4 * top) }

  private func row(_ name: String, _ sums: TreeStats.Sums) -> [String] {
    [
      name, Quantity.grouped(sums.folders), Quantity.grouped(sums.files), size(sums.bytes),
      size(sums.allocated),
    ]
  }

  private func size(_ bytes: Int64) -> String { Quantity.bytes(Int(bytes)) }

  private func time(_ seconds: Int64) -> String {
    var buffer = OutputBuffer(capacity: 64)
    return buffer.append(time: seconds) ? buffer.text : "@\(seconds)"
  }

  /// Columns below their titles: the first to the left, the others to the right.
  private func table(_ titles: [String], _ rows: [[String]]) -> String {
    let lines = [titles] + rows
    let widths = titles.indices.map { column in lines.map { $0[column].count }.max() ?? 0 }
    return lines.map { line in
      let cells = line.enumerated().map { column, cell in
        let space = String(repeating: " ", count: widths[column] - cell.count)
        return column == 0 ? cell + space : space + cell
      }
      return cells.joined(separator: "  ") + "\n"
    }.joined()
  }

  // MARK: For programs

  var json: String {
    var buffer = OutputBuffer(capacity: 1 << 16)
    buffer.append("{\"total\":")
    put(stats.total, to: &buffer)
    buffer.append(",\"unreadable\":")
    buffer.append(Int64(stats.unreadable))
    buffer.append(",\"regions\":[")
    for (index, region) in stats.regions.enumerated() {
      buffer.append(index == 0 ? "{\"path\":\"" : ",{\"path\":\"")
      buffer.append(json: region.path.span)
      buffer.append("\",\"sums\":")
      put(region.sums, to: &buffer)
      buffer.append("}")
    }
    buffer.append("],\"extensions\":[")
    for (index, entry) in extensions.enumerated() {
      buffer.append(index == 0 ? "{\"extension\":\"" : ",{\"extension\":\"")
      let name = Array(entry.name.utf8)
      buffer.append(json: name.span)
      buffer.append("\",\"sums\":")
      put(entry.sums, to: &buffer)
      buffer.append("}")
    }
    buffer.append("],\"now\":")
    buffer.append(now)
    buffer.append(",\"ages\":{")
    for (index, age) in Self.ages.enumerated() {
      if index > 0 { buffer.append(",") }
      let key = Array("\"\(age.key)\":".utf8)
      buffer.append(key.span)
      put(stats.ages[age.0.rawValue], to: &buffer)
    }
    buffer.append("},\"depths\":[")
    for (index, sums) in stats.depths.enumerated() {
      if index > 0 { buffer.append(",") }
      put(sums, to: &buffer)
    }
    buffer.append("],\"largest\":[")
    put(stats.largest, "size", to: &buffer)
    buffer.append("],\"newest\":[")
    put(stats.newest, "modified", to: &buffer)
    buffer.append("],\"widest\":[")
    put(stats.widest, "entries", to: &buffer)
    buffer.append("]}\n")
    return buffer.text
  }

  private func put(_ sums: TreeStats.Sums, to buffer: inout OutputBuffer) {
    buffer.append("{\"folders\":")
    buffer.append(Int64(sums.folders))
    buffer.append(",\"files\":")
    buffer.append(Int64(sums.files))
    buffer.append(",\"bytes\":")
    buffer.append(sums.bytes)
    buffer.append(",\"allocated\":")
    buffer.append(sums.allocated)
    buffer.append("}")
  }

  private func put(_ entries: [TreeStats.Entry], _ key: String, to buffer: inout OutputBuffer) {
    for (index, entry) in entries.enumerated() {
      buffer.append(index == 0 ? "{\"path\":\"" : ",{\"path\":\"")
      buffer.append(json: entry.path.span)
      let name = Array("\",\"\(key)\":".utf8)
      buffer.append(name.span)
      buffer.append(entry.value)
      buffer.append("}")
    }
  }
}
