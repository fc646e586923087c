import GeoEmit
import GeoStats
import GeoSystem

/// Rows of sums with shares and bars.
struct StatsTable {
  private let rows: [StatsText.Row]
  private let total: TreeStats.Sums
  private let order: StatsOrder

  private static let barWidth = 20

  init(_ rows: [StatsText.Row], of total: TreeStats.Sums, by order: StatsOrder) {
    self.rows = rows
    self.total = total
    self.order = order
  }

  /// The table: names stand last, for they may be of any width.
  var text: String {
    let titles = ["on disk", "share", "", "files"] + (order == .newest ? ["newest"] : [])
    let lines = rows.map { row in
      [
        Quantity.bytes(Int(row.sums.allocated)), Self.percent(share(of: row.sums)),
        bar(share(of: row.sums)), Quantity.grouped(row.sums.files),
      ] + (order == .newest ? [row.sums.newest.map(Self.date) ?? ""] : [])
    }
    let widths = titles.indices.map { column in
      ([titles] + lines).map { $0[column].count }.max() ?? 0
    }
    func joined(_ cells: [String], _ name: String) -> String {
      let padded = cells.enumerated().map { column, cell in
        let space = String(repeating: " ", count: widths[column] - cell.count)
        return column == 2 ? cell + space : space + cell
      }
      return padded.joined(separator: "  ") + (name.isEmpty ? "" : "  \(name)") + "\n"
    }
    return joined(titles, "")
      + zip(rows, lines).map { row, cells in
        joined(cells, String(repeating: "  ", count: row.level) + row.name)
      }.joined()
  }

  private func share(of sums: TreeStats.Sums) -> Double {
    let (part, whole) =
      order == .files
      ? (Double(sums.files), Double(total.files))
      : (Double(sums.allocated), Double(total.allocated))
    return whole > 0 ? min(1, max(0, part / whole)) : 0
  }

  private static func percent(_ share: Double) -> String {
    let tenths = Int((share * 1000).rounded())
    return "\(tenths / 10).\(tenths % 10) %"
  }

  /// A bar, in eighths of a character where there are any.
  private func bar(_ share: Double) -> String {
    if !Self.hasBlocks {
      return String(repeating: "#", count: Int((share * Double(Self.barWidth)).rounded()))
    }
    let eighths = Int((share * Double(Self.barWidth * 8)).rounded())
    let parts = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"]
    return String(repeating: "█", count: eighths / 8) + parts[eighths % 8]
  }

  /// Whether whoever reads it takes UTF-8, as the environment has it.
  private static let hasBlocks: Bool = {
    let names: [StaticString] = ["LC_ALL", "LC_CTYPE", "LANG"]
    let value = names.lazy.compactMap { ThisProcess.environment($0) }.first { !$0.isEmpty } ?? []
    let text = String(decoding: value.lowercased, as: UTF8.self)
    return text.hasSuffix("utf-8") || text.hasSuffix("utf8")
  }()

  private static func date(_ seconds: Int64) -> String {
    var buffer = OutputBuffer(capacity: 64)
    return buffer.append(time: seconds) ? String(buffer.text.prefix(10)) : "@\(seconds)"
  }
}
