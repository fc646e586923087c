import GeoAtlas
import GeoChange
import GeoDraw
import GeoFormats
import GeoCore
import GeoPipeline
import GeoProjection
import GeoTree
import GeoSystem

extension Command {
  static let draw = Command(
    id: .draw,
    summary: "Draw a map to print.",
    usage: "draw [OPTION]... [[LABEL=]DIR]... -o FILE\n"
      + "       geomapper draw [OPTION]... --git REPO [[LABEL=]REV]... -o FILE",
    description: [
      "Draw the map of folders, of a part of it or of one folder as a sheet to print: land at its "
        + "true coordinates, hills for bytes, woods for files, towns, and a cartouche (a box with "
        + "title and totals). The sheet is SVG without scripts, fonts or external files, and looks "
        + "the same in all programs. The same tree and options give the same bytes."
    ],
    examples: [
      "geomapper draw -o usr.svg /usr": "Draw /usr on a sheet of A3.",
      "geomapper draw --folder usr/share --sheet A2 --date 2026-11-22 -o share.svg /usr":
        "Draw one country of it, larger, with a date.",
      "geomapper draw --dark --shade age --title Home -o home.svg ~":
        "Show what is old, on a dark ground.",
      "geomapper draw --layer git:commits --colour commits -o commits.svg .":
        "Show how often the files of a repository changed.",
      "geomapper draw --since home.geosnap -o changes.svg ~":
        "Draw what has changed since a snapshot.",
      "geomapper draw --format png -o src.png --git . HEAD": "Draw a revision as a picture.",
    ],
    statuses: statuses(
      "Everything was drawn",
      incomplete: "The sheet lacks what could not be read or vanished meanwhile.",
      wrong: "a folder, revision or snapshot that does not exist, or no program that makes a PNG"),
    rules: [.format], run: DrawCommand.run)
}

enum DrawCommand {
  static func run(_ run: Run) throws(Failure) {
    let plan = try Plan(run)
    let place = try run.place
    try place.refuseTerminal("a sheet")
    let compared = try plan.comparison.map { (plan) throws(Failure) in try compare(plan, run) }
    var scan = plan.scan
    scan.temporary = place.temporary
    let totals = try run.totals(of: plan.roots.roots, scan, layers: plan.layers)
    try run.noteUnmatched(in: plan.layers)
    var options = plan.options
    options.rootFiles = plan.roots.roots.map(\.listing.files)
    options.files = try plan.files(run.low.chosenLayout)
    let poster = try rethrowing(
      Poster(of: totals, by: plan.roots.engine, showing: plan.target, options, comparing: compared)
    ) { Failure($0, folder: run.low.draw.folder ?? []) }
    run.progress?.begin("picture")
    let picture = try wording {
      try plan.program?.png(of: poster.svg, width: poster.width, height: poster.height) {
        [progress = run.progress] in progress?.showTime()
      }
    }
    try run.write(picture ?? poster.svg)
  }

  private static func compare(
    _ plan: (comparison: Comparison, states: [MapState]), _ run: Run
  ) throws(Failure) -> ComparedStates {
    let tree = try run.compare(plan.comparison)
    try tree.checkScratch()
    return ComparedStates(tree, plan.states)
  }

  private struct Plan {
    let roots: WorldRoots
    let comparison: (comparison: Comparison, states: [MapState])?
    let target: PosterTarget
    let program: PictureProgram?
    var options: PosterOptions
    let layers: LayerSet?
    let scan: FileSystemScanner.Options

    init(_ run: Run) throws(Failure) {
      let low = run.low
      comparison = try low.serve.since.isEmpty ? nil : Self.comparison(run)
      options = low.draw.poster
      // A sheet has the date of the clock on the wall.
      options.date = low.draw.date.map { LocalZone.ofThisProcess.localSeconds(at: $0) }
      let named: [ScanRoot]
      if let comparison = comparison?.comparison {
        roots = try wording { try WorldRoots(comparison.union, comparison.layout) }
        scan = comparison.scan
        named = comparison.new
        layers = nil
      } else {
        let inputs = try run.inputs(low.operands, read: .selected)
        roots = try wording { try WorldRoots(inputs.roots, low.chosenLayout) }
        scan = inputs.scan
        named = inputs.named
        layers = try low.layers.open(inputs)
        options.layers = layers?.schema ?? .none
        options.colour = try low.layers.number(of: low.draw.colour, "colour", in: layers)
        options.measure = try low.layers.sheetMeasure(layers)
      }
      target = try Self.target(low, named)
      program = try wording { run.format == .png ? try PictureProgram.find() : nil }
    }

    /// Limit of the cache of listings, in bytes.
    private static let cacheLimit = 4 << 20

    func files(_ layout: Layout) throws(Failure) -> [PosterFile] {
      guard case .folder(let names) = target, comparison == nil else { return [] }
      let world = try wording { [roots, scan, layers] in
        try World(
          roots: roots.roots, layout: layout, selection: scan.selection,
          cacheLimit: Self.cacheLimit, layers: layers)
      }
      let path = Array(names.joined(separator: [.slash]))
      guard let found = world.find(path), found.file == nil else { return [] }
      return world.reader().sizedFiles(in: found.folder).map {
        PosterFile(
          name: $0.name, bytes: $0.bytes, allocated: $0.allocated, place: $0.place, cells: $0.cells)
      }
    }

    private static func comparison(
      _ run: Run
    ) throws(Failure) -> (comparison: Comparison, states: [MapState]) {
      let low = run.low
      let operands = low.operands.isEmpty ? [[UInt8(ascii: ".")]] : low.operands
      let states = try run.states([low.oldStates, operands], now: low.draw.date)
      var comparison = Comparison(old: states[0].roots, new: states[1].roots)
      comparison.keepsSums = true
      comparison.measure = low.measure
      comparison.layout = low.chosenLayout
      comparison.scan = low.map.scan
      comparison.scan.temporary = try run.place.temporary
      return (comparison, states.map(\.state))
    }

    private static func target(
      _ low: LowArguments, _ roots: [ScanRoot]
    ) throws(Failure) -> PosterTarget {
      guard let folder = low.draw.folder else {
        return low.map.filter.box.map { .box($0) } ?? .world
      }
      let path = try MapPaths(roots, advice: "give a folder in it, or its parent")
        .path(of: folder)
      return .folder(path.components.filter { !$0.isEmpty }.map { Array($0) })
    }
  }
}

extension Failure {
  init(_ error: GeoDrawingError, folder: [UInt8]) {
    let message =
      switch error {
      case .noFolder: "no folder \(folder.quoted) on the map"
      case .noLand: "\(folder.quoted) is so deep that it has no land; draw a folder around it"
      case .badBox:
        "--bbox needs a box with some extent, and W west of E: a sheet ends at the antimeridian"
      case .badSize, .noPNG: "\(error)"
      }
    self = .usage(message)
  }
}
