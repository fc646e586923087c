import GeoCore
import GeoFormats
import GeoSystem
import GeoTree

struct StatsText {
  let stats: TreeStats
  var grouping = StatsGrouping.folder
  var order = StatsOrder.size
  /// The layers by which totals are grouped, and folders sorted, instead.
  var groupingLayer: Int?
  var orderLayer: Int?
  var sharesFiles = false
  /// The layer that shares are of, instead.
  var measuredLayer: Int?
  /// Number of rows at each level.
  var rows = 20
  /// The least size of a row, in the measure of the total.
  var minimum: Int64 = 0

  struct Row {
    var name: String
    var sums: TreeStats.Sums
    var level = 0
    /// The position in the order of names.
    var rank = 0
    var cells: [LayerCell] = []
    var amount = 0.0
  }

  var text: String {
    if let groupingLayer { return table(words(of: groupingLayer)) }
    switch grouping {
    case .folder:
      return table(folders, stats.layers?.schema ?? .none, amount: amountOfAll) + largestFiles
    case .extension:
      return table(ranked(stats.extensions.map { ($0.isEmpty ? "(none)" : ".\($0)", $1) }))
    case .age: return table(ages)
    case .owner:
      return table(
        ranked(stats.owners.map { (UserNames.name(of: $0).map(\.shown) ?? "\($0)", $1) }))
    }
  }

  private var roots: [Int] {
    stats.regions.indices.filter { stats.regions[$0].rawPath.slashCount == 0 }
  }

  private var amountOfAll: Double? {
    measuredLayer.map { layer in roots.reduce(0) { $0 + amount(ofRegion: $1, layer) } }
  }

  private func amount(ofRegion region: Int, _ layer: Int) -> Double {
    guard let layers = stats.layers else { return 0 }
    return layers.schema.layers[layer].number(of: layers.cells[region][layer]) ?? 0
  }

  // MARK: Groups

  /// Rows in the order of their names.
  private func ranked(_ groups: [(name: String, sums: TreeStats.Sums)]) -> [Row] {
    groups.sorted { $0.name < $1.name }.enumerated().map { rank, group in
      Row(name: group.name, sums: group.sums, rank: rank)
    }
  }

  private var ages: [Row] {
    TreeStats.Age.all.enumerated().compactMap { rank, age in
      let sums = stats.ages[age.age.rawValue]
      return sums.files == 0 ? nil : Row(name: age.words, sums: sums, rank: rank)
    }
  }

  private func words(of layer: Int) -> [Row] {
    guard let layers = stats.layers else { return [] }
    return ranked(layers.words[layer].map { (layers.schema.words[$0].shown, $1) })
  }

  private func sorted(_ rows: [Row]) -> [Row] {
    let measure = stats.total.measure
    return rows.filter { minimum == 0 || measure.amount(of: $0.sums) >= minimum }.sorted { a, b in
      if let orderLayer, let schema = stats.layers?.schema {
        return schema.puts(a.cells, before: b.cells, by: orderLayer) ?? (a.rank < b.rank)
      }
      let (first, second): (Int64, Int64) =
        switch order {
        case .size: (measure.amount(of: a.sums), measure.amount(of: b.sums))
        case .files: (Int64(a.sums.files), Int64(b.sums.files))
        case .newest: (a.sums.newest ?? .min, b.sums.newest ?? .min)
        case .name: (0, 0)
        }
      return first == second ? a.rank < b.rank : first > second
    }
  }

  /// The first rows, and one with the total of the others.
  private func cut(_ all: [Row], _ level: Int) -> [Row] {
    if all.count <= max(rows, 1) { return all }
    let rest = all.dropFirst(rows)
    let name = "(\((all.count - rows).grouped) more)"
    let amount = rest.reduce(0) { $0 + $1.amount }
    return all.prefix(rows) + [Row(name: name, sums: rest.sums, level: level, amount: amount)]
  }

  // MARK: Folders

  private var folders: [Row] {
    let regions = stats.regions
    var children: [[Int]] = Array(repeating: [], count: regions.count)
    var roots: [Int] = []
    var way: [Int] = []
    for (index, region) in regions.enumerated() {
      let depth = region.rawPath.slashCount
      way.removeLast(max(0, way.count - depth))
      if let parent = way.last { children[parent].append(index) } else { roots.append(index) }
      way.append(index)
    }
    var rows: [Row] = []
    if roots.count > 1 {
      rows.append(Row(name: "total", sums: stats.total, amount: amountOfAll ?? 0))
    }
    add(roots.map { ($0, row($0, 0)) }, children, to: &rows)
    return rows
  }

  /// Adds folders and their contents, level by level.
  ///
  /// - Parameter siblings: Rows with their folders; nil for the files of the parent.
  private func add(_ siblings: [(Int?, Row)], _ children: [[Int]], to rows: inout [Row]) {
    let places = Dictionary(uniqueKeysWithValues: siblings.map { ($0.1.rank, $0.0) })
    for row in cut(sorted(siblings.map(\.1)), siblings.first?.1.level ?? 0) {
      rows.append(row)
      guard !row.name.hasPrefix("("), case .some(.some(let folder)) = places[row.rank],
        !children[folder].isEmpty
      else { continue }
      var below: [(Int?, Row)] = children[folder].map { ($0, self.row($0, row.level + 1)) }
      let own = stats.regions[folder].own
      if own.files > 0 {
        let amount = below.reduce(row.amount) { $0 - $1.1.amount }
        let files = Row(
          name: "(its own files)", sums: own, level: row.level + 1, rank: .max, amount: amount)
        below.append((nil, files))
      }
      add(below, children, to: &rows)
    }
  }

