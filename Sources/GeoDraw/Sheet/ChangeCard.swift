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
    let (x, bottom) = (Self.mapBox.right, Self.page.bottom)
    let column = Box(left: x + 17, top: 0, right: Self.page.right - 17, bottom: bottom)
    let panel = CardPanel(compared, sheet, folder, title: options.title, in: column)

    var pen = Pen()
    pen.svg.line(
      Pen.opening(width: "\(Self.width)", height: "\(Self.height)", units: Self.page, panel.summary)
    )
    pen.box(Self.page, sheet.theme.panel.fill())
    sheet.paint(nil, nil, &pen)
    pen.path([[Point(x, 0), Point(x, bottom)]], sheet.theme.line.stroke("1"))
    panel.paint(&pen)
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

private struct CardPanel {
  private let column: Box
  private let theme: Theme
  private let title: String
  /// Names and days of both states; a day is empty if unknown.
  private let states: [(name: String, day: String)]
  /// Bytes, if they are known, and files: the difference, and both values.
  private var sums: [(difference: String, values: String, kind: SizeChange.Kind)] = []
  /// The folder that the changes are in, below its root; for all, what sizes mean.
  private let side: String
  private let rows: [ChangeRows.Row]
  private var counts: [String]
  private let kinds: [SizeChange.Kind]
  private let isEmpty: Bool

  private static let sizes = (
    title: 21.0, minimumTitle: 14.0, states: 11.0, small: 9.5, sums: 21.0, name: 12.5,
    difference: 11.0
  )
  private static let rowHeight = 41.0

  init(
    _ compared: ComparedStates, _ sheet: SheetMap, _ folder: [[UInt8]], title: [UInt8]?,
    in column: Box
  ) {
    (self.column, theme) = (column, sheet.theme)
    let (tree, measure) = (compared.tree, compared.tree.measure)
    self.title =
      title.map { String(decoding: $0, as: UTF8.self) }
      ?? tree.labels.map { NameText($0).text }.joined(separator: " · ")
    states = compared.states.map {
      (String(decoding: $0.name, as: UTF8.self), $0.time.map(SheetText.day) ?? "")
    }
    isEmpty = tree.isEmpty
    let inner = folder.dropFirst().map { NameText($0).text }.joined(separator: "/")
    side = inner.isEmpty ? measure.words : "in \(inner)"
    let roots = sheet.map.tree.tops.map { sheet.map.tree.folders[$0].path }
    rows =
      sheet.signs.map { ChangeRows($0, tree, roots: roots, maximum: ChangeCard.maximum).rows } ?? []
    counts = ChangeSummary(tree, top: 0).counts(sheet.signs?.counts ?? [])
    // If the line of the heading has the folder, what sizes mean goes to the foot.
    if !inner.isEmpty {
      let first = counts.isEmpty ? "" : counts.removeFirst() + " · "
      counts.insert(first + measure.words, at: 0)
    }
    let shown = Set(
      (sheet.signs?.signs.map(\.change.kind) ?? []) + (sheet.signs?.kinds.values.map { $0 } ?? []))
    kinds = [.grew, .shrank, .added, .removed].filter(shown.contains)

    let (old, new) = (tree.totalSums?.old ?? StateSums(), tree.totalSums?.new ?? StateSums())
    func kind(_ growth: Int64) -> SizeChange.Kind {
      growth > 0 ? .grew : growth < 0 ? .shrank : .same
    }
    if let before = old.bytes(measure), let after = new.bytes(measure) {
      sums.append(
        (
          SizeChange.text(ofGrowth: after - before),
          SheetText.bytes(Double(before)) + " → " + SheetText.bytes(Double(after)),
          kind(after - before)
        ))
    }
    let growth = new.files - old.files
    sums.append(
      (
        SizeChange.text(ofFiles: growth), old.files.grouped + " → " + new.files.grouped,
        kind(growth)
      ))
  }

  /// The card in one line.
  var summary: String {
    let names = states.map(\.name).joined(separator: " → ")
    let numbers = isEmpty ? "nothing differs" : sums.map(\.difference).joined(separator: ", ")
    return "\(title): \(names), \(numbers)"
  }

  func paint(_ pen: inout Pen) {
    paintTitle(&pen)
    paintSums(&pen)
    var y = 131.0
    let head = isEmpty ? "NOTHING DIFFERS" : rows.isEmpty ? "NO SIZE DIFFERS" : "LARGEST CHANGES"
    y = PanelPainter.heading(head, column, y - 14, 1.1, theme, &pen)
    if !side.isEmpty {
      pen.text(
        TextWidth.fitted(side, size: Self.sizes.small, into: column.width - 116),
        at: Point(column.right, y - 5),
        Pen.Style(size: Self.sizes.small, fill: theme.soft, anchor: .end))
    }
    for row in rows {
      paint(row, y + 15, &pen)
      y += Self.rowHeight
    }
    paintFoot(&pen)
  }

