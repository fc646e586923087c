import GeoSources
import GeoTree
import GeoSystem

extension MapPipeline {
  /// Makes a list readable folder by folder: what is in it becomes a snapshot in a scratch file, which is
  /// gone with the roots, however the process ends.
  ///
  /// A list can be read from its beginning only; questions about single paths and places, and all that
  /// reads a tree twice, need more.
  ///
  /// - Parameters:
  ///   - list: The list.
  ///   - root: What it is about: a label, and in place of a folder what its paths begin with.
  ///   - report: Told which entries of the list can't be used. What could not be read when the list was
  ///     made is told by the roots whenever they are read.
  /// - Returns: The list's only root, as one that is read from the snapshot.
  /// - Throws: ``MapError``; `CancellationError` if the task was cancelled.
  /// - Complexity: As ``ListScanner``; some ten bytes of disk for each entry besides.
  public static func index(
    _ list: ListSource, as root: ScanRoot, report: ([ScanFault]) -> Void
  ) async throws -> [ScanRoot] {
    var request = SnapshotRequest(roots: [root])
    request.list = list
    return try await index(request, report: report)
  }

  /// Keeps what there is as a snapshot in a scratch file, which is gone with the roots, however the process
  /// ends.
  ///
  /// - Parameters:
  ///   - request: What is to be kept.
  ///   - report: Told what can't be used. What can't be read is told by the roots whenever they are
  ///     read.
  /// - Returns: The request's roots, as ones that are read from the snapshot.
  /// - Throws: ``MapError``; `CancellationError` if the task was cancelled.
  public static func index(
    _ request: SnapshotRequest, report: ([ScanFault]) -> Void
  ) async throws -> [ScanRoot] {
    let file = request.list?.file ?? Array("standard input".utf8)
    let name = request.list == nil ? Array("a scratch file".utf8) : file
    func noScratch(_ reason: Errno) -> MapError {
      request.list == nil ? .noScratch(reason) : .list(.noScratch(reason))
    }
    let stream = try await openSnapshot(request)
    do {
      let scratch = try ScratchFile()
      var writer = SnapshotWriter(stream.header)
      for try await batch in stream.batches {
        let others = try writer.add(batch.content.part, faults: batch.faults)
        if !others.isEmpty { report(others) }
        try scratch.append(writer.takeOutput().span)
      }
      try writer.finishTree()
      try scratch.append(writer.takeOutput().span)
      while true {
        let end = try writer.takeEnd()
        if end.isEmpty { break }
        try scratch.append(end.span)
      }
      return try Snapshot(in: scratch, named: name).scanRoots()
    } catch let error as ListError {
      throw MapError.list(error)
    } catch let error as FileSystemScanner.Failure {
      throw MapError(error)
    } catch let reason as Errno {
      throw noScratch(reason)
    } catch SnapshotWritingError.noScratch(let reason) {
      throw noScratch(reason)
    } catch SnapshotWritingError.tooLarge {
      throw MapError.list(.tooLarge(list: String(decoding: name, as: UTF8.self)))
    } catch SnapshotError.unreadable(_, let reason) {
      throw noScratch(reason)
    }
  }
}
