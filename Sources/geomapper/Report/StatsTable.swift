import GeoFormats
import GeoCore
import GeoTree
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
    let measure = total.measure
    let titles =
      (measure.title.map { [$0] } ?? []) + ["share", "", "files"]
      + (order == .newest ? ["newest"] : [])
    let lines = rows.map { row in
      (measure == .files ? [] : [Quantity.bytes(Int(measure.amount(of: row.sums)))])
        + [
          Self.percent(share(of: row.sums)), bar(share(of: row.sums)),
          row.sums.files.grouped,
        ] + (order == .newest ? [row.sums.newest.map(Self.date) ?? ""] : [])
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

  private func share(of sums: TreeStats.Sums) -> Double {
    let measure = order == .files ? .files : total.measure
    let (part, whole) = (Double(measure.amount(of: sums)), Double(measure.amount(of: total)))
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

/// What sums are told apart by: the room on disk, or if that is not known of all the files' bytes, or if
/// these aren't either the number of files.
enum StatsMeasure {
  case room, bytes, files

  /// What stands above the amounts; the number of files stands there anyway.
  var title: String? {
    switch self {
    case .room: "on disk"
    case .bytes: "bytes"
    case .files: nil
    }
  }

  /// The amount of some sums, of which as much is known as of the total.
  func amount(of sums: TreeStats.Sums) -> Int64 {
    switch self {
    case .room: sums.allocated ?? 0
    case .bytes: sums.bytes ?? 0
    case .files: Int64(sums.files)
    }
  }
}

extension TreeStats.Sums {
  /// What is known of all that they are of.
  var measure: StatsMeasure { allocated != nil ? .room : bytes != nil ? .bytes : .files }
}
