/// A table in plain text: the first column is aligned to the left, the others to the right.
struct Table {
  private var rows: [[String]] = []

  init(_ header: [String]) { rows = [header] }

  mutating func add(_ row: [String]) { rows.append(row) }

  var text: String {
    let columns = rows.map(\.count).max() ?? 0
    let widths = (0..<columns).map { column in
      rows.map { column < $0.count ? $0[column].count : 0 }.max() ?? 0
    }
    let lines = rows.map { row in
      row.enumerated().map { column, cell in
        Text.padded(cell, to: widths[column], left: column == 0)
      }.joined(separator: "  ")
    }
    return lines.map { line in
      String(line.reversed().drop { $0 == " " }.reversed())
    }.joined(separator: "\n")
  }
}
