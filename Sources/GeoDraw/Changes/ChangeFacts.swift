import GeoChange
import GeoCore
import GeoFormats

extension PosterFacts {
  private static let maximum = (rows: 12, files: 8)

  /// Shows two states in place of one: sums before and after, what grew and shrank as on the map,
  /// and large new files.
  mutating func compare(_ compared: ComparedStates, _ signs: ChangeSigns, _ map: LandMap) {
    let (tree, states) = (compared.tree, compared.states)
    let summary = ChangeSummary(tree, top: Self.maximum.files)
    above = "WHAT CHANGED IN"
    subtitle = states.map { String(decoding: $0.name, as: UTF8.self) }.joined(separator: " → ")
    if let sums = tree.totalSums { totals = Self.totals(sums, tree.measure, states) }
    let rows = ChangeRows(
      signs, tree, roots: map.tree.tops.map { map.tree.folders[$0].path },
      maximum: Self.maximum.rows)
    let maximum = Double(rows.rows.first?.bytes.magnitude ?? 1)
    partsHeading = "GREW AND SHRANK MOST, \(tree.measure.words.uppercased())"
    (partsColumn, measure) = ("", "")
    parts = rows.rows.map { row in
      Part(
        name: row.title, bytes: SizeChange.text(ofGrowth: row.bytes), files: "",
        share: Double(row.bytes.magnitude) / maximum, kind: row.kind, growth: row.bytes,
        note: row.note
      )
    }
    rest = rows.rest
    let isAlone = tree.labels.count == 1
    let added = Int64(summary.added.files)
    towns = summary.largest.map { place in
      let inner = place.path.drop { $0 != .slash }.dropFirst()
      let shown = isAlone && !inner.isEmpty ? Array(inner) : place.path
      return Town(
        path: String(decoding: shown, as: UTF8.self), bytes: SheetText.bytes(Double(place.bytes)))
    }
    townsHeading =
      "LARGEST NEW FILES" + (added > Int64(towns.count) ? ", OF \(added.grouped)" : "")
    foot = summary.counts(signs.counts)
  }

  private static func totals(
    _ sums: StatePairSums, _ measure: SizeMeasure, _ states: [MapState]
  ) -> [Total] {
    let both = [sums.old, sums.new]
    var totals = zip(both, ["before", "after"]).enumerated().map { index, state in
      let (sums, word) = state
      let bytes = sums.bytes(measure).map { SheetText.bytes(Double($0)) }
      let day = index < states.count ? states[index].time.map(SheetText.day) : nil
      let files = SheetText.files(sums.files)
      return Total(
        number: bytes ?? sums.files.grouped, word: bytes == nil ? "files \(word)" : word,
        details: [bytes == nil ? nil : files, day].compactMap { $0 })
    }
    if let old = sums.old.bytes(measure), let new = sums.new.bytes(measure) {
      let files = sums.new.files - sums.old.files
      totals.append(
        Total(
          number: SizeChange.text(ofGrowth: new - old), word: "difference",
          details: [SizeChange.text(ofFiles: files)]))
    }
    return totals
  }
}

extension ChangeSummary {
  /// The numbers of files that differ in words, and the land with most of the largest one; empty if
  /// no file differs.
  func counts(_ lands: [(path: [UInt8], counts: ChangeCounts)]) -> [String] {
    let kinds: [(word: String, count: Int, of: KeyPath<ChangeCounts, Int>)] = [
      ("added", added.files, \.added), ("removed", removed.files, \.removed),
      ("changed", changed.files, \.changed), ("moved", moved.files, \.moved),
    ]
    let found = kinds.filter { $0.count > 0 }
    guard let commonest = found.max(by: { $0.count < $1.count }) else { return [] }
    let words = found.map { "\(Int64($0.count).grouped) \($0.word)" }
    let all = ["files: " + words.joined(separator: ", ")]
    func count(_ land: (path: [UInt8], counts: ChangeCounts)) -> Int {
      land.counts[keyPath: commonest.of]
    }
    guard let land = lands.max(by: { count($0) < count($1) }) else { return all }
    let inLand = count(land)
    if 2 * inLand <= commonest.count || inLand < 10 { return all }
    return all + [
      "\(Int64(inLand).grouped) of those \(commonest.word) in \(NameText(land.path.lastComponent).text)"
    ]
  }
}

extension Theme {
  var receding: Theme {
    var theme = self
    theme.inks = [faint, faint, faint, faint]
    return theme
  }
}
