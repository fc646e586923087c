import GeoAtlas
import GeoCore
import GeoFormats
import GeoPipeline
import GeoProjection
import GeoSources
import GeoSystem
import GeoTree
import GeoWeb

/// `geomapper map`: writes what the pipeline draws.
enum MapCommand {
  @Sendable
  static func run(_ run: Run) throws(Failure) {
    // A format that nobody gave is not deliberate.
    if run.low.output != nil { run.low.format = try run.format }
    let plan = try MapPlan(run)
    var request = plan.request
    let place = try run.place
    request.scan.temporary = place.temporary
    if run.low.format == .pmtiles { return try ArchiveCommand.run(run, request) }
    if place.isTerminal, !plan.isDeliberate { throw .floodsTerminal(request.roots) }
    try run.write("map", of: request.knownCount, most: request.format.mostNodes) {
      [request] report in
      var request = request
      request.scan.tellsPreparation = report.preparationListener
      return try await MapPipeline.open(request)
    }
  }
}

extension Failure {
  /// What to say when a whole map would run over a terminal.
  fileprivate static func floodsTerminal(_ roots: [ScanRoot]) -> Failure {
    let folder = roots.count == 1 ? TerminalText.escaped(roots[0].directory) : "DIR..."
    return .usage(
      "a map is long, and this is a terminal: -o FILE saves it, '--zoom 3' shows the top of it, "
        + "'-o -' all of it; '\(Tool.name) \(folder)' opens it in the browser")
  }
}

/// `geomapper map --format pmtiles`: writes tiles into one file.
///
/// Tiles are made in another order than a tree is read in. So what there is goes into a scratch file first,
/// as a snapshot, which is the same whatever happens to the tree, and can be read anywhere.
enum ArchiveCommand {
  static func run(_ run: Run, _ request: MapRequest) throws(Failure) {
    let place = try run.place
    try place.refuseTerminal("tiles")
    try run.report(of: request.knownCount) { [arguments = run.low.archive] report in
      let tree = try await ScratchTree(request, report)
      let archive = try await tree.archive(arguments, request, report)
      try write(archive, to: place, report)
    }
  }

  private static func write(
    _ archive: WorldArchive, to place: OutputPlace, _ report: Report
  ) throws(Failure) {
    var count = 0
    let isWhole = try OutputFile.write(to: place) { (output) throws(OutputError) in
      do throws(ArchiveFailure<OutputError>) {
        try archive.write { (bytes) throws(OutputError) in try output.write(bytes) }
      } catch {
        switch error {
        case .scratch(let reason): throw .failed(.noScratch(reason))
        case .output(let error): throw error
        }
      }
      count = output.count
    }
    if isWhole { report.finish(bytes: count) }
  }
}

extension Failure {
  /// What to say when no scratch file can be written or read, or no thread be started.
  static func noScratch(_ reason: Errno) -> Failure {
    .output(
      "can't keep tiles in scratch files (TMPDIR names their folder) or start a thread: \(reason)")
  }
}
