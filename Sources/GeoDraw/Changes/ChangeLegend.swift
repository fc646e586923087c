struct ChangeLegend: SheetLegend {
  let signs: ChangeSigns
  let theme: Theme
  let scale: Double

  private struct Row {
    let words: String
    /// Nil for an arrow.
    let change: SizeChange?
    var isSquare = false
    var isOver = false
  }

  private var rows: [Row] {
    func has(_ kind: SizeChange.Kind, isSquare: Bool? = nil) -> Bool {
      // Land has the colour of its change, also where that is too little for a circle.
      isSquare != true && signs.kinds.values.contains(kind)
        || signs.signs.contains {
          $0.change.kind == kind && (isSquare == nil || $0.isSquare == isSquare)
        }
    }
    let rows: [(isShown: Bool, row: Row)] = [
      (has(.grew), Row(words: "grew: ring = what came", change: .sample(.grew))),
      (has(.shrank), Row(words: "shrank: ring = what went", change: .sample(.shrank))),
      (has(.added, isSquare: false), Row(words: "new", change: .sample(.added))),
      (has(.removed), Row(words: "gone", change: .sample(.removed))),
      (
        signs.signs.contains(where: \.isOver),
        Row(words: "light: much larger than its land", change: .sample(.grew), isOver: true)
      ),
      (
        has(.added, isSquare: true),
        Row(words: "new file, same scale", change: .sample(.added), isSquare: true)
      ),
      (has(.moved), Row(words: "moved here", change: .sample(.moved), isSquare: true)),
      (has(.left), Row(words: "moved away", change: .sample(.left), isSquare: true)),
      (!signs.arrows.isEmpty, Row(words: "moved between folders", change: nil)),
    ]
    return rows.filter(\.isShown).map(\.row)
  }

  private var references: [Double] {
    Symbols.references(unit: signs.unit, largest: signs.largest, radius: 22 * scale)
  }

  private var rowHeight: Double { 20 * scale }
  private var circlesHeight: Double { references.isEmpty ? 0 : 54 * scale }

  var height: Double { 26 * scale + circlesHeight + Double(rows.count) * rowHeight }

  func paint(_ column: Box, from top: Double, _ pen: inout Pen) -> Double {
    var y = PanelPainter.heading("LEGEND", column, top, scale, theme, &pen) + 10 * scale
    let middle = column.left + 23 * scale
    let style = Pen.Style(size: 9 * scale, fill: theme.inks[1])
    let bottom = y + 48 * scale
    for (index, amount) in references.enumerated() {
      let radius = signs.unit * amount.squareRoot()
      pen.circle(Point(middle, bottom - radius), radius, theme.soft.outline(".8"))
      let line = index == 0 ? bottom - 2 * radius : max(bottom - 2 * radius, bottom - 12 * scale)
      pen.path(
        [[Point(middle, bottom - 2 * radius), Point(middle + 34 * scale, line)]],
        theme.soft.stroke(".6"))
      pen.text(
        SheetText.bound(amount), at: Point(middle + 38 * scale, line + 3 * scale), style)
    }
    if let first = references.first {
      let edge = bottom - 2 * signs.unit * first.squareRoot()
      pen.text(
        "area of a circle: bytes", at: Point(column.left + 112 * scale, edge + 3 * scale), style)
    }
    y += circlesHeight
    for row in rows {
      let point = Point(middle, y + 8 * scale)
      if let change = row.change {
        ChangePainter.paint(
          change, at: point, (row.isSquare ? 6 : 8) * scale, isSquare: row.isSquare,
          isOver: row.isOver, theme, &pen)
      } else {
        ChangePainter.paint(
          ChangeSigns.Arrow(
            from: Point(point.x - 14 * scale, point.y + 2),
            to: Point(point.x + 14 * scale, point.y + 2),
            width: 1.6, move: LandMove(from: [], to: [], files: 0, bytes: 0)), theme, &pen)
      }
      pen.text(row.words, at: Point(middle + 32 * scale, y + 11 * scale), style)
      y += rowHeight
    }
    return y
  }
}
