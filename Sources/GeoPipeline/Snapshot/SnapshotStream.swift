import GeoFormats
import GeoSources
import GeoSystem
import GeoTree

/// A snapshot as it is being written: chunks of bytes, in the order in which they are to be written.
///
/// A reader that is slow slows the scan; one that stops, stops it.
public struct SnapshotStream: AsyncSequence, Sendable {
  /// Part of the snapshot.
  public typealias Element = MapChunk

  let header: SnapshotHeader
  let batches: ScanBatches<SnapshotVisitor.Content>
  let pool: ChunkPool

  /// Reads the snapshot from its beginning; it can be read once.
  public func makeAsyncIterator() -> Iterator {
    Iterator(
      writer: SnapshotWriter(header), batches: batches.makeAsyncIterator(), pool: pool)
  }

  /// Reads chunks.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate var writer: SnapshotWriter
    fileprivate var batches: ScanBatches<SnapshotVisitor.Content>.Iterator
    fileprivate let pool: ChunkPool
    private var isTreeDone = false

    fileprivate init(
      writer: SnapshotWriter, batches: ScanBatches<SnapshotVisitor.Content>.Iterator,
      pool: ChunkPool
    ) {
      self.writer = writer
      self.batches = batches
      self.pool = pool
    }

    /// The next chunk; nil at the end.
    ///
    /// - Throws: `CancellationError` if the task was cancelled, `SnapshotWritingError`.
    public mutating func next() async throws -> MapChunk? { try await next(isolation: nil) }

    /// The next chunk; nil at the end.
    ///
    /// - Throws: `CancellationError` if the task was cancelled, `SnapshotWritingError`.
    public mutating func next(isolation actor: isolated (any Actor)?) async throws -> MapChunk? {
      if !isTreeDone {
        if let batch = try await batches.next(isolation: actor) {
          try writer.add(batch.content.part, faults: batch.faults)
          return chunk(
            writer.takeOutput(), batch.content.summary, faults: batch.faults, place: batch.place)
        }
        try writer.finishTree()
        isTreeDone = true
        return chunk(writer.takeOutput(), MapSummary())
      }
      let end = try writer.takeEnd()
      return end.isEmpty ? nil : chunk(end, MapSummary())
    }

    private func chunk(
      _ bytes: [UInt8], _ summary: MapSummary, faults: [ScanFault] = [], place: [UInt8] = []
    ) -> MapChunk {
      let storage = ChunkStorage(capacity: bytes.count)
      storage.buffer.append(bytes.span)
      return MapChunk(storage, summary: summary, faults: faults, place: place, pool: pool)
    }
  }
}

extension MapPipeline {
  /// Begins to take a snapshot.
  ///
  /// All that can be wrong with a request is found here, before a byte is written.
  ///
  /// - Throws: ``MapError``.
  package static func openSnapshot(
    _ request: SnapshotRequest
  ) async throws(MapError) -> SnapshotStream {
    if let conflict = request.conflict { throw .conflict(conflict) }
    let roots = try WorldRoots.checked(request.roots, areThere: request.list == nil)
    var header = SnapshotHeader(
      roots: roots.map { SnapshotHeader.Root(label: $0.label, directory: $0.directory) })
    header.seconds = request.seconds
    header.nanoseconds = request.nanoseconds
    header.options = request.keptOptions
    header.describe(roots, areListed: request.list != nil)
    return SnapshotStream(
      header: header, batches: try await batches(request, roots), pool: ChunkPool())
  }

  static func batches(
    _ request: SnapshotRequest, _ roots: [ScanRoot]
  ) async throws(MapError) -> ScanBatches<SnapshotVisitor.Content> {
    let list = try MapJob.open(request.list, roots: roots.count)
    let git = request.selection.usesGitignore ? GitRules() : nil
    let scopes = git.map { git in roots.map { git.scope(around: $0) } } ?? []
    let makeVisitor = { @Sendable [selection = request.selection] in
      SnapshotVisitor(selection: selection, git: git, scopes: scopes)
    }
    let plan = SnapshotPlan(depth: 0)
    var options = request.scan
    options.readsMetadata = true
    options.asksForStorage = true
    do {
      if let list {
        let root = ListRoot(label: roots[0].label, prefix: roots[0].directory)
        return try list.scan(root, plan: plan, visitor: makeVisitor)
      }
      return try await FileSystemScanner(options: options)
        .scan(roots, plan: plan, visitor: makeVisitor)
    } catch {
      throw MapError(error)
    }
  }
}

extension SnapshotHeader {
  /// Says what it was taken of, and what that knows.
  fileprivate mutating func describe(_ roots: [ScanRoot], areListed: Bool) {
    if areListed {
      (origin, knowledge) = (.list, [])
      return
    }
    let records = roots.compactMap { ($0.source as? any RecordedSource)?.record }
    guard records.count == roots.count else { return }
    let snapshots = records.compactMap(\.header)
    if let first = snapshots.first, snapshots.count == records.count {
      // A snapshot of snapshots is of what they were of.
      origin = first.origin
      knowledge = snapshots.reduce([]) { $0.union($1.knowledge) }
      for snapshot in snapshots { options = snapshot.options + options }
      // What is left out by name is no more for others than what is shown by another one.
      if records.contains(where: \.isRedacted) {
        options = options.map { Array($0.prefix { $0 != UInt8(ascii: "=") }) }
      }
    } else if snapshots.isEmpty {
      (origin, knowledge) = (.git, [])
      // It is of when it was committed, whenever it is taken.
      if let newest = records.compactMap(\.committed).max() { (seconds, nanoseconds) = (newest, 0) }
    }
  }
}

/// What a snapshot is to be taken of.
package struct SnapshotRequest: Sendable {
  /// The folders, each under a label of its own.
  package var roots: [ScanRoot]
  /// A list to read in place of a disk; there is one root then, whose folder need not be there.
  package var list: ListSource?
  /// Which entries are entered and asked for metadata; of the others, names and kinds are kept.
  package var selection = Selection()
  /// How the folders are read.
  package var scan = FileSystemScanner.Options()
  /// When it is taken, in Unix seconds.
  package var seconds: Int64 = 0
  /// Nanoseconds of that time beyond the second.
  package var nanoseconds: UInt32 = 0
  /// The options that decide what is in it, as they were given, to be kept in it; if empty, those that say the
  /// same are kept.
  package var options: [[UInt8]] = []

  /// A snapshot of the given folders.
  package init(roots: [ScanRoot]) { self.roots = roots }
}

extension SnapshotRequest {
  /// What is kept of the options.
  var keptOptions: [[UInt8]] {
    if !options.isEmpty { return options }
    var kept = selection.conditions
    if scan.staysOnFileSystem { kept.append(KeptCondition(.oneFileSystem)) }
    if scan.followsLinks { kept.append(KeptCondition(.follow)) }
    return kept.map(\.text)
  }

  /// The first two things that can't be asked for together; nil if all can.
  package var conflict: MapConflict? {
    var request = MapRequest(roots: roots)
    request.list = list
    request.selection = selection
    request.scan = scan
    return request.conflict
  }
}

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
  package static func index(
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
  package static func index(
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
