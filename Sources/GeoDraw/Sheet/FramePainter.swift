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
