import GeoCore

package struct PosterFile: Sendable {
  package let name: [UInt8]
  package let bytes, allocated: Int64?
  package let place: (longitude: Double, latitude: Double)
  package let cells: [LayerCell]

  package init(
    name: [UInt8], bytes: Int64?, allocated: Int64?, place: (longitude: Double, latitude: Double),
    cells: [LayerCell] = []
  ) {
    (self.name, self.bytes, self.allocated, self.place) = (name, bytes, allocated, place)
    self.cells = cells
  }
}

/// The files of a folder without sub-folders as squares whose areas follow bytes, named as far as
/// there is room.
struct FileSymbols: Sendable {
  struct Sign: Sendable {
    let file: PosterFile
    let amount: Double
    let words: String
    let radius: Double
    let place: Point
    var middle: Point

    var box: Box { Box(at: middle, radius, radius) }
  }

  struct Name: Sendable {
    let text: String
    /// The line below the name; nil for the name alone.
    let amount: String?
    let at: Point
  }

  private(set) var signs: [Sign] = []
  private(set) var dots: [Point] = []
  private(set) var names: [Name] = []

  private static let maximum = (squares: 400, figures: 14)
  /// The half side under which a file is a dot, and the least one of the largest.
  private static let minimum = (square: 1.5, large: 2.6)
  private static let sizes = (large: 11.5, figures: 9.5, small: 8.0)

  init?(_ files: [PosterFile], on map: LandMap) {
    guard !files.isEmpty, map.tree.tops.count == 1, let top = map.tree.tops.first,
      map.tree.folders[top].children.isEmpty, let land = map.lands[top]
    else { return nil }
    let view = map.view
    let sorted = files.map { (file: $0, amount: map.tree.amount(of: $0)) }
      .sorted { a, b in
        a.amount != b.amount
          ? a.amount > b.amount : a.file.name.lexicographicallyPrecedes(b.file.name)
      }
    let unit = Symbols.unit(
      lands: [], files: sorted.map(\.amount), isWorld: false, area: land.area,
      side: min(view.frame.width, view.frame.height))
    for (file, amount) in sorted {
      let place = view.led(
        view.place(longitude: file.place.longitude, latitude: file.place.latitude))
      guard view.frame.contains(place) else { continue }
      var radius = Symbols.side(ofRadius: unit * amount.squareRoot()) / 2
      // Of many middling files the largest are seen, too.
      if signs.count < Self.maximum.figures, amount > 0 { radius = max(radius, Self.minimum.large) }
      if radius < Self.minimum.square || signs.count >= Self.maximum.squares {
        dots.append(place)
      } else {
        signs.append(
          Sign(
            file: file, amount: amount, words: Self.words(file, amount, map.tree), radius: radius,
            place: place, middle: place))
      }
    }
    let places = Symbols.pushedApart(
      signs.map { Symbols.Symbol(middle: $0.middle, radius: $0.radius, isSquare: true) })
    for index in signs.indices { signs[index].middle = places[index] }
    placeNames(in: view.frame.grown(by: -4))
  }

  /// What is said of a file: its amount, or its bytes if files are counted.
  private static func words(_ file: PosterFile, _ amount: Double, _ tree: SheetTree) -> String {
    if tree.measure != .files { return tree.text(amount) }
    return SheetText.bytes(Double(max(0, (tree.isRoom ? file.allocated : file.bytes) ?? 0)))
  }

  private mutating func placeNames(in frame: Box) {
    var taken = TakenBoxes()
    // The names of the largest may lie over small squares.
    for sign in signs.prefix(Self.maximum.figures) { taken.add(sign.box) }
    var isHidden = [Bool](repeating: false, count: signs.count)
    for (index, sign) in signs.enumerated() {
      let hasFigures = index < Self.maximum.figures
      if index == Self.maximum.figures {
        // A square below the name of a larger one has no name.
        for other in signs.indices[index...] { isHidden[other] = !taken.isFree(signs[other].box) }
        for sign in signs[index...] { taken.add(sign.box) }
      }
      if isHidden[index] { continue }
      let text = NameText(sign.file.name).text
      let amount = hasFigures ? sign.words : nil
      let size = hasFigures ? Self.sizes.large : Self.sizes.small
      let width = max(
        TextWidth.of(text) * size, amount.map { TextWidth.of($0) * Self.sizes.figures } ?? 0)
      let height = size * 1.1 + (hasFigures ? Self.sizes.figures * 1.2 : 0)
      // Right, left, below, above.
      let (x, y, far) = (sign.middle.x, sign.middle.y, sign.radius + 2.5)
      let boxes = [
        (x + far, y - height / 2), (x - far - width, y - height / 2), (x - width / 2, y + far),
        (x - width / 2, y - far - height),
      ].map { Box(left: $0, top: $1, width: width, height: height) }
      guard let box = boxes.first(where: { frame.contains($0) && taken.isFree($0) }) else {
        continue
      }
      taken.add(box)
      names.append(Name(text: text, amount: amount, at: Point(box.left, box.top + size * 0.9)))
    }
  }

  var largest: [PosterFacts.Town] {
    signs.prefix(Self.maximum.figures).map {
      PosterFacts.Town(path: String(decoding: $0.file.name, as: UTF8.self), bytes: $0.words)
    }
  }

  func paint(_ theme: Theme, _ colours: LayerColours?, _ pen: inout Pen) {
    if !dots.isEmpty {
      pen.svg.line(
        "<path d=\"\(SVGText.dots(dots))\" fill=\"none\" stroke=\"\(theme.square.text)\" "
          + "stroke-linecap=\"square\" stroke-width=\"1.3\" stroke-opacity=\".6\"/>")
    }
    for sign in signs {
      let fill = colours.map { $0.file(sign.file.cells) ?? theme.unknown } ?? theme.square
      pen.box(sign.box, fill.fill(".78") + " " + theme.halo.stroke(".8"))
    }
    for sign in signs {
      pen.leader(to: sign.place, from: sign.middle, sign.radius, isSquare: true, theme.inks[1])
    }
    pen.haloed("f", theme.halo, width: "2.2", opacity: ".8") { pen in
      for name in names {
        guard let amount = name.amount else {
          pen.text(name.text, at: name.at, Pen.Style(size: Self.sizes.small, fill: theme.soft))
          continue
        }
        pen.text(
          name.text, at: name.at,
          Pen.Style(size: Self.sizes.large, fill: theme.square, isItalic: true))
        pen.text(
          amount, at: Point(name.at.x, name.at.y + Self.sizes.figures * 1.2),
          Pen.Style(size: Self.sizes.figures, fill: theme.soft))
      }
    }
  }
}
