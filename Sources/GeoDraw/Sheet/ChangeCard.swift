import GeoChange
import GeoCore
import GeoFormats
import GeoProjection
import GeoTree

package struct CardOptions: Sendable {
  /// The title; nil for the names of the roots.
  package var title: [UInt8]?
  package var isDark = false
  package var rootFiles: [NameTable] = []

  package init() {}
}

/// A picture of two states of the size of a link preview: the map of both on the left, the sums and
/// the three largest changes on the right.
///
/// The map shows the deepest folder that holds all changes. A unit is two pixels, so that the
/// smallest letters can be read at half of the size.
package struct ChangeCard: Sendable {
  /// The size in pixels.
  package static let width = 1200
  package static let height = 630

  package let svg: [UInt8]

  private static let unit = 2.0
  private static let page = Box(
    left: 0, top: 0, right: Double(width) / unit, bottom: Double(height) / unit)
  private static let mapBox = Box(left: 0, top: 0, right: 352, bottom: page.bottom)
  fileprivate static let maximum = 3

  /// `totals` has all folders of the union of both states, and `compared` the totals of both.
  package init(
    of totals: TreeTotals, by engine: GeoProjectionEngine, comparing compared: ComparedStates,
    _ options: CardOptions
  ) throws(GeoDrawingError) {
    var drawing = PosterOptions()
    (drawing.title, drawing.isDark) = (options.title, options.isDark)
    drawing.rootFiles = options.rootFiles
    let (sheet, folder) = try Self.sheet(totals, engine, drawing, compared)
    let facts = CardFacts(compared, sheet, folder, title: options.title)
    let theme = sheet.theme

    var pen = Pen()
    pen.svg.line(
      Pen.opening(width: "\(Self.width)", height: "\(Self.height)", units: Self.page, facts.summary)
    )
    pen.box(Self.page, "fill=\"\(theme.panel.text)\"")
    sheet.paint(nil, nil, &pen)
    let (x, bottom) = (Self.mapBox.right, Self.page.bottom)
    pen.path([[Point(x, 0), Point(x, bottom)]], "stroke=\"\(theme.line.text)\" stroke-width=\"1\"")
    let column = Box(left: x + 17, top: 0, right: Self.page.right - 17, bottom: bottom)
    CardPanel(facts: facts, theme: theme, column: column).paint(&pen)
    pen.svg.line("</svg>")
    svg = pen.svg.bytes
  }

  private static func sheet(
    _ totals: TreeTotals, _ engine: GeoProjectionEngine, _ options: PosterOptions,
    _ compared: ComparedStates
  ) throws(GeoDrawingError) -> (SheetMap, folder: [[UInt8]]) {
    func sheet(_ target: PosterTarget) throws(GeoDrawingError) -> SheetMap {
      try SheetMap(
        of: totals, by: engine, showing: target, options, comparing: compared, in: mapBox,
        labelling: .largest(maximum))
    }
    var folder = compared.tree.changedFolder ?? []
    while folder.count > 1 {
      if let found = try? sheet(.folder(folder)) { return (found, folder) }
      folder.removeLast()
    }
    return (try sheet(.world), folder)
  }
}

private struct CardFacts {
  struct Row {
    let name: String
    let difference: String
    let details: String
    let note: String
    let kind: SizeChange.Kind
    let share: Double
  }

  struct Sum {
    let difference: String
    let values: String
    let kind: SizeChange.Kind
  }

  let title: String
  /// Names and days of both states; a day is empty if unknown.
  let states: [(name: String, day: String)]
  let sums: [Sum]
  /// The folder that the changes are in, below its root; for all, what sizes mean.
  let side: String
  let rows: [Row]
  let counts: [String]
  let kinds: [SizeChange.Kind]
  let isEmpty: Bool

  var summary: String {
    let names = states.map(\.name).joined(separator: " → ")
    let numbers = isEmpty ? "nothing differs" : sums.map(\.difference).joined(separator: ", ")
    return "\(title): \(names), \(numbers)"
  }

