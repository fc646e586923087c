import GeoCore

struct LegendPainter: SheetLegend {
  let map: LandMap
  let theme: Theme
  let scale: Double
  let colours: LandColours
  let townBounds: [Double]
  let woods: Woods
  let hasRelief: Bool
  let hasTowns: Bool
  let hasFiles: Bool

  private enum Item {
    case relief, woods, tints, borders, towns, files, shelf, dunes
  }

  private var items: [Item] {
    var items: [Item] = []
    if hasRelief { items.append(.relief) }
    if !woods.trees.isEmpty { items.append(.woods) }
    let ranks = Set(map.lands.values.filter(\.isBordered).map(\.borderRank))
    if ranks.contains(1) { items.append(colours.isTinted ? .tints : .borders) }
    if hasTowns { items.append(.towns) }
    if hasFiles { items.append(.files) }
    if map.hasShelf { items.append(.shelf) }
    if map.tree.tops.contains(where: { !map.isRoot($0) }) { items.append(.dunes) }
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
    let width = 46 * scale
    for item in items {
      let box = Box(
        left: column.left, top: y, right: column.left + width, bottom: y + 18.5 * scale)
      paint(item, box, &pen)
      let (word, note) = words(item)
      let x = box.right + 9 * scale
      pen.text(
        word, at: Point(x, y + 7.6 * scale), Pen.Style(size: 9 * scale, fill: theme.inks[1].text))
      var style = Pen.Style(size: 7.8 * scale, fill: theme.soft.text)
      style.isItalic = true
      pen.text(note, at: Point(x, y + 17.4 * scale), style)
      y += rowHeight
    }
    if shades.isEmpty { return y }
    pen.text(
      colours.heading, at: Point(column.left, y + 7.6 * scale),
      Pen.Style(size: 9 * scale, fill: theme.inks[1].text))
    y += 15 * scale
    for (index, row) in shades.enumerated() {
      let (side, line) = (index / shadeRows, index % shadeRows)
      let x = column.left + Double(side) * column.width / 2
      let top = y + Double(line) * shadeHeight
      let box = Box(left: x, top: top, right: x + 17 * scale, bottom: top + 9 * scale)
      for fill in row.isBlank ? [row.colour.text, "url(#blank)"] : [row.colour.text] {
        pen.box(box, "fill=\"\(fill)\" stroke=\"\(theme.borders[2].text)\" stroke-width=\".5\"")
      }
      var style = Pen.Style(size: 8 * scale, fill: theme.soft.text)
      style.isSans = true
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
    var style = Pen.Style(size: 8 * scale, fill: theme.soft.text)
    style.isItalic = true
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

  private func words(_ item: Item) -> (String, String) {
    switch item {
    case .relief: return ("relief: size of the folder", "300 kB is flat, 1.6 GB is highest")
    case .woods:
      let files = Int64(woods.files).grouped
      let unit = woods.files == 1 ? "a file" : "\(files) files"
      return (
        "woods: files", "a tree is \(unit)" + (woods.isFull ? ", till the land is full" : "")
      )
    case .tints: return (colours.heading, "broken lines: folders within them")
    case .towns:
      let bounds = townBounds.reversed().map { map.tree.bound($0) }
      return (
        "towns: large folders", "over " + bounds.joined(separator: ", ") + unit
      )
    case .files: return ("squares: files", "the area is \(area), small files are dots")
    case .borders: return ("borders of folders", "broken lines: folders within them")
    case .shelf:
      let hasFiles = map.tree.tops.contains {
        map.isRoot($0) && map.tree.folders[$0].ownFiles > 0
      }
      return (
        "shelf: ground no folder has taken",
        hasFiles ? "islets: files of the root itself" : "dotted: the edge of the root"
      )
    case .dunes: return ("dunes: land no folder has taken", "files may be on it")
    }
  }

  private func paint(_ item: Item, _ box: Box, _ pen: inout Pen) {
    switch item {
    case .relief: paintHills(box, &pen)
    case .woods:
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
      WoodPainter(theme).paint(trees, &pen)
    case .tints:
      let each = box.width / Double(theme.tints.count)
      for (index, row) in colours.legend.enumerated() {
        let left = box.left + Double(index) * each
        pen.box(
          Box(
            left: left, top: box.top + 2 * scale, right: left + each,
            bottom: box.bottom - 2 * scale),
          "fill=\"\(row.colour.text)\" stroke=\"\(theme.edges[index].text)\" stroke-width=\".8\"")
      }
      paintBorder(
        rank: 2, Box(left: box.left, top: box.middle.y, right: box.right, bottom: box.bottom), &pen)
    case .towns:
      for sign in 0..<3 {
        let x = box.left + box.width * (Double(2 - sign) + 0.5) / 3
        NamePainter.paint(sign, at: Point(x, box.middle.y), theme, &pen)
      }
    case .files:
      for (place, half) in [(0.3, 7.0), (0.62, 3.5), (0.85, 1.2)] {
        let (x, y, half) = (box.left + box.width * place, box.middle.y, half * scale)
        pen.box(
          Box(left: x - half, top: y - half, right: x + half, bottom: y + half),
          "fill=\"\(theme.square.text)\" fill-opacity=\".78\"")
      }
    case .borders:
      for (rank, fraction) in [(1, 0.25), (2, 0.6), (3, 0.9)] {
        let y = box.top + box.height * fraction
        paintBorder(rank: rank, Box(left: box.left, top: y, right: box.right, bottom: y), &pen)
      }
    case .shelf:
      pen.box(box, "fill=\"\(theme.sea.text)\"")
      let (left, top) = (box.left + box.width * 0.22, box.top + 3 * scale)
      let ring = [
        Point(box.right, top), Point(left + 6 * scale, top), Point(left, box.middle.y),
        Point(left + 4 * scale, box.bottom - 3 * scale), Point(box.right, box.bottom - 3 * scale),
      ]
      pen.path([ring], isClosed: true, "fill=\"\(theme.shelf.text)\"")
      MapPainter.paintShelfEdge([ring], theme, isClosed: false, &pen)
    case .dunes:
      var dots: [Point] = []
      for index in 0..<34 {
        let h = Field.mix(index, 0, 77)
        dots.append(
          Point(
            box.left + Double(h & 255) / 255 * box.width,
            box.top + Double(h >> 8 & 255) / 255 * box.height))
      }
      pen.box(box, "fill=\"\(theme.land.text)\"")
      pen.svg.line(
        "<path d=\"\(SVGText.dots(dots))\" fill=\"none\" stroke=\"\(theme.bare.text)\" "
          + "stroke-linecap=\"round\" stroke-width=\".8\" stroke-opacity=\".6\"/>")
    }
  }

  private func paintBorder(rank: Int, _ box: Box, _ pen: inout Pen) {
    let dashes = Look.dashes(depth: rank).map { SVGText.number($0 * 0.7) }
    let dashed = dashes.isEmpty ? "" : " stroke-dasharray=\"\(dashes.joined(separator: " "))\""
    let width = SVGText.number(Look.border(depth: rank, breadth: 60).width * 0.85, decimals: 2)
    pen.path(
      [[Point(box.left, box.top), Point(box.right, box.top)]],
      "fill=\"none\" stroke=\"\(theme.borders[rank].text)\" stroke-width=\"\(width)\"\(dashed)")
  }

  private func paintHills(_ box: Box, _ pen: inout Pen) {
    pen.box(box, "fill=\"\(theme.hill.blended(with: theme.land, 0.55).text)\"")
    let base = box.bottom - 2.5 * scale
    for (place, size) in [(0.22, 0.6), (0.52, 1.0), (0.8, 0.72)] {
      let x = box.left + box.width * place
      let (half, high) = (9.5 * size * scale, 14 * size * scale)
      let top = Point(x, base - high)
      pen.path(
        [[Point(x - half, base), top, Point(x + half * 0.25, base)]], isClosed: true,
        "fill=\"\(theme.sun.text)\" fill-opacity=\".75\"")
      pen.path(
        [[top, Point(x + half, base), Point(x + half * 0.25, base)]], isClosed: true,
        "fill=\"\(theme.shade.text)\" fill-opacity=\".6\"")
    }
  }
}
