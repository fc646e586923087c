import Foundation
import GeoChange
import GeoCore
import GeoFormats
import GeoPipeline
import GeoTrack
import GeoTree
import GeoWeb

extension GeoHistory {
  /// The kind of records in a file of a history.
  public enum Table: Hashable, Sendable {
    /// Lives of files and folders.
    case lives
    /// Changes of files.
    case events
  }

  /// The bytes that `geomapper history` writes.
  ///
  /// - Parameters:
  ///   - table: Lives or events.
  ///   - format: `geojson`, `geojsonseq`, `geojsonl` or `csv`.
  /// - Throws: `GeoError` for another format.
  public func features(
    _ table: Table = .lives, format: OutputFormat = .geojson
  ) throws -> GeoBytes {
    let file = try format.file(
      among: [.geojson, .geojsonseq, .geojsonl, .csv], of: "histories")
    return GeoBytes { [world, filter] (take) throws in
      switch table {
      case .lives:
        var writer = LifeWriter(world, format: file, filter: filter)
        try writer.write(take)
      case .events: try HistoryEvents(world, filter: filter).write(file, take)
      }
    }
  }
  /// A track for each author in GPX 1.1: the places of the files that their states changed, in the
  /// order of time. It has no tracks if no state has an author.
  public func authorTracks() -> GeoBytes {
    GeoBytes { [world, filter] (take) throws in
      try withoutActuallyEscaping(take) { (take) throws in
        do throws(Failure) {
          try HistoryEvents(world, filter: filter)
            .write(to: GPXTrackWriter(TrackBytes(take)))
        } catch {
          throw error.cause ?? error
        }
      }
    }
  }
}

private final class TrackBytes: TrackOutput {
  private let body: (Span<UInt8>) throws -> Void

  init(_ body: @escaping (Span<UInt8>) throws -> Void) { self.body = body }

  func write(_ bytes: Span<UInt8>) throws(Failure) {
    do {
      try body(bytes)
    } catch {
      throw .output("\(error)", cause: error)
    }
  }
}

extension GeoHistory {
  /// For a map of everything that ever existed, with the time line for a page.
  private func played(_ layout: Layout) -> (request: MapRequest, timeline: [UInt8]) {
    let source = HistorySource(world, filter: filter)
    var request = MapRequest(roots: source.roots)
    request.layout = layout
    return (request, HistoryTimeline(source, filter: filter).text())
  }

  /// A page that plays the history, and needs no other files.
  public func page() -> GeoBytes {
    GeoBytes(reporting: GeoProgress.Report.notes({ _ in }, { _ in })) { [self] _ in
      let played = played(world.layout)
      var request = played.request
      request.format = .page(StandalonePage.history.frame, data: played.timeline)
      return try await MapPipeline.open(request)
    }
  }

  /// Writes a website that plays the history, as `geomapper publish --history` does.
  ///
  /// - Parameters:
  ///   - folder: The folder of the site: new, empty, or of an earlier run.
  ///   - address: The future address of the page; nil if unknown.
  ///   - progress: Called during the work.
  /// - Throws: As ``GeoWorld/publish(to:address:maximumZoom:progress:report:)``.
  public func publish(
    to folder: URL, address: URL? = nil,
    progress: @escaping @Sendable (GeoProgress) -> Void = { _ in }
  ) async throws -> GeoSite {
    let (request, timeline) = played(world.layout)
    return try await GeoWorld.publish(
      request, timeline, to: folder, address: address, TileChoice(), report: { _ in },
      progress: progress)
  }
}
