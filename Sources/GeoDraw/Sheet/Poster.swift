import GeoProjection
import GeoTree

package enum PosterTarget: Sendable {
  case world
  case box(BoundingBox)
  /// A folder by its path: the root's label, then names.
  case folder([[UInt8]])
}

/// A printable map of lands with their totals, drawn as SVG.
package struct Poster: Sendable {
  package let svg: [UInt8]
  /// Width and height in CSS pixels.
  package let width, height: Int
  package let names, notes: [LandName]
  package let towns: [Town]
  let map: LandMap

  /// `totals` has newest times and bytes by type; the roots are those of the union of two states.
  package init(
    of totals: TreeTotals, by engine: GeoProjectionEngine, showing target: PosterTarget,
    _ options: PosterOptions, comparing compared: ComparedStates? = nil
  ) throws(GeoDrawingError) {
    let layout = SheetLayout(options.size)
    (width, height) = (Int(layout.width), Int(layout.height))
    let sheet = try SheetMap(
      of: totals, by: engine, showing: target, options, comparing: compared, in: layout.map)
    map = sheet.map
    names = sheet.placer.names
    notes = sheet.placer.notes
    towns = sheet.placer.towns
    let theme = sheet.theme

    var facts = PosterFacts(
      of: map, options, towns: sheet.signs == nil ? sheet.towns.towns(on: map) : [], sheet.part)
    if let compared, let signs = sheet.signs { facts.compare(compared, signs, map) }
    if let files = sheet.files {
      (facts.townsHeading, facts.towns) = ("LARGEST FILES", files.largest)
    }
    var pen = Pen()
    let (size, page) = (
      options.size, Box(left: 0, top: 0, right: layout.width, bottom: layout.height)
    )
    pen.svg.line(
      Pen.opening(
        width: "\(SVGText.number(size.width))mm", height: "\(SVGText.number(size.height))mm",
        units: page, facts.title))
    pen.box(page, theme.paper.fill())
    let graticule = Graticule(map.view)
    sheet.paint(graticule, Compass(on: map, clearOf: towns), &pen)
    FramePainter(layout: layout, view: map.view, graticule: graticule, theme: theme).paint(&pen)
    PanelPainter(
      layout: layout, theme: theme, facts: facts, legend: sheet.legend(scale: layout.scale)
    ).paint(&pen)
    pen.svg.line("</svg>")
    svg = pen.svg.bytes
  }
}
