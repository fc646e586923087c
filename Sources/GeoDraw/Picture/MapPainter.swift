import GeoCore
import GeoProjection

struct MapPainter {
  let map: LandMap
  let theme: Theme
  let colours: LandColours
  let relief: Relief?
  let woods: Woods
  let graticule: Graticule?
  let changes: ChangePainter?

  /// The distances of the waterlines from the coast, in units.
  private static let depths = [3, 7, 12, 18, 25.5, 34]

  func paint(_ pen: inout Pen) {
    let outermost = map.order.filter { map.tree.folders[$0].parent == nil }
    let coasts = outermost.flatMap { map.lands[$0]?.outline ?? [] }
    pen.svg.line("<defs>")
    pen.path(coasts, isClosed: true, "id=\"coast\"")
    if colours.layer != nil { Self.defineBlank(theme, &pen) }
    pen.svg.line("</defs>")
    pen.box(map.view.frame, theme.sea.fill())
    paintSea(&pen)
    paintShelf(&pen)
    paintGraticule(&pen)
    paintLand(&pen)
    paintBareLand(&pen)
    paintLands(&pen)
    paintRelief(&pen)
    Woods.paint(woods.trees, theme, &pen)
    paintBorders(&pen)
    changes?.paintLands(&pen)
    changes?.paintSigns(&pen)
  }

  private static func defineBlank(_ theme: Theme, _ pen: inout Pen) {
    pen.svg.line(
      "<pattern id=\"blank\" width=\"5\" height=\"5\" patternUnits=\"userSpaceOnUse\" "
        + "patternTransform=\"rotate(45)\"><path d=\"M2.5 0V5\" "
        + "\(theme.borders[3].stroke(".8", ".45"))/></pattern>")
  }

  private func paintSea(_ pen: inout Pen) {
    // Each stroke covers the inner part of the wider one drawn before it.
    pen.group("fill=\"none\" stroke-linejoin=\"round\"") { pen in
      for (depth, index) in zip(Self.depths, Self.depths.indices).reversed() {
        for (width, colour) in [
          (2 * depth + 0.9, theme.waterline[index]), (2 * depth - 0.9, theme.shallows[index]),
        ] {
          pen.svg.line("<use xlink:href=\"#coast\" \(colour.stroke(SVGText.number(width)))/>")
        }
      }
    }
  }

  /// Draws ground of roots that nothing has taken as shallow water; land is drawn over it.
  private func paintShelf(_ pen: inout Pen) {
    let rings = map.order.filter { map.isRoot($0) }.compactMap { map.lands[$0]?.ring }
    if rings.isEmpty { return }
    pen.path(rings, isClosed: true, theme.shelf.fill(".62"))
    Self.paintShelfEdge(rings, theme, &pen)
  }

  static func paintShelfEdge(
    _ rings: [[Point]], _ theme: Theme, isClosed: Bool = true, _ pen: inout Pen
  ) {
    pen.path(
      rings, isClosed: isClosed,
      theme.shelfEdge.outline("1") + " stroke-linecap=\"round\" stroke-dasharray=\"0 3.4\"")
  }

  private func paintGraticule(_ pen: inout Pen) {
    guard let (fine, strong) = graticule?.lines(map.view) else { return }
    pen.path(fine, theme.graticule.outline(".5", ".3"))
    pen.path(strong, theme.graticule.outline(".8", ".5"))
  }

  private func paintLand(_ pen: inout Pen) {
    for folder in map.order {
      guard let land = map.lands[folder], land.rank <= 0 else { continue }
      let fill = land.rank < 0 ? colours.surroundings(land) : theme.land
      pen.path(land.outline, isClosed: true, fill.fill())
    }
  }

  /// Draws dunes where a folder that is drawn as a continent has no sub-folder.
  private func paintBareLand(_ pen: inout Pen) {
    let spacing = 6.4
    let frame = map.view.frame
    var dots: [Point] = []
    var dunes = ""
    for row in 0..<Int(frame.height / spacing) {
      for column in 0..<Int(frame.width / spacing) {
        let h = Field.mix(column, row, 131)
        let point = Point(
          frame.left + (Double(column) + Double(h & 255) / 255) * spacing,
          frame.top + (Double(row) + Double(h >> 8 & 255) / 255) * spacing)
        let land = map.grid.land(at: point)
        guard land != LandGrid.sea, map.lands[Int(land)]?.rank == 0, !map.isRoot(Int(land))
        else { continue }
        // Noise groups the dots into drifts, so that they don't look like a halftone.
        let drift = Field.value(point.x / 31, point.y / 31, seed: 19)
        if Double(h >> 16 & 255) / 255 > 0.5 + 0.5 * drift { continue }
        if h >> 24 < 46 {
          dunes += "M\(SVGText.pair(point))q1.4-1.3 2.9-.2"
        } else {
          dots.append(point)
        }
      }
    }
    pen.group(
      "fill=\"none\" stroke=\"\(theme.bare.text)\" stroke-linecap=\"round\" stroke-opacity=\".5\""
    ) { pen in
      if !dots.isEmpty { pen.svg.line("<path d=\"\(SVGText.dots(dots))\" stroke-width=\".8\"/>") }
      if !dunes.isEmpty { pen.svg.line("<path d=\"\(dunes)\" stroke-width=\".5\"/>") }
    }
  }

