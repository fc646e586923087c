import GeoProjection
import GeoTree

/// The map of a sheet, without what is around it.
struct SheetMap {
  let part: PosterPart
  let map: LandMap
  let theme: Theme
  let signs: ChangeSigns?
  /// The files of a folder without sub-folders; nil if it has any, and for two states.
  let files: FileSymbols?
  let towns: TownScale
  let placer: NamePlacer
  private let labels: [ChangeLabel]
  let colours: LandColours
  let relief: Relief?
  let woods: Woods

  private static let finest = 1.2

  init(
    of totals: TreeTotals, by engine: GeoProjectionEngine, showing target: PosterTarget,
    _ options: PosterOptions, comparing compared: ComparedStates?, in box: Box,
    labelling labels: ChangeSigns.Labelled = .lands
  ) throws(GeoDrawingError) {
    part = try PosterPart(target, totals, engine, box)
    let view = part.view
    let tree = SheetTree(
      totals, by: engine, tops: part.tops, measure: options.measure, options.layers,
      wantsRoom: options.wantsRoom && compared?.tree.measure != .bytes,
      showsUnlisted: options.showsUnlisted
    ) { place in
      view.length(place.land.breadth) >= Self.finest && view.meets(place.land, by: engine)
    }
    map = LandMap(tree, on: view, rootFiles: options.rootFiles)
    theme = options.isDark ? .dark : .light
    signs = compared.map { [map, part] in
      ChangeSigns($0, on: map, parts: part.parts, isWorld: !part.isFolder, labels)
    }
    files = signs == nil ? FileSymbols(options.files, on: map) : nil
    let isOfSigns = signs != nil || files != nil
    relief = isOfSigns ? nil : Relief(of: map, theme)
    woods = isOfSigns ? .none : Woods(on: map)
    towns = TownScale(amount: tree.tops.reduce(0) { $0 + tree.folders[$1].measured })
    let placed = signs.map { [map, theme] in ChangeLabels($0, on: map, theme) }
    var placer = NamePlacer(map, clearOf: placed?.taken ?? TakenBoxes())
    if let signs {
      placer.placeCountries(except: Set(signs.named.compactMap(\.folder)))
    } else {
      placer.place(towns)
    }
    self.placer = placer
    self.labels = placed?.labels ?? []
    colours = LandColours(map, theme, options, changes: signs?.kinds)
  }

  func paint(_ graticule: Graticule?, _ compass: Compass?, _ pen: inout Pen) {
    let changes = signs.map { ChangePainter(signs: $0, labels: labels, map: map, theme: theme) }
    pen.svg.line("<clipPath id=\"m\">")
    pen.box(map.view.frame, "")
    pen.svg.line("</clipPath>")
    if signs != nil { ChangePainter.define(theme, &pen) }
    pen.group("clip-path=\"url(#m)\"") { pen in
      MapPainter(
        map: map, theme: theme, colours: colours, relief: relief, woods: woods,
        graticule: graticule, changes: changes
      ).paint(&pen)
      compass?.paint(theme, &pen)
      NamePainter(theme: signs == nil ? theme : theme.receding, placed: placer).paint(&pen)
      changes?.paintLabels(&pen)
      files?.paint(theme, colours.layer, &pen)
      paintEmptyContinents(&pen)
    }
  }

  func legend(scale: Double) -> any SheetLegend {
    if let signs { return ChangeLegend(signs: signs, theme: theme, scale: scale) }
    return LegendPainter(sheet: self, scale: scale)
  }

  private func paintEmptyContinents(_ pen: inout Pen) {
    for top in map.tree.tops {
      guard let totals = map.tree.folders[top].totals, totals.files == 0,
        map.tree.count(below: top) == 0
      else { continue }
      let plan = map.tree.engine.planCentre(of: map.tree.folders[top].place)
      let middle = map.view.place(map.tree.engine.chart(plan))
      pen.text(
        "nothing is here", at: Point(middle.x, middle.y + 44),
        Pen.Style(size: 12, fill: theme.soft, isItalic: true, anchor: .middle))
    }
  }
}
