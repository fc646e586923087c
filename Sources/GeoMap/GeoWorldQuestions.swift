import Foundation
import GeoAtlas
import GeoFormats
import GeoPipeline
import GeoProjection
import GeoTree
import GeoWeb

extension GeoWorld {
  /// The world as one that is asked about single paths and places.
  ///
  /// What ``selection`` leaves out is not there; ``filter`` plays no part.
  ///
  /// - Parameters:
  ///   - cacheLimit: Bytes of listings that are kept at most.
  ///   - readsDisk: Whether the roots are checked to be folders. Nothing need be there where only
  ///     ``GeoLookup/plannedNode(at:isFolder:)-([UInt8],_)`` is asked.
  /// - Throws: `MapError`, if a root is no folder, two roots have one label, or a URL is no file URL.
  ///   A world that is read from a ``list`` (see ``indexed(report:)``), has a ``shard``, or follows links
  ///   can't be asked: `MapError.noLookup`.
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

  /// Begins to write the world: the bytes that `geomapper map` writes, in chunks.
  ///
  /// - Parameter format: In which format.
  /// - Throws: As ``nodes()``.
  public func features(format: OutputFormat = .geojson) async throws(MapError) -> MapStream {
    var request = try request().request
    request.format = format.complete
    if let list { try request.read(list) }
    return try await MapPipeline.open(request)
  }

  /// Adds up what the world consists of: all of it, whatever ``filter`` and ``selection`` say.
  ///
  /// - Parameters:
  ///   - top: How many entries stand out in each list.
  ///   - now: From when ages are counted.
  ///   - report: Told what could not be read, as it is found.
  /// - Throws: `MapError`, as ``lookup(cacheLimit:readsDisk:)``, or if no thread could be made;
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

  /// Refuses a world that is more, or less, than folders on a disk.
  func checkLookup() throws(MapError) {
    if list != nil { throw .noLookup(because: .list) }
    if shard != nil { throw .noLookup(because: .shard) }
    if scan.followsLinks { throw .noLookup(because: .links) }
  }

  /// Maps the world several times, in different ways, and checks each map: all of it, whatever
  /// ``filter`` and ``selection`` say.
  ///
  /// - Returns: What was checked.
  /// - Throws: `MapError`, as ``lookup(cacheLimit:readsDisk:)``; ``VerificationError``, with the
  ///   first counterexample if there is one.
  public func verify() async throws -> TreeVerification.Outcome {
    let world = try await indexed()
    try world.checkLookup()
    var verification = TreeVerification(
      roots: try MapPipeline.roots(try world.request().request.roots, readsDisk: true))
    verification.scan.staysOnFileSystem = scan.staysOnFileSystem
    return try await verification.verify(layout)
  }
}
