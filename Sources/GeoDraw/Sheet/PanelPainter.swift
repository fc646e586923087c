import GeoCore

protocol SheetLegend {
  var height: Double { get }
  /// Draws the legend from a y downwards; returns the y at which it ends.
  func paint(_ column: Box, from top: Double, _ pen: inout Pen) -> Double
}

/// Draws the panel: title, totals, largest folders, legend and scale.
struct PanelPainter {
  let layout: SheetLayout
  let theme: Theme
  let facts: PosterFacts
  let legend: any SheetLegend

  func paint(_ pen: inout Pen) {
    pen.box(layout.panel, theme.panel.fill() + " " + theme.line.stroke("1.6"))
    pen.box(layout.panel.grown(by: -4), theme.line.outline(".6"))
    guard let first = layout.columns.first, let last = layout.columns.last else { return }
    var y = paintTitle(first, &pen)
    let scale = layout.scale
    if layout.columns.count == 3 {
      _ = paintFoot(first, bottom: first.bottom, &pen)
      _ = paintLists(layout.columns[1], from: first.top, to: first.bottom, &pen)
      _ = legend.paint(last, from: last.top, &pen)
      return
    }
    let foot = first.bottom - paintFoot(first, bottom: first.bottom, &pen)
    y = paintLists(first, from: y + 14 * scale, to: foot - legend.height - 26 * scale, &pen)
    _ = legend.paint(first, from: y + 8 * scale, &pen)
  }

  private func style(
    _ size: Double, _ fill: Paint? = nil, isSans: Bool = false, isItalic: Bool = false,
    anchor: Pen.Anchor = .start
  ) -> Pen.Style {
    Pen.Style(
      size: size * layout.scale, fill: fill ?? theme.inks[1], isSans: isSans, isItalic: isItalic,
      anchor: anchor)
  }

  // MARK: Title

  /// Draws the title and the totals; returns the y at which they end.
  private func paintTitle(_ column: Box, _ pen: inout Pen) -> Double {
    let scale = layout.scale
    let middle = column.middle.x
    var y = column.top + 12 * scale
    var small = style(8.6, theme.soft, anchor: .middle)
    small.spacing = 2.4 * scale
    pen.text(facts.above, at: Point(middle, y), small)
    y += 27 * scale
    // Uses the largest size that fits, on two lines if the title is long.
    for line in titleLines(column.width) {
      var large = style(line.size / scale, anchor: .middle)
      large.spacing = line.size * 0.06
      pen.text(line.text, at: Point(middle, y), large)
      y += line.size * 1.12
    }
    y -= 6 * scale
    pen.text(
      facts.subtitle, at: Point(middle, y),
      style(10, theme.soft, isItalic: true, anchor: .middle))
    y += 15 * scale
    let half = 42 * scale
    pen.path([[Point(middle - half, y), Point(middle + half, y)]], theme.bare.stroke(".7"))
    let d = 3.6 * scale
    pen.path(
      [[Point(middle - d, y), Point(middle, y - d), Point(middle + d, y), Point(middle, y + d)]],
      isClosed: true, theme.accent.fill())
    y += 24 * scale
    for (index, total) in facts.totals.enumerated() {
      let x = column.left + column.width * (Double(index) + 0.5) / Double(facts.totals.count)
      pen.text(total.number, at: Point(x, y), style(14.5, anchor: .middle))
      var word = style(9, theme.soft, isItalic: true, anchor: .middle)
      pen.text(total.word, at: Point(x, y + 13.5 * scale), word)
      word.size = 7.8 * scale
      for (row, line) in total.details.enumerated() {
        pen.text(line, at: Point(x, y + (24 + 10 * Double(row)) * scale), word)
      }
    }
    let details = facts.totals.map(\.details.count).max() ?? 0
    return y + (24 + 10 * Double(details)) * scale
  }

