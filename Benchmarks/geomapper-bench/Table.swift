/// A table in plain text, without columns that have no figure: the first column is aligned to the
/// left, the others to the right.
struct Table {
  private var rows: [[String]] = []

  init(_ header: [String]) { rows = [header] }

  mutating func add(_ row: [String]) { rows.append(row) }

  var text: String {
    let used = self.rows[0].indices.filter { column in
      self.rows.dropFirst().contains { column < $0.count && !["–", ""].contains($0[column]) }
    }
    let rows = self.rows.map { row in used.map { $0 < row.count ? row[$0] : "" } }
    let widths = used.indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
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
