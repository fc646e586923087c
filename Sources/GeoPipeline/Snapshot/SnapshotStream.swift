import GeoCore
import GeoFormats
import GeoSources
import GeoSystem
import GeoTree

/// A snapshot as chunks of bytes, in the order in which they are written.
///
/// A slow reader slows the scan; a reader that stops ends it.
package struct SnapshotStream: AsyncSequence, Sendable {
  package typealias Element = MapChunk

  let header: SnapshotHeader
  let batches: ScanBatches<SnapshotVisitor.Content>
  let pool: ChunkPool
  package var ends = BlockEnds()
  var effort = Deflater.Effort.swift

  package func makeAsyncIterator() -> Iterator {
    Iterator(
      writer: SnapshotWriter(header, ends: ends, effort: effort),
      batches: batches.makeAsyncIterator(), pool: pool)
  }

  package struct Iterator: AsyncIteratorProtocol {
    fileprivate var writer: SnapshotWriter
    fileprivate var batches: ScanBatches<SnapshotVisitor.Content>.Iterator
    fileprivate let pool: ChunkPool
    fileprivate var isTreeDone = false

    package mutating func next() async throws -> MapChunk? { try await next(isolation: nil) }

    /// - Throws: `CancellationError` if the task was cancelled, `SnapshotError`.
    package mutating func next(isolation actor: isolated (any Actor)?) async throws -> MapChunk? {
      guard let (bytes, batch, _) = try await nextPart(isolation: actor) else { return nil }
      let storage = ChunkStorage(capacity: bytes.count)
      storage.buffer.append(bytes.span)
      return MapChunk(
        storage, summary: batch?.content.summary ?? MapSummary(), faults: batch?.faults ?? [],
        place: batch?.place ?? [], pool: pool)
    }

    /// The next bytes, with the batch that they hold, if any, and those of its faults that belong to
    /// no entry.
    fileprivate mutating func nextPart(isolation actor: isolated (any Actor)?) async throws -> (
      bytes: [UInt8], batch: ScanBatch<SnapshotVisitor.Content>?, others: [ScanFault]
    )? {
      if isTreeDone {
        let end = try writer.takeEnd()
        return end.isEmpty ? nil : (end, nil, [])
      }
      let batch = try await batches.next(isolation: actor)
      var others: [ScanFault] = []
      if let batch {
        others = try writer.add(batch.content.part, faults: batch.faults)
      } else {
        try writer.finishTree()
        isTreeDone = true
      }
      return (writer.takeOutput(), batch, others)
    }
  }
}

extension MapPipeline {
  /// Every fault of the request is found here, before a byte is written.
  package static func openSnapshot(
    _ request: SnapshotRequest
  ) async throws(MapError) -> SnapshotStream {
    if let conflict = request.conflict { throw .conflict(conflict) }
    let roots = try WorldRoots.checked(request.roots, areThere: true)
    var header = SnapshotHeader(
      roots: roots.map { SnapshotHeader.Root(label: $0.label, directory: $0.directory) })
    header.seconds = request.seconds
    header.nanoseconds = request.nanoseconds
    header.options = request.keptOptions
    header.describe(roots)
    return SnapshotStream(
      header: header, batches: try await batches(request, roots, header.knowledge),
      pool: ChunkPool(), effort: request.effort)
  }

  /// Starts the snapshot of a whole tree from those of its parts.
  package static func openJoined(
    _ source: JoinedSource, scan: FileSystemScanner.Options
  ) async throws(MapError) -> SnapshotStream {
    var request = SnapshotRequest(roots: source.roots)
    request.scan = scan
    let header = source.header
    return SnapshotStream(
      header: header, batches: try await batches(request, source.roots, header.knowledge),
      pool: ChunkPool())
  }

  private static func batches(
    _ request: SnapshotRequest, _ roots: [ScanRoot], _ knowledge: FactKnowledge
  ) async throws(MapError) -> ScanBatches<SnapshotVisitor.Content> {
    var options = request.scan
    options.selection = request.selection
    options.readsMetadata = true
    // Listings mark further names of files by their storage.
    options.asksForStorage = !knowledge.isEmpty || !roots.allSatisfy(\.source.isLive)
    do {
      return try await FileSystemScanner(options: options)
        .scan(roots, plan: SnapshotPlan(depth: 0), visitor: SnapshotVisitor.init)
    } catch {
      throw .noThread(error)
    }
  }
}