  /// The title's lines, each with the size at which it fits.
  private func titleLines(_ width: Double) -> [(text: String, size: Double)] {
    func size(_ text: String) -> Double {
      let letters = TextWidth.of(text) + 0.06 * Double(text.count)
      return min(25 * layout.scale, width / max(letters, 1))
    }
    let title = facts.title
    if size(title) >= 15 * layout.scale { return [(title, size(title))] }
    let words = title.split(separator: " ")
    let cuts = (1..<max(2, words.count)).map { cut in
      [words.prefix(cut).joined(separator: " "), words.dropFirst(cut).joined(separator: " ")]
    }
    let best = cuts.max { a, b in (a.map(size).min() ?? 0) < (b.map(size).min() ?? 0) }
    guard words.count > 1, let best else {
      let minimum = 11 * layout.scale
      if size(title) >= minimum { return [(title, size(title))] }
      return [(TextWidth.fitted(title, size: minimum * 1.06, into: width), minimum)]
    }
    let smallest = best.map(size).min() ?? 0
    return best.map { ($0, smallest) }
  }

  // MARK: Lists

  /// Draws as many of the largest parts and towns as fit; returns the y at which they end.
  private func paintLists(
    _ column: Box, from top: Double, to bottom: Double, _ pen: inout Pen
  ) -> Double {
    let scale = layout.scale
    let (partRow, noteRow, townRow, head) = (21 * scale, 10 * scale, 14.6 * scale, 34 * scale)
    var parts = min(facts.parts.count, 12)
    var towns = min(facts.towns.count, 12)
    func need() -> Double {
      (parts > 0 ? head + Double(parts) * partRow : 0)
        + Double(facts.parts.prefix(parts).count { !$0.note.isEmpty }) * noteRow
        + (facts.rest == nil ? 0 : noteRow) + (towns > 0 ? head + Double(towns) * townRow : 0)
    }
    while need() > bottom - top, parts + towns > 0 {
      // Shortens the longer list, but keeps three rows of each while the other has more.
      let isTowns = parts == 0 || towns > 3 && (towns >= parts || parts <= 3)
      if isTowns { towns -= 1 } else { parts -= 1 }
    }
    var y = top
    if parts > 0 {
      y = heading(facts.partsHeading, column, y, &pen)
      let small = style(7.6, theme.soft, isItalic: true, anchor: .end)
      let numbers = facts.partsColumn.isEmpty ? column.right : column.right - 62 * scale
      if !facts.measure.isEmpty {
        pen.text(facts.measure, at: Point(numbers, y + 9 * scale), small)
        pen.text(facts.partsColumn, at: Point(column.right, y + 9 * scale), small)
        y += 10 * scale
      }
      for part in facts.parts.prefix(parts) {
        y += partRow + (part.note.isEmpty ? 0 : noteRow)
        self.row(part, column, y, &pen)
      }
      if let rest = rest(after: parts) {
        y += noteRow
        pen.text(rest, at: Point(column.left, y), style(8, theme.soft, isItalic: true))
      }
      y += 10 * scale
    }
    if towns > 0 {
      y = heading(facts.townsHeading, column, y + 4 * scale, &pen)
      for (index, town) in facts.towns.prefix(towns).enumerated() {
        y += townRow
        self.town(town, index + 1, column, y, &pen)
      }
      y += 10 * scale
    }
    return y
  }

  private func rest(after parts: Int) -> String? {
    guard let rest = facts.rest else { return nil }
    let hidden = facts.parts.dropFirst(parts)
    let count = rest.count + hidden.count
    if count <= 0 { return nil }
    let bytes = hidden.reduce(rest.bytes) { $0.adding(saturating: $1.growth) }
    let others = count == 1 ? "1 other change" : "\(Int64(count).grouped) other changes"
    return "\(others): \(SizeChange.text(ofGrowth: bytes))"
  }

  private func heading(
    _ text: String, _ column: Box, _ y: Double, _ pen: inout Pen
  ) -> Double {
    Self.heading(text, column, y, layout.scale, theme, &pen)
  }

