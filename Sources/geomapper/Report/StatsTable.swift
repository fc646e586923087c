import GeoCore
import GeoFormats
import GeoSystem
import GeoTree

struct StatsTable {
  private let rows: [StatsText.Row]
  private let total: TreeStats.Sums
  private let order: StatsOrder
  private let layers: LayerSchema
  private let sharesFiles: Bool
  /// The amount of a layer that shares are of; nil for files or sizes.
  private let amount: Double?

  private static let barWidth = 20

  init(
    _ rows: [StatsText.Row], of total: TreeStats.Sums, by order: StatsOrder,
    sharesFiles: Bool = false, amount: Double? = nil, _ layers: LayerSchema? = nil
  ) {
    self.sharesFiles = sharesFiles || order == .files
    self.amount = amount
    self.layers = layers ?? .none
    self.rows = rows
    self.total = total
    self.order = order
  }

  /// The table. Names come last because their width varies.
  var text: String {
    let measure = total.measure
    let columns = layers.columns.filter { $0.content == .value }
    let titles =
      (measure.title.map { [$0] } ?? []) + ["share", "", "files"]
      + (order == .newest ? ["newest"] : []) + columns.map(\.name)
    let lines = rows.map { row in
      (measure == .files ? [] : [Quantity.bytes(Int(measure.amount(of: row.sums)))])
        + [
          Self.percent(share(of: row)), bar(share(of: row)),
          row.sums.files.grouped,
        ] + (order == .newest ? [row.sums.newest.map(Self.date) ?? ""] : [])
        + columns.map { layers.shown($0, of: row.cells, isFolder: true) }
    }
    let barColumn = measure == .files ? 1 : 2
    let widths = titles.indices.map { column in
      ([titles] + lines).map { $0[column].count }.max() ?? 0
    }
    func joined(_ cells: [String], _ name: String) -> String {
      let padded = cells.enumerated().map { column, cell in
        let space = String(repeating: " ", count: widths[column] - cell.count)
        return column == barColumn ? cell + space : space + cell
      }
      return padded.joined(separator: "  ") + (name.isEmpty ? "" : "  \(name)") + "\n"
    }
    return joined(titles, "")
      + zip(rows, lines).map { row, cells in
        joined(cells, String(repeating: "  ", count: row.level) + row.name)
      }.joined()
  }

  private func share(of row: StatsText.Row) -> Double {
    let measure = sharesFiles ? .files : total.measure
    let (part, whole) =
      amount.map { (row.amount, $0) }
      ?? (Double(measure.amount(of: row.sums)), Double(measure.amount(of: total)))
    return whole > 0 ? min(1, max(0, part / whole)) : 0
  }

  private static func percent(_ share: Double) -> String {
    let tenths = Int((share * 1000).rounded())
    return "\(tenths / 10).\(tenths % 10) %"
  }

  private func bar(_ share: Double) -> String {
    if !Self.hasBlocks {
      return String(repeating: "#", count: Int((share * Double(Self.barWidth)).rounded()))
    }
    let eighths = Int((share * Double(Self.barWidth * 8)).rounded())
    let parts = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"]
    return String(repeating: "█", count: eighths / 8) + parts[eighths % 8]
  }

  /// Whether the locale's encoding is UTF-8.
  static let hasBlocks: Bool = {
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
