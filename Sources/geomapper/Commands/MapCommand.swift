import GeoPage
import GeoPath
import GeoPipeline
import GeoScan
import GeoSystem

/// `geomapper map`: writes what the pipeline draws.
enum MapCommand {
  @Sendable
  static func run(_ low: LowArguments) throws(Failure) -> ExitStatus {
    var plan: MapPlan
    do throws(Failure) {
      plan = try MapPlan(low)
    } catch {
      throw error.hinting(at: "\(Tool.name) map --help")
    }
    let place = try OutputPlace(plan.output)
    if place.isTerminal, !plan.isDeliberate { throw .floodsTerminal(plan.request.roots) }
    plan.request.scan.temporary = place.temporary

    // The main thread waits anyway: let it make the calls that block.
    return try MainThreadExecutor().run { [plan] in
      await Result { () async throws(Failure) in
        let stream = try await open(plan.request)
        let report = Report(
          mode: plan.progress, isQuiet: plan.isQuiet, outputIsTerminal: place.isTerminal)
        return try await drain(
          stream, into: OutputFile(opening: place), report: report,
          most: plan.request.format == .html ? StandalonePage.mostNodes : .max)
      }
    }.get()
  }

  private static func open(_ request: MapRequest) async throws(Failure) -> MapStream {
    do throws(MapError) {
      return try await MapPipeline.open(request)
    } catch {
      throw Failure(error)
    }
  }

  /// Writes all chunks in their order.
  private static func drain(
    _ stream: MapStream, into output: OutputFile, report: Report, most: Int
  ) async throws(Failure) -> ExitStatus {
    var nodes = 0
    do {
      for try await chunk in stream {
        if output.isTerminal { report.clearLine() }
        try chunk.withBytes { (bytes) throws(OutputError) in try output.write(bytes) }
        report.add(chunk)
        nodes += chunk.summary.folders + chunk.summary.files
        if nodes > most { throw OutputError.failed(.tooManyNodes(most)) }
      }
      try output.complete()
    } catch {
      // The pipeline's threads may be in the midst of anything: they are not waited for.
      report.clearLine()
      output.discard()
      var status = ExitStatus.success
      switch error {
      case OutputError.closedPipe: break
      case OutputError.failed(let failure):
        Messages.show(failure)
        status = failure.status
      default:
        Messages.show(.output("the map is not complete: \(error)"))
        status = .output
      }
      ThisProcess.end(status: status.rawValue)
    }
    report.finish(bytes: output.count)
    return report.faults == 0 ? .success : .incomplete
  }
}

extension Result where Success: Sendable {
  fileprivate init(catching body: () async throws(Failure) -> Success) async {
    do throws(Failure) {
      self = .success(try await body())
    } catch {
      self = .failure(error)
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

  /// What to say when a page would hold more than browsers bear.
  fileprivate static func tooManyNodes(_ most: Int) -> Failure {
    .output(
      "the tree has more than \(most) nodes, too many for one page; show fewer with --zoom, "
        + "--max-depth or --bbox, or look at all of it with '\(Tool.name) serve'")
  }
}
