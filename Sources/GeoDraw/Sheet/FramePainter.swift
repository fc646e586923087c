import GeoCore
import GeoSystem

/// Draws the map's frame: neat lines, a band of black and white bars, and the degrees.
struct FramePainter {
  let layout: SheetLayout
  let view: View
  let graticule: Graticule
  let theme: Theme

  /// The distance of the band's middle from the second frame line, and the band's width, in units.
  private static let inset = 6.2
  private static let tick = 3.4

  func paint(_ pen: inout Pen) {
    let line = theme.line.text
    // The ring between the frame and the map has the colour of the panel.
    let (outer, inner) = (layout.frame, layout.map)
    pen.svg.line(
      "<path fill-rule=\"evenodd\" fill=\"\(theme.panel.text)\" d=\""
        + SVGText.path([Self.ring(outer), Self.ring(inner)], isClosed: true) + "\"/>")
    pen.box(outer, "fill=\"none\" stroke=\"\(line)\" stroke-width=\"1.6\"")
    pen.box(outer.grown(by: -3.4), "fill=\"none\" stroke=\"\(line)\" stroke-width=\".5\"")
    pen.box(inner, "fill=\"none\" stroke=\"\(line)\" stroke-width=\".8\"")
    paintBand(&pen)
    paintNumbers(&pen)
  }

  static func ring(_ box: Box) -> [Point] {
    [
      Point(box.left, box.top), Point(box.right, box.top), Point(box.right, box.bottom),
      Point(box.left, box.bottom),
    ]
  }

  /// Draws the band: a black bar from every other line of the graticule to the next, on all four
  /// sides.
  private func paintBand(_ pen: inout Pen) {
    let map = layout.map
    var bars: [[Point]] = []
    func bar(_ left: Double, _ top: Double, _ right: Double, _ bottom: Double) {
      guard right > left, bottom > top else { return }
      bars.append(Self.ring(Box(left: left, top: top, right: right, bottom: bottom)))
    }
    func isBlack(_ degrees: Double, _ step: Double) -> Bool {
      // Doubles hold whole numbers up to 2^53 exactly, which is enough for any step.
      let number = (degrees / step).rounded()
      return number - (number / 2).rounded(.down) * 2 == 0
    }
    let (far, near) = (Self.inset - Self.tick / 2 + 3.4, Self.inset + Self.tick / 2 + 3.4)
    let meridians = graticule.meridians(view, every: graticule.lines)
    for (index, meridian) in meridians.enumerated()
    where isBlack(meridian.degrees, graticule.lines) {
      let end = index + 1 < meridians.count ? meridians[index + 1].x : map.right
      let (left, right) = (max(meridian.x, map.left), min(end, map.right))
      if meridian.degrees >= 180 { continue }
      bar(left, layout.frame.top + far, right, layout.frame.top + near)
      bar(left, layout.frame.bottom - near, right, layout.frame.bottom - far)
    }
    let parallels = graticule.parallels(view, every: graticule.latitudeLines)
    for (index, parallel) in parallels.enumerated()
    where isBlack(parallel.degrees, graticule.latitudeLines) {
      let end = index + 1 < parallels.count ? parallels[index + 1].y : map.bottom
      let (top, bottom) = (max(parallel.y, map.top), min(end, map.bottom))
      bar(layout.frame.left + far, top, layout.frame.left + near, bottom)
      bar(layout.frame.right - near, top, layout.frame.right - far, bottom)
    }
    pen.path(bars, isClosed: true, "fill=\"\(theme.line.text)\"")
  }

  private func paintNumbers(_ pen: inout Pen) {
    let frame = layout.frame
    var style = Pen.Style(size: 8, fill: theme.soft.text)
    style.isSans = true
    style.anchor = "middle"
    pen.group("") { pen in
      for (x, degrees) in graticule.meridians(view, every: graticule.labels)
      where x > frame.left + 16 && x < frame.right - 16 {
        let text = SheetText.degrees(
          degrees, decimals: graticule.decimals, positive: "E", negative: "W")
        pen.text(text, at: Point(x, frame.top - 5.5), style)
        pen.text(text, at: Point(x, frame.bottom + 12), style)
      }
      style.turn = -90
      for (y, degrees) in graticule.parallels(view, every: graticule.latitudeLabels)
      where y > frame.top + 16 && y < frame.bottom - 16 {
        let text = SheetText.degrees(
          degrees, decimals: graticule.decimals, positive: "N", negative: "S")
        pen.text(text, at: Point(frame.left - 6, y), style)
      }
    }
  }
}

/// A compass rose in the widest open water.
struct Compass: Sendable {
  let middle: Point
  let radius: Double

  /// The side of the squares in which open water is measured, in units.
  private static let square = 8.0
  /// The least and the largest radius, in units.
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
    for place in isTaken.indices {
      let middle = Point(
        frame.left + (Double(place % width) + 0.5) * Self.square,
        frame.top + (Double(place / width) + 0.5) * Self.square)
      isTaken[place] = map.grid.land(at: middle) != LandGrid.sea
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
    let room = (Double(far.values[best]) - 1) * Self.square
    let radius = min(Self.sizes.upperBound, (room - 4) * 0.72)
    if radius < Self.sizes.lowerBound { return nil }
    self.radius = radius
    middle = Point(
      frame.left + (Double(best % width) + 0.5) * Self.square,
      frame.top + (Double(best / width) + 0.5) * Self.square)
  }

