import GeoCore

struct LegendPainter: SheetLegend {
  let sheet: SheetMap
  let scale: Double

  private var map: LandMap { sheet.map }
  private var theme: Theme { sheet.theme }
  private var colours: LandColours { sheet.colours }

  private struct Item {
    let words, note: String
    let paint: (Box, inout Pen) -> Void
  }

  private var items: [Item] {
    var items: [Item] = []
    if sheet.relief != nil {
      items.append(
        Item(
          words: "relief: size of the folder", note: "300 kB is flat, 1.6 GB is highest",
          paint: paintHills))
    }
    let woods = sheet.woods
    if !woods.trees.isEmpty {
      let unit = woods.files == 1 ? "a file" : "\(Int64(woods.files).grouped) files"
      let end = woods.isFull ? ", till the land is full" : ""
      items.append(
        Item(words: "woods: files", note: "a tree is \(unit)\(end)", paint: paintWoods))
    }
    if map.lands.values.contains(where: { $0.isBordered && $0.borderRank == 1 }) {
      items.append(
        Item(
          words: colours.isTinted ? colours.heading : "borders of folders",
          note: "broken lines: folders within them",
          paint: { colours.isTinted ? paintTints($0, &$1) : paintBorders($0, &$1) }))
    }
    if !sheet.placer.towns.isEmpty {
      let bounds = sheet.towns.bounds.reversed().map { map.tree.bound($0) }
      items.append(
        Item(
          words: "towns: large folders", note: "over " + bounds.joined(separator: ", ") + unit,
          paint: paintTowns))
    }
    if sheet.files != nil {
      items.append(
        Item(
          words: "squares: files", note: "the area is \(area), small files are dots",
          paint: paintFiles))
    }
    if map.hasShelf {
      let hasFiles = map.tree.tops.contains {
        map.isRoot($0) && map.tree.folders[$0].ownFiles > 0
      }
      items.append(
        Item(
          words: "shelf: ground no folder has taken",
          note: hasFiles ? "islets: files of the root itself" : "dotted: the edge of the root",
          paint: paintShelf))
    }
    if map.tree.tops.contains(where: { !map.isRoot($0) }) {
      items.append(
        Item(
          words: "dunes: land no folder has taken", note: "files may be on it", paint: paintDunes))
    }
    return items
  }

  private var shades: [LandColours.Row] { colours.isTinted ? [] : colours.legend }

  private var rowHeight: Double { 25.5 * scale }
  private var shadeHeight: Double { 13 * scale }
  /// The shades fill two columns.
  private var shadeRows: Int { (shades.count + 1) / 2 }

  var height: Double {
    var height = 20 * scale + Double(items.count) * rowHeight
    if !shades.isEmpty { height += 15 * scale + Double(shadeRows) * shadeHeight }
    if colours.newestInWords != nil { height += shadeHeight }
    return height
  }

  func paint(_ column: Box, from top: Double, _ pen: inout Pen) -> Double {
    var y = PanelPainter.heading("LEGEND", column, top, scale, theme, &pen) + 6 * scale
    let plain = Pen.Style(size: 9 * scale, fill: theme.inks[1])
    for item in items {
      let box = Box(left: column.left, top: y, width: 46 * scale, height: 18.5 * scale)
      item.paint(box, &pen)
      let x = box.right + 9 * scale
      pen.text(item.words, at: Point(x, y + 7.6 * scale), plain)
      pen.text(
        item.note, at: Point(x, y + 17.4 * scale),
        Pen.Style(size: 7.8 * scale, fill: theme.soft, isItalic: true))
      y += rowHeight
    }
    if shades.isEmpty { return y }
    pen.text(colours.heading, at: Point(column.left, y + 7.6 * scale), plain)
    y += 15 * scale
    for (index, row) in shades.enumerated() {
      let (side, line) = (index / shadeRows, index % shadeRows)
      let x = column.left + Double(side) * column.width / 2
      let top = y + Double(line) * shadeHeight
      let box = Box(left: x, top: top, width: 17 * scale, height: 9 * scale)
      for fill in row.isBlank ? [row.colour.fill(), "fill=\"url(#blank)\""] : [row.colour.fill()] {
        pen.box(box, fill + " " + theme.borders[2].stroke(".5"))
      }
      let style = Pen.Style(size: 8 * scale, fill: theme.soft, isSans: true)
      let width = column.width / 2 - 24 * scale - TextWidth.of(row.count) * style.size
      let words =
        row.count.isEmpty
        ? row.words
        : TextWidth.fitted(row.words, size: style.size, into: width, keepsBeginning: true)
          + row.count
      pen.text(words, at: Point(x + 22 * scale, top + 7.6 * scale), style)
    }
    y += Double(shadeRows) * shadeHeight
    guard let newest = colours.newestInWords else { return y }
    let style = Pen.Style(size: 8 * scale, fill: theme.soft, isItalic: true)
    pen.text(
      TextWidth.fitted(newest, size: style.size, into: column.width),
      at: Point(column.left, y + 8 * scale), style)
    return y + shadeHeight
  }

