import Foundation
import GeoAtlas
import GeoCore
import GeoFormats
import GeoPipeline
import GeoProjection
import GeoSystem
import GeoTree
import GeoWeb
import Synchronization

extension GeoWorld {
  /// Makes a reader, which answers questions about single paths and places.
  ///
  /// Entries that ``selection`` leaves out don't exist for the reader; ``filter`` has no effect.
  ///
  /// - Parameters:
  ///   - cacheLimit: The maximum number of bytes of cached listings.
  ///   - readsDisk: Whether to check that the roots are folders.
  /// - Throws: `GeoError` if there is no root, a root is not a folder, two roots share a label, a URL
  ///   is not a file URL, the world has a ``list`` (see ``indexed(report:)``), or it follows links.
  public func reader(
    cacheLimit: Int = 64 << 20, readsDisk: Bool = true
  ) throws -> GeoReader {
    GeoReader(try lookup(cacheLimit: cacheLimit, readsDisk: readsDisk))
  }

  package func lookup(
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

  /// A map: the bytes that `geomapper map` writes.
  ///
  /// The tree is read when the bytes are.
  ///
  /// - Parameters:
  ///   - format: The output format.
  ///   - progress: Called as the bytes are read.
  ///   - report: Called with entries that could not be read, as they are found.
  /// - Throws: `GeoError` if a root is refused or missing. Reading throws what else ``nodes()`` does.
  public func features(
    format: OutputFormat = .geojson,
    progress: @escaping @Sendable (GeoProgress) -> Void = { _ in },
    report: @escaping @Sendable ([ScanFault]) -> Void = { _ in }
  ) throws -> GeoBytes {
    _ = try MapPipeline.roots(try request().request.roots, readsDisk: list == nil)
    return GeoBytes(reporting: GeoProgress.Report.notes(report, progress)) { [self] temporary in
      var request = try await openRequest()
      request.scan.temporary = temporary
      request.format = format.complete
      return try await MapPipeline.open(request)
    }
  }

  /// Starts to read what meets a box of the map; only what it may show is read.
  ///
  /// - Parameter box: The box, in place of the one of ``filter``.
  /// - Throws: As ``nodes()``.
  public func nodes(
    in box: BoundingBox
  ) async throws -> some AsyncSequence<GeoNodeBatch, any Error> & Sendable {
    var world = self
    world.filter.box = box
    return try await world.nodes()
  }

  /// Computes statistics of the whole world, regardless of ``filter`` and ``selection``.
  ///
  /// - Parameters:
  ///   - top: The number of entries in each list of the largest, newest and so on.
  ///   - now: The time from which ages are counted.
  ///   - report: Called with entries that could not be read, as they are found.
  /// - Throws: `GeoError` as ``reader(cacheLimit:readsDisk:)``, or if no thread could be started;
  ///   `CancellationError` if the task was cancelled.
  public func stats(
    top: Int = 10, now: Date = Date(), report: @Sendable ([ScanFault]) -> Void = { _ in }
  ) async throws -> TreeStats {
    try await stats(top: top, depth: 1, now: now, report: report)
  }

  /// Finds the folders inside the roots with the most bytes, regardless of ``filter`` and
  /// ``selection``.
  ///
  /// A folder counts with all its contents, so the folders above a large one are among the largest,
  /// too. The roots themselves are left out; ``stats(top:now:report:)`` has them. Sizes are room on disk if it is known for all files.
  ///
  /// - Parameters:
  ///   - count: The maximum number of folders.
  ///   - report: Called with entries that could not be read, as they are found.
  /// - Returns: The folders with their sums, the largest first; of equal ones the first in map order.
  /// - Throws: As ``stats(top:now:report:)``.
  /// - Complexity: O(entries); memory for the path and the sums of each folder.
  public func largestFolders(
    count: Int = 10, report: @Sendable ([ScanFault]) -> Void = { _ in }
  ) async throws -> [TreeStats.Region] {
    let stats = try await stats(top: 0, depth: .max, now: Date(), report: report)
    let knowsRoom = stats.total.allocated != nil
    func size(_ sums: TreeStats.Sums) -> Int64 {
      (knowsRoom ? sums.allocated : sums.bytes) ?? 0
    }
    let inner = stats.regions.enumerated().filter { $0.element.rawPath.contains(.slash) }
    let sorted = inner.sorted {
      let (a, b) = (size($0.element.sums), size($1.element.sums))
      return a != b ? a > b : $0.offset < $1.offset
    }
    return sorted.prefix(max(0, count)).map(\.element)
  }

  private func stats(
    top: Int, depth: Int, now: Date, report: @Sendable ([ScanFault]) -> Void
  ) async throws -> TreeStats {
    let world = try await indexed(report: report)
    let roots = try await world.indexedRoots()
    var scan = StatsScan(now: UnixTime.seconds(of: now))
    (scan.top, scan.depth) = (max(0, top), depth)
    scan.scan = self.scan
    scan.layers = try await world.openLayers(over: roots)
    do {
      return try await scan.run(roots, report: report)
    } catch let failure as Failure {
      throw (failure.cause as? Errno).map(MapError.noThread) ?? failure
    }
  }

  /// Finds files and folders by name, as `geomapper find` does.
  ///
  /// The last word has to be in the name, the others in the name or the path above; a word with
  /// `*`, `?` or `[` is a glob for a whole name. Case doesn't matter. ``filter`` has no effect.
  ///
  /// - Parameters:
  ///   - words: The words to look for, 256 bytes at most.
  ///   - limit: The maximum number of nodes.
  ///   - order: The order of the nodes; nil for the best matches first, which come while the search
  ///     goes on.
  /// - Returns: The nodes. A reader that stops ends the search. It throws `GeoError` as
  ///   ``reader(cacheLimit:readsDisk:)``, and if `words` are too long or have an invalid glob.
  ///   Without words it finds nothing.
  /// - Complexity: O(entries of the searched folders).
  public func search(
    _ words: String, limit: Int = 50, order: SearchOrder? = nil
  ) -> AsyncThrowingStream<GeoNode, any Error> {
    AsyncThrowingStream { continuation in
      let hasEnded = EndFlag()
      continuation.onTermination = { _ in hasEnded.set() }
      do {
        let lookup = try lookup(cacheLimit: 0)
        guard let match = try NameMatch(checking: Array(words.utf8)) else {
          return continuation.finish()
        }
        try WorkerThread.start {
          var search = NameSearch(
            for: match, limit: max(0, limit),
            first: order.flatMap { MatchOrder(rawValue: "\($0)") },
            in: lookup.world)
          while !hasEnded.isSet {
            let goesOn = search.step()
            for hit in search.takeRanked() {
              if let node = lookup.node(at: hit.path) { continuation.yield(node) }
            }
            if !goesOn || search.isSettled { break }
          }
          continuation.finish()
        }
      } catch {
        continuation.finish(throwing: error)
      }
    }
  }

  /// The order of the nodes that a search finds.
  public enum SearchOrder: Hashable, Sendable, CaseIterable {
    /// The largest files first.
    case size
    /// The last changed first.
    case newest
    /// The longest unchanged first.
    case oldest
    /// By name, in byte order.
    case name
  }

  /// In the order of the map, with those of a ``list`` in a scratch file.
  package func indexedRoots(
    report: @Sendable ([ScanFault]) -> Void = { _ in }
  ) async throws -> [ScanRoot] {
    let world = try await indexed(report: report)
    try world.checkLookup()
    return try MapPipeline.roots(try world.request().request.roots, readsDisk: true)
  }

  /// The world has to consist of plain folders.
  func checkLookup() throws(MapError) {
    if list != nil { throw .noLookup(because: .list) }
    if scan.followsLinks { throw .noLookup(because: .links) }
  }
}

private final class EndFlag: Sendable {
  private let state = Mutex(false)

  var isSet: Bool { state.withLock { $0 } }
  func set() { state.withLock { $0 = true } }
}
