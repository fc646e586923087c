/// Columns of text, two spaces apart, with titles.
enum TextTable {
  /// The last column is not padded, because the widths of names vary; an empty one is left out.
  static func text(_ titles: [String], _ rows: [[String]], leftAligned: Set<Int>) -> String {
    let widths = titles.indices.map { column in
      ([titles] + rows).map { $0[column].count }.max() ?? 0
    }
    func line(_ cells: [String]) -> String {
      let columns = zip(cells, widths).enumerated().dropLast().map { column, cell in
        let space = String(repeating: " ", count: cell.1 - cell.0.count)
        return leftAligned.contains(column) ? cell.0 + space : space + cell.0
      }
      return (columns + cells.suffix(1).filter { !$0.isEmpty }).joined(separator: "  ")
    }
    var head = line(titles)
    while head.last == " " { head.removeLast() }
    return ([head] + rows.map(line)).map { $0 + "\n" }.joined()
  }

  /// A share with one decimal.
  static func percent(_ share: Double) -> String {
    let tenths = Int((share * 1000).rounded())
    return "\(tenths / 10).\(tenths % 10) %"
  }
}

/// Pads a text with spaces to a width, with at least one space.
func padded(_ text: String, _ width: Int) -> String {
  text + String(repeating: " ", count: max(1, width - text.count))
}

/// Pads a text on its left to a width.
func rightAligned(_ text: String, _ width: Int, _ filler: String = " ") -> String {
  String(repeating: filler, count: max(0, width - text.count)) + text
}
