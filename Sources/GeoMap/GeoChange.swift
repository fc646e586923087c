import Foundation
import GeoChange
import GeoCore
import GeoLive
import GeoPipeline
import GeoProjection
import GeoSystem
import GeoTree

/// A change of a file or folder: between two states of a tree, or while a world is watched.
public struct GeoChange: Hashable, Sendable {
  /// What happened.
  public enum Kind: Hashable, Sendable, CaseIterable {
    /// It is new.
    case appeared
    /// It was removed.
    case gone
    /// The file has more bytes.
    case grew
    /// The file has fewer bytes.
    case shrank
    /// It has other content or attributes; its size, in the measure, is the same or unknown.
    case changed
    /// It was moved or renamed. What is in a moved folder moved, too.
    case moved
  }

  /// What happened.
  public let kind: Kind
  /// The path on the map, as bytes; after a move the new one.
  public let rawPath: [UInt8]
  /// The path before a move, as bytes; nil for other changes.
  public let rawOldPath: [UInt8]?
  /// The place on the map.
  public let coordinate: GeoCoordinate
  /// Whether it is a folder.
  public let isFolder: Bool
  /// The size of a file, or what it was if the file is gone; nil for folders, and if unknown.
  public let size: Int64?
  /// The bytes by which a file grew, negative if it shrank or is gone; nil for folders, and if
  /// unknown. A file that was moved over another one has that one's bytes as its loss, so that all
  /// growths add up to the change of the whole.
  public let growth: Int64?

  /// The path as text; invalid UTF-8 becomes U+FFFD.
  public var path: String { String(decoding: rawPath, as: UTF8.self) }
  /// The path before a move as text; nil for other changes.
  public var oldPath: String? { rawOldPath.map { String(decoding: $0, as: UTF8.self) } }

  private init(
    _ kind: Kind, _ path: [UInt8], from old: [UInt8]?, at coordinate: GeoCoordinate,
    isFolder: Bool, size: Int64?, was: Int64?
  ) {
    rawPath = path
    rawOldPath = kind == .moved ? old : nil
    (self.coordinate, self.isFolder) = (coordinate, isFolder)
    self.size = isFolder ? nil : size
    let growth = Self.growth(kind, size, was)
    self.growth = isFolder ? nil : growth
    self.kind =
      kind != .changed || isFolder || (growth ?? 0) == 0 ? kind : growth ?? 0 > 0 ? .grew : .shrank
  }

  private static func growth(_ kind: Kind, _ size: Int64?, _ was: Int64?) -> Int64? {
    guard let size else { return nil }
    switch kind {
    case .appeared: return size
    case .gone: return 0 &- size
    default: return was.map { size &- $0 }
    }
  }

  init(_ change: PlacedChange) {
    let kind: Kind =
      switch change.change {
      case .added: .appeared
      case .removed, .left: .gone
      case .moved: .moved
      case .changed, .none: .changed
      }
    self.init(
      kind, change.path, from: change.from,
      at: GeoCoordinate(longitude: change.place.longitude, latitude: change.place.latitude),
      isFolder: change.isFolder, size: change.size, was: kind == .moved ? change.size : change.was)
  }

  init(_ event: HistoryEvents.Record) {
    let kind: Kind =
      switch event.change {
      case .added: .appeared
      case .removed: .gone
      case .moved: .moved
      default: .changed
      }
    self.init(
      kind, event.path, from: event.from,
      at: GeoCoordinate(longitude: event.longitude, latitude: event.latitude), isFolder: false,
      size: event.size, was: kind == .moved ? event.size : nil)
  }

  init(_ change: TreeChange, at location: GeoLocation) {
    let kind: Kind =
      switch change.what {
      case .created: .appeared
      case .deleted: .gone
      case .moved: .moved
      case .modified, .attributes: .changed
      }
    self.init(
      kind, change.path, from: change.from,
      at: GeoCoordinate(longitude: location.longitude, latitude: location.latitude),
      isFolder: change.isFolder, size: change.size, was: change.was)
  }
}

