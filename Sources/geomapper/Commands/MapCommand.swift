import GeoFormats
import GeoCore
import GeoPipeline
import GeoTree
import GeoSystem

/// `geomapper map`: writes what the pipeline draws.
enum MapCommand {
  /// What it makes.
  static let formats = FileFormat.holding([.nodes, .tiles])

  @Sendable
  static func run(_ low: LowArguments) throws(Failure) -> ExitStatus {
    var low = low
    var plan: MapPlan
    do throws(Failure) {
      // What nobody has said is not deliberate.
      if low.output != nil {
        low.format = try low.format(among: formats, usual: .geojson)
      }
      plan = try MapPlan(low)
    } catch {
      throw error.hinting(at: "\(Tool.name) map --help")
    }
    if low.format == .pmtiles { return try ArchiveCommand.run(low, plan) }
    if low.archive.maxZoom != nil { throw .usage("--max-zoom goes with --format pmtiles") }
    if low.archive.isSparse { throw .usage("--sparse goes with --format pmtiles") }
    if low.archive.isComplete { throw .usage("--complete goes with --format pmtiles") }
    let place = try OutputPlace(plan.output)
    if place.isTerminal, !plan.isDeliberate { throw .floodsTerminal(plan.request.roots) }
    plan.request.scan.temporary = place.temporary

    // The main thread waits anyway: let it make the calls that block.
    let status = try MainThreadExecutor().run { [plan] in
      await Result { () async throws(Failure) in
        var request = plan.request
        let report = Report(
          mode: plan.progress, isQuiet: plan.isQuiet, outputIsTerminal: place.isTerminal,
          total: request.knownCount)
        request.list?.listener = report.listListener
        let stream = try await open(request)
        return try await StreamOutput(
          name: "map", report: report, most: plan.request.format.mostNodes
        )
        .drain(stream, into: OutputFile(opening: place))
      }
    }.get()
    return status == .success && !plan.isWhole ? .incomplete : status
  }

  private static func open(_ request: MapRequest) async throws(Failure) -> MapStream {
    do throws(MapError) {
      return try await MapPipeline.open(request)
    } catch {
      throw Failure(error)
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
