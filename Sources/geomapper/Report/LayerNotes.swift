import GeoCore
import GeoFormats
import GeoSystem
import GeoTree

extension Run {
  /// Notes how many rows of layers have no file or folder on the map, and the first of their paths,
  /// once all was read.
  func noteUnmatched(in layers: LayerSet?) throws(Failure) {
    guard let layers, !low.isQuiet else { return }
    note(
      unmatched: try rethrowing(layers.unmatched()) { Failure.noScratch("read values back", $0) })
  }

  func note(unmatched: LayerSet.Unmatched?) {
    if let text = unmatched?.note { note(text) }
  }
}

extension LayerSet.Unmatched {
  var note: String? {
    if rows == 0 { return nil }
    let different = zip(paths.indices, paths).filter { index, path in
      index == 0 || paths[index - 1] != path
    }
    let shown = different.map { $0.1.quoted }.joined(separator: ", ")
    let more = rows > paths.count ? ", ..." : ""
    return "\(Quantity.count(rows, "row")) of layers without a file or folder on the map: "
      + shown + more
  }
}

extension LayerSchema {
  /// The value of a column at a node, shortened for people; empty without one.
  func shown(_ column: LayerColumn, of cells: [LayerCell], isFolder: Bool) -> String {
    if cells.isEmpty { return "" }
    switch value(column, of: cells[...], isFolder: isFolder) {
    case .number(let number)?: return Int(number).grouped
    case .decimal(let number)?: return StatsText.shown(number)
    case .text(let word)?:
      let share = Int((100 * cells[column.layer].share).rounded())
      return word.shown + (share < 100 ? " \(share) %" : "")
    default: return ""
    }
  }
}
