import Foundation
import GeoAtlas
import GeoFormats
import GeoPipeline
import GeoProjection
import GeoTree
import GeoWeb

extension GeoWorld {
  /// Makes a lookup, which answers questions about single paths and places.
  ///
  /// Entries that ``selection`` leaves out don't exist for the lookup; ``filter`` has no effect.
  ///
  /// - Parameters:
  ///   - cacheLimit: The maximum number of bytes of cached listings.
  ///   - readsDisk: Whether to check that the roots are folders. Pass false if they may be missing
  ///     and only ``GeoLookup/plannedNode(at:isFolder:)-([UInt8],_)`` is called.
  /// - Throws: `MapError` if a root is not a folder, two roots share a label, or a URL is not a
  ///   file URL; `MapError.noLookup` if the world has a ``list`` (see ``indexed(report:)``) or a
  ///   ``shard``, or follows links.
  public func lookup(
    cacheLimit: Int = 64 << 20, readsDisk: Bool = true
  ) throws(MapError) -> GeoLookup {
    try checkLookup()
    let (request, directories) = try request()
    return GeoLookup(
      try World(
        roots: request.roots, layout: layout, selection: selection,
        cacheLimit: max(0, cacheLimit), readsDisk: readsDisk),
      directories: directories)
  }

  /// Starts to write a map: the bytes that `geomapper map` writes, in chunks.
  ///
  /// - Parameter format: The output format.
  /// - Throws: As ``nodes()``.
  public func features(format: OutputFormat = .geojson) async throws(MapError) -> MapStream {
    var request = try request().request
    request.format = format.complete
    if let list { try request.read(list) }
    return try await MapPipeline.open(request)
  }

  /// Computes statistics of the whole world, regardless of ``filter`` and ``selection``.
  ///
  /// - Parameters:
  ///   - top: The number of entries in each list of the largest, newest and so on.
  ///   - now: The time from which ages are counted.
  ///   - report: Called with entries that could not be read, as they are found.
  /// - Throws: `MapError` as ``lookup(cacheLimit:readsDisk:)``, or if no thread could be started;
  ///   `CancellationError` if the task was cancelled.
  public func stats(
    top: Int = 10, now: Date = Date(), report: ([ScanFault]) -> Void = { _ in }
  ) async throws -> TreeStats {
    let world = try await indexed(report: report)
    try world.checkLookup()
    let roots = try MapPipeline.roots(try world.request().request.roots, readsDisk: true)
    var scan = StatsScan(now: UnixTime.seconds(of: now))
    scan.top = max(0, top)
    scan.scan = self.scan
    do {
      return try await scan.run(roots, report: report)
    } catch FileSystemScanner.Failure.noThread(let reason) {
      throw MapError.noThread(reason)
    }
  }

  /// Throws if the world doesn't consist of plain folders.
  func checkLookup() throws(MapError) {
    if list != nil { throw .noLookup(because: .list) }
    if shard != nil { throw .noLookup(because: .shard) }
    if scan.followsLinks { throw .noLookup(because: .links) }
  }

  /// Maps the world several times in different ways, and checks each map. The whole world is
  /// checked, regardless of ``filter`` and ``selection``.
  ///
  /// - Returns: Counts of the checks.
  /// - Throws: `MapError` as ``lookup(cacheLimit:readsDisk:)``; ``VerificationError`` with the
  ///   first counterexample.
  public func verify() async throws -> TreeVerification.Outcome {
    let world = try await indexed()
    try world.checkLookup()
    var verification = TreeVerification(
      roots: try MapPipeline.roots(try world.request().request.roots, readsDisk: true))
    verification.scan.staysOnFileSystem = scan.staysOnFileSystem
    return try await verification.verify(layout)
  }
}
