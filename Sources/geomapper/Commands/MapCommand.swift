import GeoCore
import GeoPipeline
import GeoTree
import GeoWeb

extension Command {
  static let map = Command(
    id: .map,
    summary: "Write a map of folders.",
    usage: "map [OPTION]... [[LABEL=]DIR]...\n"
      + "       geomapper map [OPTION]... --git REPO [[LABEL=]REV]...",
    description: [
      "Write a map of folders: each folder is an area inside its parent's area, each file "
        + "a point in it. The same tree gives the same map, bit for bit, on every machine.",
      "Without DIR the current folder is mapped. LABEL is the name of DIR on the map [its "
        + "last component]; labels have to differ. If a folder's name contains '=', write "
        + "'./a=b'; if it begins with '-', write './-a', or '--' before it.",
    ],
    examples: [
      "geomapper map -o home.geojson ~": "Map the home folder to a file.",
      "geomapper map --zoom 5 --format csv /usr | less": "List what is visible at zoom 5.",
      "geomapper map old=backup/src new=src -o both.geojson": "Map two folders as two continents.",
      "geomapper map --tippecanoe --format geojsonl | tippecanoe -z 8 -o map.mbtiles":
        "Make vector tiles.",
      "ssh host \"find /srv -printf '%s %T@ %y %p\\0'\" |\n"
        + "    geomapper map --files-from - --list-format find /srv":
        "Map a folder on another machine.",
    ],
    statuses: statuses(
      "Everything was mapped",
      incomplete:
        "The map lacks what could not be read, vanished meanwhile, or is wrong in a list.",
      wrong: "a folder or list that does not exist"),
    rules: [.format], run: MapCommand.run)
}

enum MapCommand {
  static func run(_ run: Run) throws(Failure) {
    // A default format doesn't count as deliberate.
    if run.low.output != nil { run.low.format = run.format }
    let plan = try MapPlan(run)
    var request = plan.request
    let place = try run.place
    request.scan.temporary = place.temporary
    if run.format.isBinary {
      try place.refuseTerminal("\(run.format.rawValue), which is not text,")
    }
    if place.isTerminal, !plan.isDeliberate { throw .floodsTerminal(request.roots) }
    if run.low.format == .pmtiles { return try ArchiveCommand.run(run, request) }
    let expected = request.isWhole ? run.expectedEntries(of: request.roots) : nil
    try run.write(
      "map", of: request.knownCount, about: expected, maximum: request.format.maximumNodes
    ) { [request] report in
      var request = request
      request.scan.preparationListener = report.preparationListener
      request.scan.stallListener = report.stallListener
      return try await MapPipeline.open(request)
    }
    try run.noteUnmatched(in: request.layers)
  }
}

extension Failure {
  fileprivate static func floodsTerminal(_ roots: [ScanRoot]) -> Failure {
    let folder = roots.count == 1 ? roots[0].directory.shown : "DIR..."
    return .usage(
      "not writing a whole map to the terminal; use -o FILE, '-o -' to write it all the same, "
        + "'--zoom 3' for its top, or '\(Tool.name) \(folder)' for the browser")
  }
}

/// `geomapper map --format pmtiles`: writes tiles into one file.
///
/// Tiles are not made in the order in which a tree is read. So the tree is first saved as a
/// snapshot in a scratch file, which doesn't change and allows random access.
enum ArchiveCommand {
  static func run(_ run: Run, _ request: MapRequest) throws(Failure) {
    let place = try run.place
    try run.report(of: request.knownCount) { [tiles = run.low.tiles] report in
      let tree = try await ArchiveBuilder(request, report)
      let archive = try await tree.archive(tiles, request, report)
      try write(archive, to: place, report)
      if archive.leftOut > 0, !report.isQuiet {
        Messages.note(
          "\(Quantity.count(archive.leftOut, "node")) left out, to be seen only at deeper zooms")
      }
    }
  }

  private static func write(
    _ archive: WorldArchive, to place: OutputPlace, _ report: Report
  ) throws(Failure) {
    var count = 0
    let isWhole = try OutputFile.write(to: place) { (output) throws(Failure) in
      try archive.write(failing: Failure.noTiles) { (bytes) throws(Failure) in
        try output.write(bytes)
      }
      count = output.count
    }
    if isWhole { report.finish(bytes: count) }
  }
}

struct MapPlan: Sendable {
  var request: MapRequest
  /// Whether the user chose what to write, or where.
  let isDeliberate: Bool

  init(_ run: Run) throws(Failure) {
    let low = run.low
    // Totals and layers read the tree twice, so a list must be kept as a snapshot.
    let isReadTwice = low.list.file != nil && (low.map.totals || low.layers.isAsked)
    let inputs = try run.inputs(low.operands, read: isReadTwice ? .anywhere : .once)
    request = low.map
    (request.roots, request.selection) = (inputs.roots, inputs.selection)
    request.layout = low.chosenLayout
    request.format = low.format?.ofMap?.complete ?? .geojson
    request.scan = inputs.scan
    request.layers = try low.layers.open(inputs)
    isDeliberate =
      low.output != nil || low.format != nil || low.map.tippecanoe || request.filter.isActive
      || request.selection.isActive
  }
}