extension SnapshotHeader {
  /// Records the origin of the sources and the facts that they know.
  fileprivate mutating func describe(_ roots: [ScanRoot]) {
    let records = roots.compactMap(\.source.record)
    guard let first = records.first, records.count == roots.count,
      records.allSatisfy({ $0.isKept == first.isKept })
    else { return }
    // A snapshot of snapshots describes the original sources.
    origin = first.origin
    knowledge = records.reduce([]) { $0.union($1.knowledge) }
    // The roots of one snapshot share its options.
    var described: Set<ObjectIdentifier> = []
    for (root, record) in zip(roots, records)
    where described.insert(ObjectIdentifier(root.source.whole)).inserted {
      options = record.options + options
    }
    // Excluded and redacted names must not appear in the options, so only their keys are kept.
    if first.isKept, records.contains(where: \.isRedacted) {
      options = options.map { Array($0.prefix { $0 != UInt8(ascii: "=") }) }
    }
    // A revision's time is that of its commit, not that of the snapshot.
    if let newest = records.compactMap(\.committed).max() { (seconds, nanoseconds) = (newest, 0) }
  }
}

/// What to take a snapshot of.
package struct SnapshotRequest: TreeRequest, Sendable {
  package var roots: [ScanRoot]
  /// Which entries are entered and asked for metadata; of the others, only names and kinds are
  /// kept.
  package var selection = Selection()
  package var scan = FileSystemScanner.Options()
  /// The time of the snapshot, in Unix seconds.
  package var seconds: Int64 = 0
  package var nanoseconds: UInt32 = 0
  /// The options that decide its contents, as they were given; if empty, equivalent ones are kept.
  package var options: [[UInt8]] = []

  package var effort = Deflater.Effort.swift

  package init(roots: [ScanRoot]) { self.roots = roots }
}

extension SnapshotRequest {
  var keptOptions: [[UInt8]] {
    if !options.isEmpty { return options }
    var kept = selection.conditions
    if scan.staysOnFileSystem { kept.append(KeptCondition(.oneFileSystem)) }
    if scan.followsLinks { kept.append(KeptCondition(.follow)) }
    return kept.map(\.text)
  }

  package func conflict(with list: ListSource?) -> MapError.Conflict? {
    var request = MapRequest(roots: roots)
    request.selection = selection
    request.scan = scan
    return request.conflict(with: list)
  }
}

extension MapPipeline {
  /// Keeps a tree as a snapshot in a scratch file, which is deleted with the roots, however the
  /// process ends.
  ///
  /// It makes a sequential source, such as a list, readable more than once and by single path.
  ///
  /// - Parameter report: Called with faults that belong to no entry of the snapshot. The roots report
  ///   the others whenever they are read.
  package static func index(
    _ request: SnapshotRequest, report: ([ScanFault]) -> Void
  ) async throws -> [ScanRoot] {
    let name = Array("a scratch file".utf8)
    let stream = try await openSnapshot(request)
    do {
      let scratch = try ScratchFile()
      try await write(
        stream, reporting: { _, others in if !others.isEmpty { report(others) } },
        to: { (bytes) throws(Errno) in try scratch.append(bytes.span) })
      return try Snapshot(in: scratch, named: name).scanRoots()
    } catch let error as ListError {
      throw MapError.list(error)
    } catch let reason as Errno {
      throw MapError.noScratch(reason)
    } catch SnapshotError.tooLarge {
      throw MapError.list(.tooLarge(list: String(decoding: name, as: UTF8.self)))
    } catch SnapshotError.noScratch(let reason), SnapshotError.unreadable(_, let reason) {
      throw MapError.noScratch(reason)
    }
  }

  /// `report` gets each batch, and its faults that belong to no entry.
  private static func write(
    _ stream: SnapshotStream,
    reporting report: (ScanBatch<SnapshotVisitor.Content>, [ScanFault]) -> Void,
    to append: ([UInt8]) throws(Errno) -> Void
  ) async throws {
    var parts = stream.makeAsyncIterator()
    while let (bytes, batch, others) = try await parts.nextPart(isolation: nil) {
      if let batch { report(batch, others) }
      try append(bytes)
    }
  }

  package static func keep(
    _ request: SnapshotRequest, in draft: KeptDraft, report: ([ScanFault]) -> Void
  ) async throws -> SnapshotHeader {
    let stream = try await openSnapshot(request)
    do {
      try await write(
        stream,
        reporting: { batch, _ in
          draft.sums.files += Int64(batch.content.summary.files)
          draft.sums.folders += Int64(batch.content.summary.folders)
          draft.sums.add(batch.content.part)
          if !batch.faults.isEmpty { report(batch.faults) }
        },
        to: { (bytes) throws(Errno) in try draft.append(bytes.span) })
    } catch let reason as Errno {
      throw draft.failure(reason)
    }
    return stream.header
  }
}
