import Foundation
import GeoSources
import GeoPipeline
import GeoTree
import GeoSystem

extension GeoWorld {
  /// A world of what was in some folders when a snapshot was taken of them.
  public init(snapshot: Snapshot) {
    self.init(
      roots: zip(snapshot.scanRoots(), snapshot.header.roots).map { (root, origin) in
        let folder = String(decoding: origin.directory, as: UTF8.self)
        var result = Root(
          label: "", folder: URL(filePath: folder, directoryHint: .isDirectory), source: root.source
        )
        result.rawLabel = root.label
        return result
      })
  }

  /// A world of what is in a revision of a repository.
  ///
  /// - Parameters:
  ///   - revision: What is mapped.
  ///   - label: The continent's name.
  public init(revision: GitRevision, label: String) {
    self.init(roots: [Root(label: label, folder: URL(filePath: "/"), source: revision)])
  }

  /// The same world with its ``list`` read once and put in order, into a scratch file that is gone with
  /// the world: as one that can be asked about single paths and places, and be read any number of times.
  ///
  /// - Parameter report: Told which entries of the list can't be used.
  /// - Returns: A world without a ``list``; the same one if it has none.
  /// - Throws: `MapError`; `CancellationError` if the task was cancelled.
  public func indexed(report: ([ScanFault]) -> Void = { _ in }) async throws -> GeoWorld {
    let request = try request().request
    guard let list = request.list else { return self }
    guard let root = request.roots.first, roots.count == 1 else {
      throw MapError.severalRootsOfList
    }
    var world = self
    world.list = nil
    world.roots[0].source =
      try await MapPipeline.index(list, as: root, report: report)[0].source
    return world
  }

  /// Begins to take a snapshot of the world: the bytes that `geomapper snapshot` writes, in chunks.
  ///
  /// What ``selection`` leaves out is kept as a name alone; ``filter`` plays no part.
  ///
  /// - Parameter now: When it is taken; of revisions alone, when they were committed counts.
  /// - Throws: As ``nodes()``.
  public func snapshot(now: Date = Date()) async throws(MapError) -> SnapshotStream {
    let world = try request().request
    var request = SnapshotRequest(roots: world.roots)
    request.list = world.list
    request.selection = world.selection
    request.scan = world.scan
    request.seconds = UnixTime.seconds(of: now)
    return try await MapPipeline.openSnapshot(request)
  }
}
