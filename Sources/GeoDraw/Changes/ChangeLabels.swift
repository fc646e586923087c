import GeoCore

/// Places labels next to signs, in one of twelve directions, as near as there is room.
struct ChangeLabels: Sendable {
  private(set) var labels: [ChangeLabel] = []
  /// What labels and signs take of the sheet.
  private(set) var taken = TakenBoxes()
  private let theme: Theme
  private let frame: Box

  private static let sizes = (top: 15.0, land: 12.5, growth: 11.0, figures: 9.5, file: 11.0)
  /// The distances from a sign in units, and that from which a line leads to it.
  private static let distances = [4.0, 9, 16, 26, 40, 60]
  private static let tethered = 12.0
  private static let top = 3

  init(_ signs: ChangeSigns, on map: LandMap, _ theme: Theme) {
    self.theme = theme
    frame = map.view.frame.grown(by: -4)
    // Small signs may lie under a label.
    for sign in signs.signs where sign.radius > 5 {
      taken.add(sign.box.grown(by: -sign.radius * 0.2))
    }
    for arrow in signs.arrows {
      for step in 0..<24 {
        let point = arrow.point(at: (Double(step) + 0.5) / 24)
        taken.add(
          Box(left: point.x - 3, top: point.y - 3, right: point.x + 3, bottom: point.y + 3))
      }
    }
    for (index, sign) in signs.named.enumerated() {
      place(lines(of: sign, isTop: index < Self.top, signs), at: sign.middle, sign.radius)
      if index == Self.top - 1 { placeMoves(signs) }
    }
    if signs.named.count < Self.top { placeMoves(signs) }
  }

  private mutating func placeMoves(_ signs: ChangeSigns) {
    for arrow in signs.arrows {
      let line = ChangeLabel.Line(
        text: arrow.move.text, size: Self.sizes.growth, ink: theme.ink(of: .moved), isItalic: true)
      place([line], at: arrow.point(at: 0.5), 4)
    }
  }

  private func lines(
    of sign: ChangeSigns.Sign, isTop: Bool, _ signs: ChangeSigns
  ) -> [ChangeLabel.Line] {
    let name = NameText(sign.path.lastComponent).text
    let ink = theme.ink(of: sign.change.kind)
    let isNew = signs.newFiles.contains(sign.path)
    if isNew {
      return [
        .init(text: name, size: Self.sizes.file, ink: ink, isItalic: true),
        .init(
          text: "new · " + SheetText.bytes(Double(sign.change.after)), size: Self.sizes.figures,
          ink: theme.inks[1]),
      ]
    }
    let other = tellApart(sign, signs)
    var lines = [
      ChangeLabel.Line(
        text: other.isEmpty ? name : "\(name) (\(other))",
        size: isTop ? Self.sizes.top : Self.sizes.land, ink: theme.inks[1], isBold: true)
    ]
    for (index, text) in sign.change.lines(files: sign.files).enumerated() {
      lines.append(
        .init(
          text: text, size: index == 0 ? Self.sizes.growth : Self.sizes.figures,
          ink: index == 0 ? ink : theme.soft))
    }
    return lines
  }

  /// The folder of a land or file if another with a label has its name.
  private func tellApart(_ sign: ChangeSigns.Sign, _ signs: ChangeSigns) -> String {
    let name = sign.path.lastComponent
    let isShared = signs.named.contains {
      $0.path != sign.path && $0.path.lastComponent.elementsEqual(name)
    }
    guard isShared, let parent = sign.path.parentPath else { return "" }
    return NameText(parent.lastComponent).text
  }

  private mutating func place(_ lines: [ChangeLabel.Line], at middle: Point, _ radius: Double) {
    let width = lines.map(\.width).max() ?? 0
    let height = lines.reduce(0) { $0 + $1.height }
    for distance in Self.distances {
      for direction in 0..<12 {
        // Right, left, below and above first.
        let turn = [0, 6, 3, 9, 1, 5, 7, 11, 2, 4, 8, 10][direction]
        let angle = Double(turn) * .pi / 6
        let (x, y) = (Trigonometry.cosine(angle), Trigonometry.sine(angle))
        let edge = Point(middle.x + x * (radius + distance), middle.y + y * (radius + distance))
        let left = edge.x + (x > 0.4 ? 0 : x < -0.4 ? -width : -width / 2)
        let top = edge.y + (y > 0.8 ? 0 : y < -0.8 ? -height : -height / 2 * (1 - y))
        let box = Box(left: left, top: top, right: left + width, bottom: top + height)
        guard frame.contains(box), taken.isFree(box.grown(by: 1.5)) else { continue }
        let start = Point(middle.x + x * radius, middle.y + y * radius)
        taken.add(box)
        labels.append(
          ChangeLabel(
            lines: lines, box: box, anchor: x > 0.4 ? "start" : x < -0.4 ? "end" : "middle",
            tether: distance >= Self.tethered ? (start, edge) : nil))
        return
      }
    }
  }
}
