import GeoAtlas
import GeoCore
import GeoFormats
import GeoPipeline
import GeoProjection
import GeoSources
import GeoSystem
import GeoTree
import GeoWeb

/// `geomapper map`: writes the map of folders.
enum MapCommand {
  @Sendable
  static func run(_ run: Run) throws(Failure) {
    // A default format doesn't count as deliberate.
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
      request.scan.preparationListener = report.preparationListener
      return try await MapPipeline.open(request)
    }
  }
}

extension Failure {
  /// The refusal to write a whole map to a terminal.
  fileprivate static func floodsTerminal(_ roots: [ScanRoot]) -> Failure {
    let folder = roots.count == 1 ? TerminalText.escaped(roots[0].directory) : "DIR..."
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
    try place.refuseTerminal("tiles")
    try run.report(of: request.knownCount) { [arguments = run.low.archive] report in
      let tree = try await ScratchTree(request, report)
      let archive = try await tree.archive(arguments.tiles, request, report)
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
  /// The error that a scratch file can't be written or read, or a thread not be started.
  static func noScratch(_ reason: Errno) -> Failure {
    .output(
      "can't keep tiles in scratch files (TMPDIR names their folder) or start a thread: \(reason)")
  }

  /// The message for a tree of which no tiles can be made.
  init(_ error: ScratchTreeError) {
    switch error {
    case .noScratch(let reason): self = .noScratch(reason)
    case .unreadable(let error):
      self = .output("the tree can't be read again: \(error.description)")
    case .failed(let part, let error): self.init(error, part)
    }
  }
}
