import GeoCore

/// Places labels next to signs, in one of twelve directions, as near as there is room.
struct ChangeLabels: Sendable {
  private(set) var labels: [ChangeLabel] = []
  private(set) var taken = TakenBoxes()
  private let theme: Theme
  private let frame: Box

  private static let sizes = (top: 15.0, land: 12.5, growth: 11.0, figures: 9.5, file: 11.0)
  /// The distances from a sign in units, and that from which a line leads to it.
  private static let distances = [4.0, 9, 16, 26, 40, 60, 85, 115]
  private static let tethered = 12.0

  init(_ signs: ChangeSigns, on map: LandMap, _ theme: Theme) {
    self.theme = theme
    frame = map.view.frame.grown(by: -4)
    // Small signs may lie under a label.
    for sign in signs.signs where sign.radius > 5 { coverSign(sign) }
    for arrow in signs.arrows {
      for step in 0..<24 {
        taken.add(Box(at: arrow.point(at: (Double(step) + 0.5) / 24), 3, 3))
      }
    }
    for (index, sign) in signs.named.enumerated() {
      let rank = index < ChangeRows.ranked ? index + 1 : nil
      place(lines(of: sign, rank: rank, signs), at: sign.middle, sign.radius)
      if index == ChangeRows.ranked - 1 { placeMoves(signs) }
    }
    if signs.named.count < ChangeRows.ranked { placeMoves(signs) }
  }

  /// Covers the area of a sign; of a circle that its land shows through, only the line.
  private mutating func coverSign(_ sign: ChangeSigns.Sign) {
    let (middle, radius) = (sign.middle, sign.radius)
    if sign.isSquare { return taken.add(sign.box) }
    if !sign.isOver {
      for (x, y) in [(0.97, 0.4), (0.75, 0.75), (0.4, 0.97)] {
        taken.add(Box(at: middle, x * radius, y * radius))
      }
      return
    }
    let count = max(24, Int(radius))
    for step in 0..<count {
      let angle = 2 * .pi * Double(step) / Double(count)
      let way = Point(Trigonometry.cosine(angle), Trigonometry.sine(angle))
      taken.add(Box(at: middle + way * radius, 2.5, 2.5))
    }
  }

  private mutating func placeMoves(_ signs: ChangeSigns) {
    for arrow in signs.arrows {
      let line = ChangeLabel.Line(
        text: arrow.move.text, size: Self.sizes.growth, ink: theme.ink(of: .moved), isItalic: true)
      let ends = [arrow.move.from, arrow.move.to].map { NameText($0.lastComponent).text }
      let names = ChangeLabel.Line(
        text: ends.joined(separator: " → "), size: Self.sizes.figures, ink: theme.soft)
      // Anywhere at the arrow rather than far from its middle.
      let places = [0.5, 0.4, 0.6, 0.3, 0.7, 0.2, 0.8].map { arrow.point(at: $0) }
      let isPlaced = places.contains {
        place([line, names], at: $0, 4, Array(Self.distances.prefix(2)))
      }
      if !isPlaced { place([line, names], at: arrow.point(at: 0.5), 4) }
    }
  }

  private func lines(
    of sign: ChangeSigns.Sign, rank: Int?, _ signs: ChangeSigns
  ) -> [ChangeLabel.Line] {
    let name = NameText(sign.path.lastComponent).text
    let ink = theme.ink(of: sign.change.kind)
    if signs.newFiles.contains(sign.path) {
      let text = folder(of: sign, signs).map { "\(name), in \($0)" } ?? name
      return [
        .init(text: text, size: Self.sizes.file, ink: ink, isItalic: true),
        .init(
          text: "new · " + SheetText.bytes(Double(sign.change.after)), size: Self.sizes.figures,
          ink: theme.inks[1]),
      ]
    }
    let title = tellApart(sign, signs).map { "\(name) (\($0))" } ?? name
    var lines = [
      ChangeLabel.Line(
        text: rank.map { "\($0). \(title)" } ?? title,
        size: rank != nil ? Self.sizes.top : Self.sizes.land, ink: theme.inks[1], isBold: true)
    ]
    for (index, text) in sign.change.lines(files: sign.files).enumerated() {
      lines.append(
        .init(
          text: text, size: index == 0 ? Self.sizes.growth : Self.sizes.figures,
          ink: index == 0 ? ink : theme.soft))
    }
    if let (name, bytes) = signs.most[sign.path] {
      lines.append(
        .init(
          text: "new: \(NameText(name[...]).text), " + SheetText.bytes(Double(bytes)),
          size: Self.sizes.figures, ink: theme.ink(of: .added), isItalic: true))
    }
    return lines
  }

  /// The folder of a land or file if another with a label has its name.
  private func tellApart(_ sign: ChangeSigns.Sign, _ signs: ChangeSigns) -> String? {
    let name = sign.path.lastComponent
    let isShared = signs.named.contains {
      $0.path != sign.path && $0.path.lastComponent.elementsEqual(name)
    }
    return isShared ? sign.path.parentPath.map { NameText($0.lastComponent).text } : nil
  }

  /// The name of the land that has a file, if another one's circle is nearer.
  private func folder(of file: ChangeSigns.Sign, _ signs: ChangeSigns) -> String? {
    func distance(_ sign: ChangeSigns.Sign) -> Double {
      sign.middle.distance(to: file.middle) - sign.radius
    }
    let lands = signs.named.filter { !$0.isSquare }
    let nearest = lands.min { distance($0) < distance($1) }
    guard let land = file.land, let nearest, nearest.path != land else { return nil }
    return NameText(land.lastComponent).text
  }

  @discardableResult private mutating func place(
    _ lines: [ChangeLabel.Line], at middle: Point, _ radius: Double,
    _ distances: [Double] = Self.distances
  ) -> Bool {
    let width = lines.map(\.width).max() ?? 0
    let height = lines.reduce(0) { $0 + $1.height }
    for distance in distances {
      for direction in 0..<12 {
        // Right, left, below and above first.
        let turn = [0, 6, 3, 9, 1, 5, 7, 11, 2, 4, 8, 10][direction]
        let angle = Double(turn) * .pi / 6
        let way = Point(Trigonometry.cosine(angle), Trigonometry.sine(angle))
        let edge = middle + way * (radius + distance)
        let anchor: Pen.Anchor = way.x > 0.4 ? .start : way.x < -0.4 ? .end : .middle
        let left = edge.x - (anchor == .start ? 0 : anchor == .end ? width : width / 2)
        let rise = way.y > 0.8 ? 0 : way.y < -0.8 ? height : height / 2 * (1 - way.y)
        let box = Box(left: left, top: edge.y - rise, width: width, height: height)
        guard frame.contains(box), taken.isFree(box.grown(by: 1.5)) else { continue }
        taken.add(box)
        labels.append(
          ChangeLabel(
            lines: lines, box: box, anchor: anchor,
            tether: distance >= Self.tethered ? (middle + way * radius, edge) : nil))
        return true
      }
    }
    return false
  }
}