  init(
    _ compared: ComparedStates, _ sheet: SheetMap, _ folder: [[UInt8]], title: [UInt8]?
  ) {
    let tree = compared.tree
    let summary = ChangeSummary(tree, top: 0)
    let labels = tree.labels.map { NameText($0).text }
    self.title =
      title.map { String(decoding: $0, as: UTF8.self) } ?? labels.joined(separator: " · ")
    states = compared.states.map {
      (String(decoding: $0.name, as: UTF8.self), $0.time.map(SheetText.day) ?? "")
    }
    isEmpty = tree.isEmpty
    sums = Self.sums(tree.totalSums ?? StatePairSums(), tree.measure)
    let inner = folder.dropFirst().map { NameText($0).text }.joined(separator: "/")
    side = inner.isEmpty ? tree.measure.words : "in \(inner)"
    let roots = sheet.map.tree.tops.map { sheet.map.tree.folders[$0].path }
    let found = sheet.signs.map {
      ChangeRows($0, tree, roots: roots, maximum: ChangeCard.maximum).rows
    }
    let largest = Double(found?.first?.bytes.magnitude ?? 1)
    rows = (found ?? []).map { row in
      let lines = row.change.map { $0.change.lines(files: $0.files) }
      return Row(
        name: row.title, difference: lines?[0] ?? SizeChange.text(ofGrowth: row.bytes),
        details: lines?.dropFirst().joined() ?? "", note: row.note, kind: row.kind,
        share: Double(row.bytes.magnitude) / largest)
    }
    var counts = summary.counts(sheet.signs?.counts ?? [])
    if !inner.isEmpty {
      // The line of the heading has the folder, so what sizes mean goes to the foot.
      counts =
        counts.isEmpty
        ? [tree.measure.words]
        : [counts[0] + " · " + tree.measure.words]
          + counts.dropFirst()
    }
    self.counts = counts
    let shown = Set(
      (sheet.signs?.signs.map(\.change.kind) ?? []) + (sheet.signs?.kinds.values.map { $0 } ?? []))
    kinds = [.grew, .shrank, .added, .removed].filter(shown.contains)
  }

  private static func sums(_ sums: StatePairSums, _ measure: SizeMeasure) -> [Sum] {
    func kind(_ growth: Int64) -> SizeChange.Kind {
      growth > 0 ? .grew : growth < 0 ? .shrank : .same
    }
    var found: [Sum] = []
    if let old = sums.old.bytes(measure), let new = sums.new.bytes(measure) {
      found.append(
        Sum(
          difference: SizeChange.text(ofGrowth: new - old),
          values: SheetText.bytes(Double(old)) + " → " + SheetText.bytes(Double(new)),
          kind: kind(new - old)))
    }
    let growth = sums.new.files - sums.old.files
    found.append(
      Sum(
        difference: SizeChange.text(ofFiles: growth),
        values: sums.old.files.grouped + " → " + sums.new.files.grouped, kind: kind(growth)))
    return found
  }
}

private struct CardPanel {
  let facts: CardFacts
  let theme: Theme
  let column: Box

  private static let sizes = (
    title: 21.0, minimumTitle: 14.0, states: 11.0, small: 9.5, sums: 21.0, name: 12.5,
    difference: 11.0
  )
  private static let rowHeight = 41.0

  func paint(_ pen: inout Pen) {
    paintTitle(&pen)
    paintSums(&pen)
    var y = 131.0
    let head =
      facts.isEmpty ? "NOTHING DIFFERS" : facts.rows.isEmpty ? "NO SIZE DIFFERS" : "LARGEST CHANGES"
    y = PanelPainter.heading(head, column, y - 14, 1.1, theme, &pen)
    if !facts.side.isEmpty {
      var style = style(Self.sizes.small, theme.soft)
      style.anchor = "end"
      pen.text(
        TextWidth.fitted(facts.side, size: Self.sizes.small, into: column.width - 116),
        at: Point(column.right, y - 5), style)
    }
    for row in facts.rows {
      paint(row, y + 15, &pen)
      y += Self.rowHeight
    }
    paintFoot(&pen)
  }

  private func style(_ size: Double, _ ink: Paint) -> Pen.Style {
    Pen.Style(size: size, fill: ink.text)
  }

  private func paintTitle(_ pen: inout Pen) {
    let width = TextWidth.of(facts.title) * TextWidth.bold
    let size = Look.clamp(column.width / max(width, 0.1), Self.sizes.minimumTitle, Self.sizes.title)
    var title = style(size, theme.inks[1])
    title.isBold = true
    pen.text(
      TextWidth.fitted(facts.title, size: size * TextWidth.bold, into: column.width),
      at: Point(column.left, 33), title)
    guard facts.states.count == 2 else { return }
    paint(facts.states.map(\.name), 50, Self.sizes.states, theme.inks[1], &pen)
    if facts.states.contains(where: { !$0.day.isEmpty }) {
      let days = facts.states.map { $0.day.isEmpty ? "no date" : $0.day }
      paint(days, 62.5, Self.sizes.small, theme.soft, &pen)
    }
  }

