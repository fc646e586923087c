import Foundation
import GeoAtlas
import GeoCore
import GeoFormats
import GeoPipeline
import GeoSources
import GeoSystem
import GeoTree
import GeoWeb

/// The tiles of a world in one file: PMTiles, version 3.
///
/// The tiles are in scratch files until the value is gone.
public struct GeoArchive: Sendable {
  /// The number of tiles.
  public let tileCount: Int
  /// The size of the file in bytes.
  public let length: Int64
  /// The file.
  public let bytes: GeoBytes

  init(_ archive: WorldArchive) {
    tileCount = archive.counts.tiles
    length = archive.length
    let kept = Kept(archive: archive)
    bytes = GeoBytes { (take) throws in
      try kept.archive.write(failing: { MapError.noScratch($0) as any Error }, to: take)
    }
  }

  private struct Kept: @unchecked Sendable {
    // Sendable: nothing changes after the initializer.
    let archive: WorldArchive
  }

  /// Writes the archive into a file, which is replaced only on success.
  ///
  /// - Throws: `GeoError`; `CancellationError` if the task was cancelled.
  public func write(to url: URL) async throws { try await bytes.write(to: url) }
}

/// A site that was written.
public struct GeoSite: Hashable, Sendable {
  /// The number of its files.
  public let files: Int
  /// The number of new or changed files, which were written.
  public let written: Int
  /// The size of all files in bytes.
  public let bytes: Int64
  /// Whether links to the site show a picture. It takes the site's address, and the program
  /// `rsvg-convert` or Chromium.
  public let hasPreview: Bool
}

extension GeoWorld {
  /// Makes the tiles of the whole world, as `geomapper map --format pmtiles` does.
  ///
  /// The tree is read once, into a scratch file. ``selection``, ``layout`` and ``includesTotals``
  /// count; ``filter`` has no effect. Cancelling the task ends it.
  ///
  /// - Parameters:
  ///   - maximumZoom: The deepest zoom, 0 to 26; nil for one that fits the tree. Each zoom takes
  ///     about twice the time and space of the one before.
  ///   - isSparse: Whether to leave out tiles that show nothing new; map clients then show the ones
  ///     above.
  ///   - progress: Called during the work.
  ///   - report: Called with entries that could not be read, as they are found.
  /// - Throws: `GeoError` as ``nodes()``, and for other zooms; `CancellationError` if the task was
  ///   cancelled.
  public func archive(
    maximumZoom: Int? = nil, isSparse: Bool = false,
    progress: @escaping @Sendable (GeoProgress) -> Void = { _ in },
    report: @escaping @Sendable ([ScanFault]) -> Void = { _ in }
  ) async throws -> GeoArchive {
    try await archive(
      try choice(maximumZoom, isSparse: isSparse), without: nil, report: report, progress: progress)
  }

  func archive(
    _ choice: TileChoice, without temporary: TemporaryEntry?,
    report: @escaping @Sendable ([ScanFault]) -> Void,
    progress: @escaping @Sendable (GeoProgress) -> Void
  ) async throws -> GeoArchive {
    var request = try await openRequest()
    request.scan.temporary = temporary
    return try await onOwnThread { [request] in
      let report = GeoProgress.Report(report, progress)
      return try await Self.tiles {
        let archive = try await ArchiveBuilder(request, report).archive(choice, request, report)
        report.end()
        return GeoArchive(archive)
      }
    }
  }

  private func choice(_ maximumZoom: Int?, isSparse: Bool) throws(Failure) -> TileChoice {
    var choice = TileChoice()
    if let maximumZoom, !(TileChoice.zooms ~= maximumZoom) {
      throw .usage("maximumZoom must be from 0 to \(TileChoice.zooms.upperBound)")
    }
    choice.maximumZoom = maximumZoom
    choice.isSparse = isSparse
    return choice
  }

  /// Converts the errors of making tiles.
  fileprivate static func tiles<Value>(_ body: () async throws -> Value) async throws -> Value {
    do {
      return try await body()
    } catch let failure as Failure {
      switch failure.cause {
      case let reason as Errno, SnapshotError.unreadable(_, let reason)?:
        throw MapError.noScratch(reason)
      default: throw failure.cause ?? failure
      }
    }
  }