  /// Draws a heading with a line below it; returns the y of that line.
  static func heading(
    _ text: String, _ column: Box, _ y: Double, _ scale: Double, _ theme: Theme, _ pen: inout Pen
  ) -> Double {
    pen.text(
      text, at: Point(column.left, y + 9 * scale),
      Pen.Style(
        size: 8.2 * scale, fill: theme.accent, isSans: true, isBold: true, spacing: 1.3 * scale))
    let below = y + 14 * scale
    pen.path([[Point(column.left, below), Point(column.right, below)]], theme.bare.stroke(".7"))
    return below
  }

  private func row(_ part: PosterFacts.Part, _ column: Box, _ y: Double, _ pen: inout Pen) {
    let scale = layout.scale
    let width = column.width - 130 * scale
    let name = TextWidth.fitted(part.name, size: 9.6 * scale, into: width)
    let line = y - (part.note.isEmpty ? 5 : 14.5) * scale
    pen.text(name, at: Point(column.left, line), style(9.6))
    if !part.note.isEmpty {
      let note = style(8, theme.soft, isItalic: true)
      pen.text(
        TextWidth.fitted(part.note, size: note.size, into: column.width),
        at: Point(column.left, y - 4.5 * scale), note)
    }
    let number = style(8.6, part.kind.map(theme.ink), isSans: true, anchor: .end)
    let numbers = part.files.isEmpty ? column.right : column.right - 62 * scale
    pen.text(part.bytes, at: Point(numbers, line), number)
    pen.text(part.files, at: Point(column.right, line), number)
    let bar = Box(
      left: column.left, top: y - 1.6 * scale, right: column.left + column.width,
      bottom: y + 0.2 * scale)
    let colour = part.kind.map(theme.colour) ?? theme.accent
    Self.bar(bar, part.share, colour.fill(".75"), theme, &pen)
  }

  static func bar(
    _ box: Box, _ share: Double, _ attributes: String, _ theme: Theme, _ pen: inout Pen
  ) {
    pen.box(box, theme.bare.fill(".3"))
    if share <= 0 { return }
    let right = box.left + box.width * share
    pen.box(Box(left: box.left, top: box.top, right: right, bottom: box.bottom), attributes)
  }

  private func town(
    _ town: PosterFacts.Town, _ number: Int, _ column: Box, _ y: Double, _ pen: inout Pen
  ) {
    let scale = layout.scale
    pen.text(
      "\(number)", at: Point(column.left + 9 * scale, y),
      style(8, theme.soft, isSans: true, anchor: .end))
    let width = column.width - 78 * scale
    pen.text(
      TextWidth.fitted(town.path, size: 9 * scale, into: width),
      at: Point(column.left + 15 * scale, y), style(9))
    pen.text(town.bytes, at: Point(column.right, y), style(8.6, isSans: true, anchor: .end))
  }

  // MARK: Foot

  /// Draws the scale bar and the date at the lower end of a column; returns their height.
  private func paintFoot(_ column: Box, bottom: Double, _ pen: inout Pen) -> Double {
    let scale = layout.scale
    let middle = column.middle.x
    var y = bottom - 3 * scale
    let italic = style(9, isItalic: true, anchor: .middle)
    for line in facts.foot.reversed() {
      pen.text(line, at: Point(middle, y), italic)
      y -= 12 * scale
    }
    if !facts.foot.isEmpty { y -= 4 * scale }
    pen.text(
      facts.scaleNote, at: Point(middle, y),
      style(8.4, theme.soft, isItalic: true, anchor: .middle))
    y -= 15 * scale
    let ruler = facts.ruler(column.width * 0.62)
    let left = middle - ruler.length / 2
    let number = style(8, isSans: true, anchor: .middle)
    for (fraction, text) in [(0, "0"), (0.5, ruler.half), (1, ruler.whole)] {
      pen.text(text, at: Point(left + ruler.length * fraction, y), number)
    }
    y -= 10 * scale
    let high = 3.6 * scale
    for part in 0..<4 {
      let x = left + ruler.length * Double(part) / 4
      let fill = part % 2 == 0 ? theme.line : theme.panel
      pen.box(
        Box(left: x, top: y - high, right: x + ruler.length / 4, bottom: y),
        fill.fill() + " " + theme.line.stroke(".6"))
    }
    return bottom - y + high
  }
}