extension GeoWorld {
  /// Compares an earlier state with this one as ``changes(since:measure:limit:progress:report:)``, and
  /// returns every change.
  ///
  /// ```swift
  /// let old = try await GeoWorld(snapshot: URL(filePath: "monday.geosnap"))
  /// for try await change in try await GeoWorld(folder: URL(filePath: "/home")).allChanges(since: old) {
  ///   print(change.kind, change.path, change.coordinate)
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - old: The earlier state: folders, a snapshot, or a revision.
  ///   - measure: The measure of sizes, by default as ``liveChanges()`` has it; nil for room on disk if
  ///     both states know it.
  ///   - progress: Called after each batch of folders.
  ///   - report: Called with entries that could not be read, as they are found.
  /// - Returns: The changes in the order of the map: each folder comes before its files, and these
  ///   before its sub-folders. They can be read several times. Those that don't fit into memory are in
  ///   a scratch file, which is deleted with the sequence.
  /// - Throws: `GeoError` as ``nodes()``; `CancellationError` if the task was cancelled.
  /// - Complexity: O(entries of both states).
  public func allChanges(
    since old: GeoWorld, measure: GeoComparison.Measure? = .apparent,
    progress: @Sendable (GeoProgress) -> Void = { _ in },
    report: @Sendable ([ScanFault]) -> Void = { _ in }
  ) async throws -> some AsyncSequence<GeoChange, any Error> & Sendable {
    let (tree, engine) = try await compare(with: old, measure, progress: progress, report: report)
    return MadeSequence<GeoChange, any Error> { [showsFolders = selection.showsFolders] in
      var changes = EveryChange(tree, by: engine, showsFolders: showsFolders)
      // Of the current folder, the next one last.
      var waiting: [PlacedChange] = []
      return { _ in
        if waiting.isEmpty {
          try Task.checkCancellation()
          waiting = changes.nextFolder()?.reversed() ?? []
          if let failure = tree.failure { throw MapError.noScratch(failure) }
        }
        return waiting.popLast().map { GeoChange($0) }
      }
    }
  }

  /// Watches the folders, and yields what changes in them from now on (Linux only).
  ///
  /// ```swift
  /// for try await change in try await GeoWorld(folder: URL(filePath: "/home")).liveChanges() {
  ///   print(change.kind, change.path, change.growth ?? 0)
  /// }
  /// ```
  ///
  /// The folders are read once before this returns. Leaving the loop ends the watch. Entries that
  /// ``selection`` leaves out don't exist; ``filter`` has no effect.
  ///
  /// - Returns: The changes as they are found. They wait in memory until they are read. The sequence
  ///   throws `GeoError` if the system stops reporting, and, after the changes, when the last of the
  ///   roots was removed or moved away.
  /// - Throws: `GeoError` if the folders can't be read, if a root is
  ///   not on a disk, or the user's watches are used up.
  public func liveChanges() async throws -> AsyncThrowingStream<GeoChange, any Error> {
    try checkLookup()
    var configuration = Recorder.Configuration(
      roots: try MapPipeline.roots(try request().request.roots, readsDisk: true))
    if let root = configuration.roots.first(where: { !$0.source.isLive }) {
      throw MapError.unwatchable(
        "can't watch '\(TerminalText.escaped(root.directory))': not a folder on disk")
    }
    configuration.layout = layout
    configuration.selection = selection
    configuration.staysOnFileSystem = scan.staysOnFileSystem
    let inbox = EventInbox()
    let (stream, continuation) = AsyncThrowingStream.makeStream(of: GeoChange.self)
    continuation.onTermination = { _ in inbox.put(.end(0)) }
    // Watching blocks, so it runs on its own thread.
    try await withCheckedThrowingContinuation { (begun: CheckedContinuation<Void, any Error>) in
      do throws(Errno) {
        try WorkerThread.start(stackSize: 8 << 20) { [configuration] in
          Self.watch(configuration, inbox, to: continuation) { begun.resume(with: $0) }
        }
      } catch {
        begun.resume(throwing: MapError.noThread(error))
      }
    }
    return stream
  }

  /// Watches until a request in the inbox ends it. `onBegin` is called after the first reading, or
  /// when it fails.
  private static func watch(
    _ configuration: Recorder.Configuration, _ inbox: EventInbox,
    to continuation: AsyncThrowingStream<GeoChange, any Error>.Continuation,
    onBegin: (Result<Void, any Error>) -> Void
  ) {
    let recorder: Recorder
    let output = NoRecording()
    do {
      recorder = try Recorder(
        configuration, start: ThisProcess.nanoseconds,
        recordedAt: ThisProcess.unixNanoseconds / 1_000_000, to: output, through: inbox)
      recorder.onChange = { continuation.yield(GeoChange($0, at: $1)) }
      try recorder.begin()
    } catch {
      onBegin(.failure((error as? Failure).map { MapError.unwatchable($0.message) } ?? error))
      return continuation.finish()
    }
    onBegin(.success(()))
    continuation.finish(throwing: recorder.run().failure.map { MapError.unwatchable($0) })
  }

  /// The changes are passed on by themselves.
  private final class NoRecording: RecorderOutput {
    func add(_ event: RecordedEvent, at time: Int64) {}
    func idle(at time: Int64) {}
  }
}
