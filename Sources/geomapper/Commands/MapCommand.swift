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
  /// What it makes.
  static let formats = FileFormat.holding([.nodes, .tiles])

  @Sendable
  static func run(_ low: LowArguments) throws(Failure) -> ExitStatus {
    var low = low
    // What nobody has said is not deliberate.
    if low.output != nil {
      low.format = try low.format(among: formats, usual: .geojson)
    }
    var plan = try MapPlan(low)
    if low.format == .pmtiles { return try ArchiveCommand.run(low, plan) }
    let place = try OutputPlace(plan.output)
    if place.isTerminal, !plan.isDeliberate { throw .floodsTerminal(plan.request.roots) }
    plan.request.scan.temporary = place.temporary

    // The main thread waits anyway: let it make the calls that block.
    let status = try onMainThread { [plan] in
      var request = plan.request
      let report = Report(
        mode: plan.progress, isQuiet: plan.isQuiet, outputIsTerminal: place.isTerminal,
        total: request.knownCount)
      request.list?.listener = report.listListener
      let stream = try await MapPipeline.open(request)
      return try await StreamOutput(
        name: "map", report: report, most: plan.request.format.mostNodes
      )
      .drain(stream, into: OutputFile(opening: place))
    }
    return status == .success && !plan.isWhole ? .incomplete : status
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
  static func run(_ low: LowArguments, _ plan: MapPlan) throws(Failure) -> ExitStatus {
    let place = try OutputPlace(plan.output)
    try place.refuseTerminal("tiles")
    var plan = plan
    plan.request.scan.temporary = place.temporary
    return try onMainThread { [plan] in
      let report = Report(
        mode: plan.progress, isQuiet: plan.isQuiet, outputIsTerminal: false,
        total: plan.request.knownCount)
      let tree = try await ScratchTree(plan.request, report)
      let archive = try await tree.archive(low.archive, plan.request, report)
      try write(archive, to: place, report)
      return report.faults == 0 && plan.isWhole ? .success : .incomplete
    }
  }

  private static func write(
    _ archive: WorldArchive, to place: OutputPlace, _ report: Report
  ) throws(Failure) {
    let output = try OutputFile(opening: place)
    do throws(ArchiveFailure<OutputError>) {
      try archive.write { (bytes) throws(OutputError) in try output.write(bytes) }
      do throws(OutputError) { try output.complete() } catch { throw .output(error) }
    } catch {
      output.discard()
      switch error {
      case .scratch(let reason): throw .noScratch(reason)
      case .output(.failed(let failure)): throw failure
      case .output(.closedPipe): return
      }
    }
    report.finish(bytes: output.count)
  }
}

extension Failure {
  /// What to say when no scratch file can be written or read, or no thread be started.
  static func noScratch(_ reason: Errno) -> Failure {
    .output(
      "can't keep tiles in scratch files (TMPDIR names their folder) or start a thread: \(reason)")
  }
}