  func paint(_ theme: Theme, _ pen: inout Pen) {
    let dark = theme.line.text
    let light = theme.halo.text
    func at(_ turn: Double, _ distance: Double) -> Point {
      Point(
        middle.x + Trigonometry.sine(turn * .pi / 180) * distance * radius,
        middle.y - Trigonometry.cosine(turn * .pi / 180) * distance * radius)
    }
    pen.circle(
      middle, radius * 0.78,
      "fill=\"none\" stroke=\"\(dark)\" stroke-width=\".6\" stroke-opacity=\".7\"")
    pen.circle(
      middle, radius * 0.4,
      "fill=\"none\" stroke=\"\(dark)\" stroke-width=\".5\" stroke-opacity=\".6\"")
    var (darks, lights): ([[Point]], [[Point]]) = ([], [])
    for (first, long, short) in [(45.0, 0.62, 0.15), (0, 1.0, 0.2)] {
      for quarter in 0..<4 {
        let turn = first + Double(quarter) * 90
        let tip = at(turn, long)
        lights.append([middle, tip, at(turn - 45, short)])
        darks.append([middle, tip, at(turn + 45, short)])
      }
    }
    // The four diagonal points come first, so that the main points cover them.
    for part in [0..<4, 4..<8] {
      let stroke = "stroke=\"\(dark)\" stroke-width=\".5\" stroke-linejoin=\"round\""
      pen.path(Array(lights[part]), isClosed: true, "fill=\"\(light)\" \(stroke)")
      pen.path(Array(darks[part]), isClosed: true, "fill=\"\(dark)\" \(stroke)")
    }
    pen.circle(middle, radius * 0.05, "fill=\"\(light)\" stroke=\"\(dark)\" stroke-width=\".5\"")
    var style = Pen.Style(size: radius * 0.2, fill: dark)
    style.anchor = "middle"
    pen.text("N", at: Point(middle.x, middle.y - radius * 1.07), style)
  }
}

/// Which meridians and parallels are drawn, and which of them are numbered.
struct Graticule: Sendable {
  /// Degrees of longitude between two labels, and between two lines.
  let labels: Double
  let lines: Double
  /// Degrees of latitude between two labels, and between two lines.
  let latitudeLabels: Double
  let latitudeLines: Double
  /// The number of decimals of a label.
  let decimals: Int
  /// The visible part of the world, in degrees.
  private let west: Double
  private let east: Double
  private let north: Double
  private let south: Double

  /// The least distance between labels, in units.
  private static let room = 64.0

  init(_ view: View) {
    let frame = view.frame
    let start = view.world(at: Point(frame.left, frame.top))
    let end = view.world(at: Point(frame.right, frame.bottom))
    west = Look.clamp((start.x - 0.5) * 360, -180, 180)
    east = Look.clamp((end.x - 0.5) * 360, -180, 180)
    north = Mercator.latitude(ofY: start.y)
    south = Mercator.latitude(ofY: end.y)
    let least = Self.room / view.scale * 360
    if least > 10 {
      (labels, lines, latitudeLabels, latitudeLines) = (30, 10, 20, 10)
      decimals = 0
      return
    }
    let power = Logarithm.ofTen(least).rounded(.down)
    let ten = Logarithm.power(10, power)
    let lead = least / ten
    let step = ten * (lead <= 1 ? 1 : lead <= 2 ? 2 : lead <= 5 ? 5 : 10)
    (labels, latitudeLabels) = (step, step)
    let part = lead > 1 && lead <= 2 ? 4.0 : 5
    (lines, latitudeLines) = (step / part, step / part)
    decimals = max(0, Int(-Logarithm.ofTen(step * 1.001).rounded(.down)))
  }

  /// The multiples of a step between two bounds; none if there would be more than 2,000.
  private static func multiples(of step: Double, _ low: Double, _ high: Double) -> [Double] {
    let first = (low / step - 1e-9).rounded(.up)
    let last = (high / step + 1e-9).rounded(.down)
    guard last >= first, last - first < 2000 else { return [] }
    return stride(from: first, through: last, by: 1).map { $0 * step }
  }

  /// The positions and degrees of the meridians at a step, from west to east.
  func meridians(_ view: View, every step: Double) -> [(x: Double, degrees: Double)] {
    Self.multiples(of: step, west, east).map { degrees in
      (view.place(x: degrees / 360 + 0.5, y: 0).x, degrees)
    }
  }

  /// The positions and degrees of the parallels at a step, from north to south.
  func parallels(_ view: View, every step: Double) -> [(y: Double, degrees: Double)] {
    Self.multiples(of: step, max(south, -85), min(north, 85)).reversed().map { degrees in
      (view.place(x: 0, y: Mercator.y(ofLatitude: degrees)).y, degrees)
    }
  }

  /// All lines within the frame: those without a label (`fine`) and those with one (`strong`).
  func lines(_ view: View) -> (fine: [[Point]], strong: [[Point]]) {
    let frame = view.frame
    let left = max(frame.left, view.place(x: 0, y: 0).x)
    let right = min(frame.right, view.place(x: 1, y: 0).x)
    func meridian(_ x: Double) -> [Point] { [Point(x, frame.top), Point(x, frame.bottom)] }
    func parallel(_ y: Double) -> [Point] { [Point(left, y), Point(right, y)] }
    func isStrong(_ degrees: Double, _ step: Double) -> Bool {
      abs((degrees / step).rounded() - degrees / step) < 1e-6
    }
    var (fine, strong): ([[Point]], [[Point]]) = ([], [])
    for (x, degrees) in meridians(view, every: lines) {
      if isStrong(degrees, labels) { strong.append(meridian(x)) } else { fine.append(meridian(x)) }
    }
    for (y, degrees) in parallels(view, every: latitudeLines) {
      if isStrong(degrees, latitudeLabels) {
        strong.append(parallel(y))
      } else {
        fine.append(parallel(y))
      }
    }
    return (fine, strong)
  }
}