  private var small: Pen.Style { Pen.Style(size: Self.sizes.small, fill: theme.soft) }

  private func paintTitle(_ pen: inout Pen) {
    let width = TextWidth.of(title) * TextWidth.bold
    let size = Look.clamp(column.width / max(width, 0.1), Self.sizes.minimumTitle, Self.sizes.title)
    pen.text(
      TextWidth.fitted(title, size: size * TextWidth.bold, into: column.width),
      at: Point(column.left, 33), Pen.Style(size: size, fill: theme.inks[1], isBold: true))
    guard states.count == 2 else { return }
    paint(
      states.map(\.name), 50, Pen.Style(size: Self.sizes.states, fill: theme.inks[1]), &pen)
    if states.contains(where: { !$0.day.isEmpty }) {
      paint(states.map { $0.day.isEmpty ? "no date" : $0.day }, 62.5, small, &pen)
    }
  }

  /// Writes the names of both states, each shortened if there is no room for it.
  private func paint(_ pair: [String], _ y: Double, _ style: Pen.Style, _ pen: inout Pen) {
    let arrow = " → "
    let width = column.width - TextWidth.of(arrow) * style.size
    let texts = pair.indices.map { index in
      let other = min(TextWidth.of(pair[1 - index]) * style.size, width / 2)
      return TextWidth.fitted(pair[index], size: style.size, into: width - other)
    }
    pen.text(texts.joined(separator: arrow), at: Point(column.left, y), style)
  }

  private func paintSums(_ pen: inout Pen) {
    for (index, sum) in sums.enumerated() {
      let left = column.left + (index == 1 ? 0.56 * column.width : 0)
      let width = sums.count == 1 ? column.width : (index == 0 ? 0.52 : 0.42) * column.width
      let size = min(Self.sizes.sums, width / (TextWidth.of(sum.difference) * TextWidth.bold))
      pen.text(
        sum.difference, at: Point(left, 91),
        Pen.Style(size: size, fill: theme.ink(of: sum.kind), isBold: true))
      pen.text(
        TextWidth.fitted(sum.values, size: Self.sizes.small, into: width), at: Point(left, 105),
        small)
    }
  }

  private func paint(_ row: ChangeRows.Row, _ y: Double, _ pen: inout Pen) {
    let lines = row.change.map { $0.change.lines(files: $0.files) }
    let difference = lines?[0] ?? SizeChange.text(ofGrowth: row.bytes)
    pen.text(
      difference, at: Point(column.right, y),
      Pen.Style(
        size: Self.sizes.difference, fill: theme.ink(of: row.kind), isBold: true, anchor: .end))
    let taken = TextWidth.of(difference) * TextWidth.bold * Self.sizes.difference + 8
    pen.text(
      TextWidth.fitted(
        row.title, size: Self.sizes.name * TextWidth.bold, into: column.width - taken),
      at: Point(column.left, y),
      Pen.Style(size: Self.sizes.name, fill: theme.inks[1], isBold: true))
    pen.text(
      details(lines?.dropFirst().joined() ?? "", row.note), at: Point(column.left, y + 12), small)
    let bar = Box(
      left: column.left, top: y + 16, right: column.left + column.width, bottom: y + 18.5)
    let share = Double(row.bytes.magnitude) / Double(rows[0].bytes.magnitude)
    PanelPainter.bar(bar, share, theme.colour(of: row.kind).fill(), theme, &pen)
  }

  /// Sizes and note of a row, or the note alone if there is no room for both.
  private func details(_ sizes: String, _ note: String) -> String {
    if note.isEmpty || sizes.isEmpty { return sizes + note }
    let both = sizes + ", " + note
    if TextWidth.of(both) * Self.sizes.small <= column.width { return both }
    return TextWidth.fitted(note, size: Self.sizes.small, into: column.width)
  }

  private func paintFoot(_ pen: inout Pen) {
    let words: [SizeChange.Kind: String] = [
      .grew: "grew", .shrank: "shrank", .added: "new", .removed: "gone",
    ]
    var x = column.left
    for kind in kinds {
      ChangePainter.paint(
        .sample(kind), at: Point(x + 5, column.bottom - 37), 5, isSquare: false, theme, &pen)
      let word = words[kind] ?? ""
      pen.text(
        word, at: Point(x + 14, column.bottom - 33.7),
        Pen.Style(size: Self.sizes.small, fill: theme.inks[1]))
      x += 24 + TextWidth.of(word) * Self.sizes.small
    }
    for (index, line) in counts.enumerated() {
      let size = min(Self.sizes.small, column.width / max(TextWidth.of(line), 1))
      pen.text(
        line, at: Point(column.left, column.bottom - 19 + 11 * Double(index)),
        Pen.Style(size: size, fill: theme.soft, isItalic: true))
    }
  }
}