  private func row(_ index: Int, _ level: Int) -> Row {
    let path = stats.regions[index].rawPath
    return Row(
      name: path.lastComponent.shown, sums: stats.regions[index].sums,
      level: level, rank: index, cells: stats.layers?.cells[index] ?? [],
      amount: measuredLayer.map { amount(ofRegion: index, $0) } ?? 0)
  }

  /// A number with up to three decimals, whole from 1,000 on.
  static func shown(_ number: Double) -> String {
    let unit: Double = abs(number) < 1000 ? 1000 : 1
    var buffer = OutputBuffer(capacity: 32)
    buffer.append(decimal: (number * unit).rounded() / unit)
    return buffer.text
  }

  private var largestFiles: String {
    let largest = stats.largest.filter { $0.value >= minimum }
    if largest.isEmpty { return "" }
    let sizes = largest.map { Quantity.bytes(Int($0.value)) }
    let width = sizes.map(\.count).max() ?? 0
    return zip(largest, sizes).reduce(into: "\nlargest files\n") { text, row in
      text += "\(rightAligned(row.1, width))  \(row.0.rawPath.shown)\n"
    }
  }
}

extension StatsText {
  private static let barWidth = 20

  private func table(_ rows: [Row]) -> String {
    table(cut(sorted(rows), 0), .none, amount: nil)
  }

  /// A table with shares and bars; shares are of an amount of a layer if it is given.
  private func table(_ rows: [Row], _ layers: LayerSchema, amount: Double?) -> String {
    let measure = stats.total.measure
    let columns = layers.columns.filter { $0.content == .value }
    let titles =
      (measure.title.map { [$0] } ?? []) + ["share", "", "files"]
      + (order == .newest ? ["newest"] : []) + columns.map(\.name) + [""]
    let lines = rows.map { row in
      let share = share(of: row, amount)
      return (measure == .files ? [] : [Quantity.bytes(Int(measure.amount(of: row.sums)))])
        + [TextTable.percent(share), Self.bar(share), row.sums.files.grouped]
        + (order == .newest ? [row.sums.newest.map(Self.date) ?? ""] : [])
        + columns.map { layers.shown($0, of: row.cells, isFolder: true) }
        + [String(repeating: "  ", count: row.level) + row.name]
    }
    return TextTable.text(titles, lines, leftAligned: [measure == .files ? 1 : 2])
  }

  private func share(of row: Row, _ amount: Double?) -> Double {
    let measure = sharesFiles || order == .files ? .files : stats.total.measure
    let (part, whole) =
      amount.map { (row.amount, $0) }
      ?? (Double(measure.amount(of: row.sums)), Double(measure.amount(of: stats.total)))
    return whole > 0 ? min(1, max(0, part / whole)) : 0
  }

  private static func bar(_ share: Double) -> String {
    if !Style.hasBlocks {
      return String(repeating: "#", count: Int((share * Double(barWidth)).rounded()))
    }
    let eighths = Int((share * Double(barWidth * 8)).rounded())
    let parts = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"]
    return String(repeating: "█", count: eighths / 8) + parts[eighths % 8]
  }

  private static func date(_ seconds: Int64) -> String {
    var buffer = OutputBuffer(capacity: 64)
    return buffer.append(time: seconds) ? String(buffer.text.prefix(10)) : "@\(seconds)"
  }
}

extension Sequence<StatsText.Row> {
  fileprivate var sums: TreeStats.Sums {
    reduce(into: TreeStats.Sums.none) { sums, row in
      sums.folders += row.sums.folders
      sums.files += row.sums.files
      sums.bytes = sum(sums.bytes, row.sums.bytes)
      sums.allocated = sum(sums.allocated, row.sums.allocated)
      sums.newest = [sums.newest, row.sums.newest].compactMap { $0 }.max()
    }
  }

  private func sum(_ a: Int64?, _ b: Int64?) -> Int64? {
    guard let a, let b else { return nil }
    return a.addingReportingOverflow(b).partialValue
  }
}

/// The measure of a table: disk space if known for all files, else bytes, else the number of files.
enum StatsMeasure {
  case room, bytes, files

  /// The column title; nil for the number of files, which has its own column.
  var title: String? {
    switch self {
    case .room: "on disk"
    case .bytes: "bytes"
    case .files: nil
    }
  }

  func amount(of sums: TreeStats.Sums) -> Int64 {
    switch self {
    case .room: sums.allocated ?? 0
    case .bytes: sums.bytes ?? 0
    case .files: Int64(sums.files)
    }
  }
}

extension TreeStats.Sums {
  var measure: StatsMeasure { allocated != nil ? .room : bytes != nil ? .bytes : .files }
}