  /// Writes a website that shows the world, as `geomapper publish` does.
  ///
  /// The folder has to be new or empty, or hold a website of an earlier run; then only changed
  /// files are written. Everyone who can read it can read all names. Cancelling the task ends it.
  ///
  /// - Parameters:
  ///   - folder: The folder of the site, made if it is missing.
  ///   - address: The future address of the page, for a preview picture in shared links; nil if
  ///     unknown.
  ///   - maximumZoom: The deepest zoom, 0 to 26; nil for one that fits the tree. Each zoom takes
  ///     about twice the time and space of the one before.
  ///   - progress: Called during the work.
  ///   - report: Called with entries that could not be read, as they are found.
  /// - Throws: `GeoError` as ``nodes()``; `CancellationError` if the task was cancelled.
  public func publish(
    to folder: URL, address: URL? = nil, maximumZoom: Int? = nil,
    progress: @escaping @Sendable (GeoProgress) -> Void = { _ in },
    report: @escaping @Sendable ([ScanFault]) -> Void = { _ in }
  ) async throws -> GeoSite {
    try await Self.publish(
      openRequest(), nil, to: folder, address: address,
      try choice(maximumZoom, isSparse: true), report: report, progress: progress)
  }

  static func publish(
    _ request: MapRequest, _ timeline: [UInt8]?, to folder: URL, address: URL?,
    _ choice: TileChoice, report: @escaping @Sendable ([ScanFault]) -> Void,
    progress: @escaping @Sendable (GeoProgress) -> Void
  ) async throws -> GeoSite {
    let path = try folder.pathToWrite
    return try await onOwnThread {
      var request = request
      let report = GeoProgress.Report(report, progress)
      let place = try SiteFolder(path)
      do {
        request.scan.ownFolder = OwnFolder(at: path)
        var site = try await tiles { [request] in
          let tree = try await ArchiveBuilder(request, report)
          let made = try await tree.site(
            choice, address: address?.absoluteString, request, report)
          var site = made.site
          if address != nil {
            // Without a program that makes one, the site has no picture.
            site.picture = try? Publication.Picture(
              of: made.shown, by: tree.world.engine, isPart: made.isPart, progress: {})
          }
          return site
        }
        site.timeline = timeline
        let hasPreview = site.picture != nil
        try Task.checkCancellation()
        report.end()
        let outcome = try site.write(to: place)
        return GeoSite(
          files: outcome.files, written: outcome.written, bytes: outcome.bytes,
          hasPreview: hasPreview)
      } catch {
        place.leave()
        throw error
      }
    }
  }

  /// Writes the map into a file, which is replaced only on success. Cancelling the task ends it.
  ///
  /// - Parameters:
  ///   - url: The file. It is left out of the map if it is in one of the folders.
  ///   - format: The format; nil to take it from the file's name: `.geojson`, `.csv`, `.gpx`,
  ///     `.html`, `.fgb`, `.parquet`, or `.pmtiles` for an
  ///     ``archive(maximumZoom:isSparse:progress:report:)``.
  ///   - progress: Called during the work.
  ///   - report: Called with entries that could not be read, as they are found.
  /// - Throws: `GeoError` as ``nodes()``; `CancellationError` if the task was cancelled.
  public func write(
    to url: URL, format: OutputFormat? = nil,
    progress: @escaping @Sendable (GeoProgress) -> Void = { _ in },
    report: @escaping @Sendable ([ScanFault]) -> Void = { _ in }
  ) async throws {
    let path = try url.pathToWrite
    let made = FileFormat.holding([.nodes, .tiles])
    let named = FileFormat.ending(of: path).flatMap { FileFormat.named(by: $0, among: made) }
    guard let file = format?.file ?? named else {
      throw Failure.noFormat(path, of: "maps: pass one")
    }
    let output = try GeoFile(url)
    if file == .pmtiles {
      let archive = try await archive(
        TileChoice(), without: output.temporary, report: report, progress: progress)
      for try await chunk in archive.bytes { try output.write(chunk.span) }
      return try output.complete()
    }
    try await features(format: file.ofMap ?? .geojson, progress: progress, report: report)
      .write(to: output)
  }
}

extension OwnFolder {
  /// If the folder exists.
  fileprivate init?(at path: [UInt8]) {
    guard let real = try? ThisProcess.realPath(path), let target = try? FileTarget(real),
      let parent = try? target.folder.facts().identity
    else { return nil }
    self.init(name: target.name, parent: parent)
  }
}
