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
  public enum Table: String, Hashable, Sendable, CaseIterable {
    /// Lives of files and folders.
    case lives
    /// Changes of files.
    case events
  }

  /// A format of histories for other programs.
  public struct Format: RawRepresentable, Hashable, Sendable, CaseIterable {
    let file: FileFormat

    private init(_ file: FileFormat) { self.file = file }

    /// Makes the format with a name; nil if the name is unknown.
    public init?(rawValue: String) {
      guard let format = Self.allCases.first(where: { $0.rawValue == rawValue }) else { return nil }
      self = format
    }

    /// One GeoJSON `FeatureCollection` (RFC 7946), one feature per line.
    public static let geojson = Format(.geojson)
    /// A GeoJSON text sequence (RFC 8142).
    public static let geojsonseq = Format(.geojsonseq)
    /// GeoJSON features, one per line.
    public static let geojsonl = Format(.geojsonl)
    /// A table (RFC 4180), one record per line.
    public static let csv = Format(.csv)

    /// All formats.
    public static let allCases = [geojson, geojsonseq, geojsonl, csv]

    /// The format's name on the command line.
    public var rawValue: String { file.rawValue }
  }

  /// The bytes that `geomapper history` writes.
  ///
  /// - Parameters:
  ///   - table: Lives or events.
  ///   - format: The output format.
  public func features(_ table: Table = .lives, format: Format = .geojson) -> GeoBytes {
    GeoBytes { [world, filter] (take) throws in
      switch table {
      case .lives:
        var writer = LifeWriter(world, format: format.file, filter: filter)
        try writer.write(take)
      case .events: try HistoryEvents(world, filter: filter).write(format.file, take)
      }
    }
  }
  /// A track for each author in GPX 1.1: the places of the files that their states changed, in the
  /// order of time. It has no tracks if no state has an author.
  public func authorTracks() -> GeoBytes {
    GeoBytes { [world, filter] (take) throws in
      try withoutActuallyEscaping(take) { (take) throws in
        do throws(Failure) {
          try AuthorTracks(HistoryEvents(world, filter: filter))
            .write(to: GPXTrackWriter(TrackBytes(take)))
        } catch {
          throw error.cause ?? error
        }
      }
    }
  }
}

/// Passes the bytes of tracks on.
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
  /// The request for a map of everything that ever existed, and the time line for a page.
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