  /// Writes the names of both states, each shortened if there is no room for it.
  private func paint(
    _ pair: [String], _ y: Double, _ size: Double, _ ink: Paint, _ pen: inout Pen
  ) {
    let arrow = " → "
    let width = column.width - TextWidth.of(arrow) * size
    let widths = pair.map { TextWidth.of($0) * size }
    let half = width / 2
    let texts = pair.indices.map { index in
      let other = min(widths[1 - index], half)
      return TextWidth.fitted(pair[index], size: size, into: width - other)
    }
    pen.text(texts.joined(separator: arrow), at: Point(column.left, y), style(size, ink))
  }

  private func paintSums(_ pen: inout Pen) {
    let parts = facts.sums.count
    for (index, sum) in facts.sums.enumerated() {
      let left = column.left + (parts == 2 && index == 1 ? 0.56 * column.width : 0)
      let width = parts == 1 ? column.width : (index == 0 ? 0.52 : 0.42) * column.width
      var number = style(
        min(Self.sizes.sums, width / (TextWidth.of(sum.difference) * TextWidth.bold)),
        theme.ink(of: sum.kind))
      number.isBold = true
      pen.text(sum.difference, at: Point(left, 91), number)
      pen.text(
        TextWidth.fitted(sum.values, size: Self.sizes.small, into: width), at: Point(left, 105),
        style(Self.sizes.small, theme.soft))
    }
  }

  private func paint(_ row: CardFacts.Row, _ y: Double, _ pen: inout Pen) {
    var number = style(Self.sizes.difference, theme.ink(of: row.kind))
    (number.isBold, number.anchor) = (true, "end")
    pen.text(row.difference, at: Point(column.right, y), number)
    let taken = TextWidth.of(row.difference) * TextWidth.bold * number.size + 8
    var name = style(Self.sizes.name, theme.inks[1])
    name.isBold = true
    pen.text(
      TextWidth.fitted(
        row.name, size: name.size * TextWidth.bold, into: column.width - taken),
      at: Point(column.left, y), name)
    pen.text(details(of: row), at: Point(column.left, y + 12), style(Self.sizes.small, theme.soft))
    func bar(_ share: Double) -> Box {
      Box(
        left: column.left, top: y + 16, right: column.left + column.width * share,
        bottom: y + 18.5)
    }
    pen.box(bar(1), "fill=\"\(theme.bare.text)\" fill-opacity=\".3\"")
    pen.box(bar(row.share), "fill=\"\(theme.colour(of: row.kind).text)\"")
  }

  /// Sizes and note of a row, or the note alone if there is no room for both.
  private func details(of row: CardFacts.Row) -> String {
    if row.note.isEmpty || row.details.isEmpty { return row.details + row.note }
    let both = row.details + ", " + row.note
    if TextWidth.of(both) * Self.sizes.small <= column.width { return both }
    return TextWidth.fitted(row.note, size: Self.sizes.small, into: column.width)
  }

  private func paintFoot(_ pen: inout Pen) {
    let words: [SizeChange.Kind: String] = [
      .grew: "grew", .shrank: "shrank", .added: "new", .removed: "gone",
    ]
    var x = column.left
    for kind in facts.kinds {
      ChangePainter.paint(
        Self.sample(kind), at: Point(x + 5, column.bottom - 37), 5, isSquare: false, theme, &pen)
      let word = words[kind] ?? ""
      pen.text(
        word, at: Point(x + 14, column.bottom - 33.7), style(Self.sizes.small, theme.inks[1]))
      x += 24 + TextWidth.of(word) * Self.sizes.small
    }
    var counts = style(Self.sizes.small, theme.soft)
    counts.isItalic = true
    for (index, line) in facts.counts.enumerated() {
      counts.size = min(Self.sizes.small, column.width / max(TextWidth.of(line), 1))
      pen.text(
        line, at: Point(column.left, column.bottom - 19 + 11 * Double(index)), counts)
    }
  }

  private static func sample(_ kind: SizeChange.Kind) -> SizeChange {
    switch kind {
    case .grew: SizeChange(.grew, from: 3, to: 8)
    case .shrank: SizeChange(.shrank, from: 8, to: 3)
    default: SizeChange(kind, from: 0, to: 1)
    }
  }
}