  /// What numbers of towns count; empty for bytes, which have units.
  private var unit: String {
    switch map.tree.measure {
    case .bytes: ""
    case .files: " files"
    case .layer: " " + map.tree.heading
    }
  }

  private var area: String {
    switch map.tree.measure {
    case .bytes: "the size"
    case .files: "the same for all"
    case .layer: map.tree.heading
    }
  }

  // MARK: Signs

  private func paintWoods(_ box: Box, _ pen: inout Pen) {
    var trees: [Point] = []
    for row in 0..<3 {
      for column in 0..<9 where Field.mix(column, row, 5) % 5 > 0 {
        let h = Field.mix(column, row, 6)
        trees.append(
          Point(
            box.left + (3 + Double(column) * 4.9) * scale + Double(h & 7) / 5,
            box.top + (4 + Double(row) * 5) * scale + Double(h >> 3 & 7) / 5))
      }
    }
    Woods.paint(trees, theme, &pen)
  }

  private func paintTints(_ box: Box, _ pen: inout Pen) {
    let each = box.width / Double(theme.tints.count)
    for (index, row) in colours.legend.enumerated() {
      let left = box.left + Double(index) * each
      pen.box(
        Box(
          left: left, top: box.top + 2 * scale, right: left + each, bottom: box.bottom - 2 * scale),
        row.colour.fill() + " " + theme.edges[index].stroke(".8"))
    }
    paintBorder(2, box, at: box.middle.y, &pen)
  }

  private func paintBorders(_ box: Box, _ pen: inout Pen) {
    for (rank, fraction) in [(1, 0.25), (2, 0.6), (3, 0.9)] {
      paintBorder(rank, box, at: box.top + box.height * fraction, &pen)
    }
  }

  private func paintBorder(_ rank: Int, _ box: Box, at y: Double, _ pen: inout Pen) {
    pen.path(
      [[Point(box.left, y), Point(box.right, y)]],
      "fill=\"none\" " + MapPainter.border(rank, breadth: 60, theme) + MapPainter.dashes(rank))
  }

  private func paintTowns(_ box: Box, _ pen: inout Pen) {
    for sign in 0..<3 {
      let x = box.left + box.width * (Double(2 - sign) + 0.5) / 3
      NamePainter.paint(sign, at: Point(x, box.middle.y), theme, &pen)
    }
  }

  private func paintFiles(_ box: Box, _ pen: inout Pen) {
    for (place, half) in [(0.3, 7.0), (0.62, 3.5), (0.85, 1.2)] {
      let middle = Point(box.left + box.width * place, box.middle.y)
      pen.box(Box(at: middle, half * scale, half * scale), theme.square.fill(".78"))
    }
  }

  private func paintShelf(_ box: Box, _ pen: inout Pen) {
    pen.box(box, theme.sea.fill())
    let (left, top) = (box.left + box.width * 0.22, box.top + 3 * scale)
    let ring = [
      Point(box.right, top), Point(left + 6 * scale, top), Point(left, box.middle.y),
      Point(left + 4 * scale, box.bottom - 3 * scale), Point(box.right, box.bottom - 3 * scale),
    ]
    pen.path([ring], isClosed: true, theme.shelf.fill())
    MapPainter.paintShelfEdge([ring], theme, isClosed: false, &pen)
  }

  private func paintDunes(_ box: Box, _ pen: inout Pen) {
    let dots = (0..<34).map { index in
      let h = Field.mix(index, 0, 77)
      return Point(
        box.left + Double(h & 255) / 255 * box.width,
        box.top + Double(h >> 8 & 255) / 255 * box.height)
    }
    pen.box(box, theme.land.fill())
    pen.svg.line(
      "<path d=\"\(SVGText.dots(dots))\" fill=\"none\" stroke=\"\(theme.bare.text)\" "
        + "stroke-linecap=\"round\" stroke-width=\".8\" stroke-opacity=\".6\"/>")
  }

  private func paintHills(_ box: Box, _ pen: inout Pen) {
    pen.box(box, theme.hill.blended(with: theme.land, 0.55).fill())
    let base = box.bottom - 2.5 * scale
    for (place, size) in [(0.22, 0.6), (0.52, 1.0), (0.8, 0.72)] {
      let x = box.left + box.width * place
      let (half, high) = (9.5 * size * scale, 14 * size * scale)
      let (top, foot) = (Point(x, base - high), Point(x + half * 0.25, base))
      pen.path([[Point(x - half, base), top, foot]], isClosed: true, theme.sun.fill(".75"))
      pen.path([[top, Point(x + half, base), foot]], isClosed: true, theme.shade.fill(".6"))
    }
  }
}
