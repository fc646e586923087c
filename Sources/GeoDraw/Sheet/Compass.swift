import GeoCore

/// A compass rose in the widest open water.
struct Compass: Sendable {
  let middle: Point
  let radius: Double

  private static let square = 8.0
  private static let sizes = 20.0...58.0

  /// Finds the widest open water of a map; nil if it has no room for the smallest rose.
  init?(on map: LandMap, clearOf towns: [Town]) {
    let frame = map.view.frame
    let (width, height) = (Int(frame.width / Self.square), Int(frame.height / Self.square))
    guard width > 2, height > 2 else { return nil }
    var isTaken = [Bool](repeating: false, count: width * height)
    func index(of point: Point) -> Int? {
      let x = Int(((point.x - frame.left) / Self.square).rounded(.down))
      let y = Int(((point.y - frame.top) / Self.square).rounded(.down))
      return x >= 0 && y >= 0 && x < width && y < height ? y * width + x : nil
    }
    func point(_ place: Int) -> Point {
      Point(
        frame.left + (Double(place % width) + 0.5) * Self.square,
        frame.top + (Double(place / width) + 0.5) * Self.square)
    }
    for place in isTaken.indices {
      isTaken[place] = map.grid.land(at: point(place)) != LandGrid.sea
    }
    // Names of towns can extend over the sea.
    for town in towns {
      for x in stride(from: town.box.left, through: town.box.right, by: Self.square / 2) {
        if let place = index(of: Point(x, town.middle.y)) { isTaken[place] = true }
      }
    }
    let far = HeightGrid.distances(width: width, height: height, limit: 1e6) { place in
      let (x, y) = (place % width, place / width)
      return isTaken[place] || x == 0 || y == 0 || x == width - 1 || y == height - 1
    }
    var best = 0
    for place in far.values.indices where far.values[place] > far.values[best] { best = place }
    // Distances are between middles of squares: half a square less is free at each end.
    let free = (Double(far.values[best]) - 1) * Self.square
    let radius = min(Self.sizes.upperBound, (free - 4) * 0.72)
    if radius < Self.sizes.lowerBound { return nil }
    self.radius = radius
    middle = point(best)
  }

  func paint(_ theme: Theme, _ pen: inout Pen) {
    let (dark, light) = (theme.line, theme.halo)
    func at(_ turn: Double, _ distance: Double) -> Point {
      Point(
        middle.x + Trigonometry.sine(turn * .pi / 180) * distance * radius,
        middle.y - Trigonometry.cosine(turn * .pi / 180) * distance * radius)
    }
    pen.circle(middle, radius * 0.78, dark.outline(".6", ".7"))
    pen.circle(middle, radius * 0.4, dark.outline(".5", ".6"))
    // The four diagonal points come first, so that the main points cover them.
    for (first, long, short) in [(45.0, 0.62, 0.15), (0, 1.0, 0.2)] {
      let turns = (0..<4).map { first + Double($0) * 90 }
      for (colour, side) in [(light, -45.0), (dark, 45)] {
        pen.path(
          turns.map { [middle, at($0, long), at($0 + side, short)] }, isClosed: true,
          "\(colour.fill()) \(dark.stroke(".5")) stroke-linejoin=\"round\"")
      }
    }
    pen.circle(middle, radius * 0.05, light.fill() + " " + dark.stroke(".5"))
    pen.text(
      "N", at: Point(middle.x, middle.y - radius * 1.07),
      Pen.Style(size: radius * 0.2, fill: dark, anchor: .middle))
  }
}
