import GeoWeb
import GeoAtlas
import GeoCore
import GeoPipeline
import GeoProjection
import GeoTree
import GeoSources
import GeoSystem

/// `geomapper map --format pmtiles`: writes tiles into one file.
///
/// Tiles are made in another order than a tree is read in. So what there is goes into a scratch file first,
/// as a snapshot, which is the same whatever happens to the tree, and can be read anywhere.
enum ArchiveCommand {
  static func run(_ low: LowArguments, _ plan: MapPlan) throws(Failure) -> ExitStatus {
    try refuse(low)
    let place = try OutputPlace(plan.output)
    if place.isTerminal { throw .usage("tiles are nothing to look at here: save them by -o FILE") }
    var plan = plan
    plan.request.scan.temporary = place.temporary
    return try MainThreadExecutor().run { [plan] in
      await Result { () async throws(Failure) in
        let report = Report(
          mode: plan.progress, isQuiet: plan.isQuiet, outputIsTerminal: false,
          total: plan.request.knownCount)
        let tree = try await ScratchTree(plan.request, report)
        let archive = try await tree.archive(low.archive, plan.request, report)
        try write(archive, to: place, report)
        return report.faults == 0 && plan.isWhole ? .success : .incomplete
      }
    }.get()
  }

  /// Refuses what goes with features alone.
  private static func refuse(_ low: LowArguments) throws(Failure) {
    let others = [
      ("--tippecanoe", low.tippecanoe), ("--lonlat", low.lonlat), ("--no-index", !low.isIndexed),
      ("--compress", low.compression != nil), ("--quote-all", low.quotesAll),
      ("--links", low.links.countsLinks),
      ("--deed", low.deeds.deed != nil), ("--no-stat", !low.readsMetadata),
      ("--bbox", low.box != nil), ("--max-depth", low.maxDepth != nil), ("--lonlat", low.lonlat),
    ]
    if low.zoom != nil {
      throw .usage("--zoom doesn't go with --format pmtiles: --max-zoom says how deep tiles go")
    }
    if low.archive.isComplete, low.archive.isSparse {
      throw .usage("--complete and --sparse contradict each other: drop one of them")
    }
    if let other = others.first(where: \.1)?.0 {
      throw .usage("\(other) doesn't go with --format pmtiles: drop one of them")
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
