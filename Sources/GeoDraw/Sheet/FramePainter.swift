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
    // The ring between the frame and the map has the colour of the panel.
    let (outer, inner) = (layout.frame, layout.map)
    pen.svg.line(
      "<path fill-rule=\"evenodd\" \(theme.panel.fill()) d=\""
        + SVGText.path([outer.corners, inner.corners], isClosed: true) + "\"/>")
    pen.box(outer, theme.line.outline("1.6"))
    pen.box(outer.grown(by: -3.4), theme.line.outline(".5"))
    pen.box(inner, theme.line.outline(".8"))
    paintBand(&pen)
    paintNumbers(&pen)
  }

  /// Draws the band: a black bar from every other line of the graticule to the next, on all four
  /// sides.
  private func paintBand(_ pen: inout Pen) {
    let (map, frame) = (layout.map, layout.frame)
    // Every other range from a line to the next, within the map.
    func ranges(
      _ lines: [(at: Double, degrees: Double)], _ step: Double, _ low: Double, _ high: Double
    ) -> [(from: Double, to: Double)] {
      lines.indices.compactMap { index in
        // Doubles hold whole numbers up to 2^53 exactly, which is enough for any step.
        let number = (lines[index].degrees / step).rounded()
        let isBlack = number - (number / 2).rounded(.down) * 2 == 0
        let end = index + 1 < lines.count ? lines[index + 1].at : high
        let (from, to) = (max(lines[index].at, low), min(end, high))
        return isBlack && lines[index].degrees < 180 && from < to ? (from, to) : nil
      }
    }
    let (far, near) = (Self.inset - Self.tick / 2 + 3.4, Self.inset + Self.tick / 2 + 3.4)
    var bars: [Box] = []
    let meridians = graticule.meridians(view, every: graticule.lines)
    for (left, right) in ranges(meridians, graticule.lines, map.left, map.right) {
      bars += [(frame.top + far, frame.top + near), (frame.bottom - near, frame.bottom - far)]
        .map { Box(left: left, top: $0, right: right, bottom: $1) }
    }
    let parallels = graticule.parallels(view, every: graticule.latitudeLines)
    for (top, bottom) in ranges(parallels, graticule.latitudeLines, map.top, map.bottom) {
      bars += [(frame.left + far, frame.left + near), (frame.right - near, frame.right - far)]
        .map { Box(left: $0, top: top, right: $1, bottom: bottom) }
    }
    pen.path(bars.map(\.corners), isClosed: true, theme.line.fill())
  }

  private func paintNumbers(_ pen: inout Pen) {
    let frame = layout.frame
    var style = Pen.Style(size: 8, fill: theme.soft, isSans: true, anchor: .middle)
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
