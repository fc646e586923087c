import GeoChange
import GeoCore

extension PosterFacts {
  private static let maximum = (folders: 12, files: 8)

  /// Shows two states in place of one: sums before and after, folders that grew and shrank, and
  /// large new files.
  mutating func compare(_ compared: ComparedStates, _ theme: Theme) {
    let (tree, states) = (compared.tree, compared.states)
    let summary = ChangeSummary(tree, top: Self.maximum.folders)
    above = "WHAT CHANGED IN"
    subtitle = states.map { state in
      let name = String(decoding: state.name, as: UTF8.self)
      return state.time.map { "\(name), \(SheetText.day($0))" } ?? name
    }.joined(separator: " → ")
    if let sums = tree.totalSums {
      totals = Self.totals(sums, tree.measure)
    }
    let isAlone = tree.labels.count == 1
    func shown(_ path: [UInt8]) -> String {
      let inner = path.drop { $0 != .slash }.dropFirst()
      return String(decoding: isAlone && !inner.isEmpty ? Array(inner) : path, as: UTF8.self)
    }
    let folders = (summary.grown + summary.shrunk).sorted {
      ($0.bytes.magnitude, $1.path.count) > ($1.bytes.magnitude, $0.path.count)
    }.prefix(Self.maximum.folders)
    let most = Double(folders.first?.bytes.magnitude ?? 1)
    partsHeading = "GREW AND SHRANK MOST, \(tree.measure.words.uppercased())"
    partsColumn = ""
    parts = folders.map { place in
      Part(
        name: place.text(of: shown(place.path)), bytes: SizeChange.text(ofGrowth: place.bytes),
        files: "",
        share: Double(place.bytes.magnitude) / most,
        ink: theme.ink(of: place.bytes < 0 ? .shrank : .grew))
    }
    townsHeading = "LARGEST NEW FILES"
    towns = summary.largest.prefix(Self.maximum.files).map {
      Town(path: shown($0.path), bytes: SheetText.bytes(Double($0.bytes)))
    }
    date = summary.counts
  }

  private static func totals(_ sums: StatePairSums, _ measure: SizeMeasure) -> [Total] {
    guard let old = sums.old.bytes(measure), let new = sums.new.bytes(measure) else {
      return [
        Total(number: sums.old.files.grouped, word: "files before"),
        Total(number: sums.new.files.grouped, word: "files after"),
      ]
    }
    return [
      Total(number: SheetText.bytes(Double(old)), word: "before"),
      Total(number: SheetText.bytes(Double(new)), word: "after"),
      Total(number: SizeChange.text(ofGrowth: new - old), word: "difference"),
    ]
  }
}

extension ChangeSummary {
  /// The numbers of files that differ, in words; empty if none does.
  var counts: String {
    let counts = [
      ("added", added), ("removed", removed), ("changed", changed), ("moved", moved),
    ]
    return counts.filter { $0.1.files > 0 }
      .map { "\(Int64($0.1.files).grouped) \($0.0)" }.joined(separator: " · ")
  }
}

extension Theme {
  /// The same theme with faint names, for lands that are unchanged.
  var receding: Theme {
    var theme = self
    theme.inks = [faint, faint, faint, faint]
    return theme
  }
}
