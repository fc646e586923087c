import GeoFormats
import GeoCore
import GeoTree
import GeoSystem

/// Puts the stages together: scan → project → tier → emit.
public enum MapPipeline {
  /// Begins to map.
  ///
  /// All that can be wrong with a request is found here, before a byte is written.
  ///
  /// - Throws: ``MapError``.
  public static func open(_ request: MapRequest) async throws(MapError) -> MapStream {
    let survey = try Survey(request)
    let (format, options) = (request.format, request.writerOptions)
    let pool = ChunkPool()
    let batches = try await survey.start {
      FeatureOutput(writer: FeatureWriter(format: format, options: options), pool: pool)
    }
    let isPartial =
      request.filter.isActive || request.selection.isActive
      || request.roots.contains { $0.source.isPartial }
    let reasons = request.exclusionReasons
    let frame =
      if let deed = request.deed {
        MapFrame.part(
          PartHeader(
            deed, isPartial: isPartial, reasons: reasons,
            format: request.format, options: request.fingerprint))
      } else {
        MapFrame.whole(
          MapHeader(
            layout: request.layout, labels: survey.labels, isPartial: isPartial))
      }
    return MapStream(
      format: format, options: options, threads: request.scan.threads ?? FileSystem.processors,
      frame: frame,
      excluded: ExclusionCounts(asking: reasons), batches: batches, pool: pool,
      misfit: survey.misfit, places: survey.roots.map(\.label))
  }

  /// Begins to map, into nodes instead of text; the request's format doesn't matter.
  ///
  /// - Throws: ``MapError``.
  public static func openNodes(_ request: MapRequest) async throws(MapError) -> NodeStream {
    let survey = try Survey(request)
    let outlines = request.outlines
    let batches = try await survey.start { NodeOutput(keepsOutlines: outlines) }
    return NodeStream(batches: batches, misfit: survey.misfit)
  }

  /// Roots that can stand on one map, in the order of their labels.
  ///
  /// - Parameter readsDisk: Whether they have to be there.
  /// - Throws: ``MapError``.
  package static func roots(
    _ roots: [ScanRoot], readsDisk: Bool
  ) throws(MapError) -> [ScanRoot] {
    try WorldRoots.checked(roots, areThere: readsDisk)
  }
}

extension MapRequest {
  /// Why entries can be left out: by what is selected, or by what was when a root was kept.
  var exclusionReasons: [ExclusionReason] {
    let before = roots.flatMap(\.source.exclusionReasons)
    return ExclusionReason.allCases.filter {
      selection.reasons.contains($0) || before.contains($0)
    }
  }
}
