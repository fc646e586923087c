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
    pen.box(map.view.frame, "fill=\"\(theme.sea.text)\"")
    paintSea(&pen)
    paintShelf(&pen)
    paintGraticule(&pen)
    paintLand(&pen)
    paintBareLand(&pen)
    paintLands(&pen)
    paintRelief(&pen)
    paintWoods(&pen)
    paintBorders(&pen)
    changes?.paintLands(&pen)
    changes?.paintSigns(&pen)
  }

  private static func defineBlank(_ theme: Theme, _ pen: inout Pen) {
    pen.svg.line(
      "<pattern id=\"blank\" width=\"5\" height=\"5\" patternUnits=\"userSpaceOnUse\" "
        + "patternTransform=\"rotate(45)\"><path d=\"M2.5 0V5\" stroke=\"\(theme.borders[3].text)\" "
        + "stroke-width=\".8\" stroke-opacity=\".45\"/></pattern>")
  }

  private func paintSea(_ pen: inout Pen) {
    // Each stroke covers the inner part of the wider one drawn before it.
    pen.group("fill=\"none\" stroke-linejoin=\"round\"") { pen in
      for (depth, index) in zip(Self.depths, Self.depths.indices).reversed() {
        for (width, colour) in [
          (2 * depth + 0.9, theme.waterline[index]), (2 * depth - 0.9, theme.shallows[index]),
        ] {
          pen.svg.line(
            "<use xlink:href=\"#coast\" stroke=\"\(colour.text)\" "
              + "stroke-width=\"\(SVGText.number(width))\"/>")
        }
      }
    }
  }

  /// Draws ground of roots that nothing has taken as shallow water; land is drawn over it.
  private func paintShelf(_ pen: inout Pen) {
    let rings = map.order.filter { map.isRoot($0) }.compactMap { map.lands[$0]?.ring }
    if rings.isEmpty { return }
    pen.path(rings, isClosed: true, "fill=\"\(theme.shelf.text)\" fill-opacity=\".62\"")
    Self.paintShelfEdge(rings, theme, &pen)
  }

  static func paintShelfEdge(
    _ rings: [[Point]], _ theme: Theme, isClosed: Bool = true, _ pen: inout Pen
  ) {
    pen.path(
      rings, isClosed: isClosed,
      "fill=\"none\" stroke=\"\(theme.shelfEdge.text)\" stroke-width=\"1\" "
        + "stroke-linecap=\"round\" stroke-dasharray=\"0 3.4\"")
  }

  private func paintGraticule(_ pen: inout Pen) {
    guard let (fine, strong) = graticule?.lines(map.view) else { return }
    let stroke = "fill=\"none\" stroke=\"\(theme.graticule.text)\" stroke-width"
    pen.path(fine, "\(stroke)=\".5\" stroke-opacity=\".3\"")
    pen.path(strong, "\(stroke)=\".8\" stroke-opacity=\".5\"")
  }

  private func paintLand(_ pen: inout Pen) {
    for folder in map.order {
      guard let land = map.lands[folder], land.rank <= 0 else { continue }
      let fill = land.rank < 0 ? colours.surroundings(land) : theme.land
      pen.path(land.outline, isClosed: true, "fill=\"\(fill.text)\"")
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
          dunes += "M\(SVGText.number(point.x)) \(SVGText.number(point.y))q1.4-1.3 2.9-.2"
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
        pen.path(land.outline, isClosed: true, "fill=\"\(fill.text)\"")
        hatch(land, in: parent, &pen)
        continue
      }
      // Two clipped strokes darken the land towards its border: only their inner halves are
      // visible.
      let edge = colours.edge(land).text
      pen.svg.line("<clipPath id=\"c\(folder)\">")
      pen.path(land.outline, isClosed: true, "id=\"l\(folder)\"")
      pen.svg.line("</clipPath>")
      pen.svg.line("<use xlink:href=\"#l\(folder)\" fill=\"\(fill.text)\"/>")
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
    let frame = relief.frame
    let numbers = [frame.left, frame.top, frame.width, frame.height].map(SVGText.number)
    pen.svg.put(
      "<image x=\"\(numbers[0])\" y=\"\(numbers[1])\" width=\"\(numbers[2])\" "
        + "height=\"\(numbers[3])\" preserveAspectRatio=\"none\" "
        + "xlink:href=\"data:image/png;base64,")
    pen.svg.put(Base64.encode(relief.picture.file))
    pen.svg.line("\"/>")
  }

  private func paintWoods(_ pen: inout Pen) {
    WoodPainter(theme).paint(woods.trees, &pen)
  }

  private func paintBorders(_ pen: inout Pen) {
    struct Style: Hashable {
      let rank: Int
      let strength: Int
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
        let colour = theme.borders[min(style.rank, 3)].text
        let alpha = Double(style.strength) / 8
        let width = Look.border(depth: style.rank, breadth: 5 + 22 * alpha).width
        let dashes = Look.dashes(depth: style.rank)
        let dashed =
          dashes.isEmpty || alpha < 0.3
          ? ""
          : " stroke-dasharray=\"\(dashes.map { SVGText.number($0 * 0.7) }.joined(separator: " "))\""
        pen.path(
          lines[style] ?? [],
          "stroke=\"\(colour)\" stroke-width=\"\(SVGText.number(width * 0.85, decimals: 2))\" "
            + "stroke-opacity=\"\(SVGText.number(alpha, decimals: 2))\"\(dashed)")
      }
    }
  }
}

struct WoodPainter {
  private let theme: Theme

  init(_ theme: Theme) { self.theme = theme }

  func paint(_ trees: [Point], _ pen: inout Pen) {
    if trees.isEmpty { return }
    let layers = [(0.55, 0.75, 3.3, ".75"), (0, 0, 3.0, "1"), (-0.45, -0.55, 1.3, ".9")]
    pen.group("fill=\"none\" stroke-linecap=\"round\"") { pen in
      for (index, layer) in layers.enumerated() {
        let points = trees.map { Point($0.x + layer.0, $0.y + layer.1) }
        pen.svg.line(
          "<path d=\"\(SVGText.dots(points))\" stroke=\"\(theme.wood[index].text)\" "
            + "stroke-width=\"\(SVGText.number(layer.2))\" stroke-opacity=\"\(layer.3)\"/>")
      }
    }
  }
}

/// The areas that hold the files of some lands: their cities and free lots.
struct FileGround: Sendable {
  private var rings: [Int32: [[Point]]] = [:]

  init(of map: LandMap, lands: Set<Int32>) {
    for land in lands {
      guard let city = map.tree.folders[Int(land)].city,
        map.tree.folders[Int(land)].ownFiles > 0
      else { continue }
      var frames = FileFrames(of: city)
      rings[land] = frames.quads().compactMap { $0 }.map { quad in
        map.view.drawn([quad.q0, quad.q1, quad.q2, quad.q3].map { map.tree.engine.chart($0) })
      }
    }
  }

  func holds(_ point: Point, of land: Int32) -> Bool {
    rings[land]?.contains { Line.encloses($0, point) } ?? false
  }
}