  // MARK: Lands

  /// The widths of the strokes that darken a land along its border, both sides together, in units.
  private static let edgeWidths = [6.4, 3.0]

  private func paintLands(_ pen: inout Pen) {
    var fills: [Int: Paint] = [:]
    for folder in map.order {
      guard let land = map.lands[folder] else { continue }
      let parent = map.tree.folders[folder].parent
      let ground = parent.flatMap { fills[$0] } ?? theme.land
      let fill =
        land.isBordered ? colours.fill(land, map.tree.folders[folder], on: ground) : ground
      fills[folder] = fill
      if land.rank < 1 || !land.isBordered || land.rank > 1 && fill.text == ground.text { continue }
      if land.rank > 1 || land.breadth < 9 {
        pen.path(land.outline, isClosed: true, fill.fill())
        hatch(land, in: parent, &pen)
        continue
      }
      // Two clipped strokes darken the land towards its border: only their inner halves are
      // visible.
      let edge = colours.edge(land).text
      pen.svg.line("<clipPath id=\"c\(folder)\">")
      pen.path(land.outline, isClosed: true, "id=\"l\(folder)\"")
      pen.svg.line("</clipPath>")
      pen.svg.line("<use xlink:href=\"#l\(folder)\" \(fill.fill())/>")
      hatch(land, in: parent, &pen)
      pen.group("clip-path=\"url(#c\(folder))\" fill=\"none\" stroke=\"\(edge)\"") { pen in
        for width in Self.edgeWidths {
          pen.svg.line(
            "<use xlink:href=\"#l\(folder)\" stroke-width=\"\(SVGText.number(width))\" "
              + "stroke-opacity=\".26\"/>")
        }
      }
    }
  }

  /// Hatches land without a value. What is in hatched land is hatched already.
  private func hatch(_ land: DrawnLand, in parent: Int?, _ pen: inout Pen) {
    guard colours.isBlank(map.tree.folders[land.folder]) else { return }
    if land.rank > 1, let parent, colours.isBlank(map.tree.folders[parent]) { return }
    pen.path(land.outline, isClosed: true, "fill=\"url(#blank)\"")
  }

  private func paintRelief(_ pen: inout Pen) {
    guard let relief else { return }
    pen.svg.put(
      "<image \(SVGText.attributes(relief.frame)) preserveAspectRatio=\"none\" "
        + "xlink:href=\"data:image/png;base64,")
    pen.svg.put(Base64.encode(relief.picture.file))
    pen.svg.line("\"/>")
  }

  private func paintBorders(_ pen: inout Pen) {
    struct Style: Hashable {
      let rank, strength: Int
    }
    var lines: [Style: [[Point]]] = [:]
    for border in map.borders {
      // Paper shows finer lines than a screen, so borders are drawn as for wider lands.
      let look = Look.border(depth: border.rank, breadth: border.breadth * 1.8)
      let strength = Int((look.alpha * 8).rounded())
      if strength > 0 {
        lines[Style(rank: border.rank, strength: strength), default: []].append(border.points)
      }
    }
    pen.group("fill=\"none\" stroke-linejoin=\"round\" stroke-linecap=\"round\"") { pen in
      let styles = lines.keys.sorted { ($1.rank, $0.strength) < ($0.rank, $1.strength) }
      for style in styles {
        let alpha = Double(style.strength) / 8
        let stroke = Self.border(
          style.rank, breadth: 5 + 22 * alpha, theme, opacity: SVGText.number(alpha, decimals: 2))
        pen.path(lines[style] ?? [], stroke + (alpha < 0.3 ? "" : Self.dashes(style.rank)))
      }
    }
  }

  /// The stroke of a border. Paper takes finer lines than a screen.
  static func border(
    _ rank: Int, breadth: Double, _ theme: Theme, opacity: String = ""
  ) -> String {
    let width = Look.border(depth: rank, breadth: breadth).width * 0.85
    return theme.borders[min(rank, 3)].stroke(SVGText.number(width, decimals: 2), opacity)
  }

  static func dashes(_ rank: Int) -> String {
    let dashes = Look.dashes(depth: rank).map { SVGText.number($0 * 0.7) }
    return dashes.isEmpty ? "" : " stroke-dasharray=\"\(dashes.joined(separator: " "))\""
  }
}
