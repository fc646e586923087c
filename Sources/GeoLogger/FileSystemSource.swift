import Foundation
import GeoCore
import GeoLive
import GeoSystem
import GeoTree

/// A source of file system events, each at its entry's place on the map (Linux only).
public struct FileSystemSource: GeoLocationSource {
  private let folders: [(label: [UInt8], path: [UInt8])]

  /// Makes a source that watches folders.
  ///
  /// - Parameter folders: The labels of the folders on the map, and the folders.
  public init(_ folders: [(label: String, folder: URL)]) {
    self.folders = folders.map { (Array($0.label.utf8), Array($0.folder.pathText.utf8)) }
  }

  /// Makes a source that watches one folder, labelled by its name.
  public init(_ folder: URL) {
    let name = folder.standardizedFileURL.lastPathComponent
    self.init([(label: name == "/" || name.isEmpty ? "root" : name, folder: folder)])
  }

  /// Watches until the task is cancelled.
  ///
  /// - Throws: ``GeoLoggerError`` if the folders can't be watched, or watching fails later.
  public func deliver(
    excluding directory: String?, to yield: @escaping @Sendable ([GeoLocation]) -> Void
  ) async throws {
    try await deliver(excluding: directory, onBegin: {}, to: yield)
  }

  /// `onBegin` is called when all folders are watched.
  func deliver(
    excluding directory: String?, onBegin: @escaping @Sendable () -> Void,
    to yield: @escaping @Sendable ([GeoLocation]) -> Void
  ) async throws {
    var configuration = Recorder.Configuration(
      roots: folders.map { ScanRoot(label: $0.label, directory: $0.path) })
    if let directory, let facts = try? FileSystem.rootFacts(Array(directory.utf8)) {
      configuration.ignored.insert(facts.identity)
    }
    let inbox = EventInbox()
    // Watching blocks, so it runs on its own thread.
    try await withTaskCancellationHandler {
      await GeoLoggerError.onOwnThread { [configuration] () throws(GeoLoggerError) in
        try Self.watch(configuration, inbox, onBegin, yield)
      }
    } onCancel: {
      inbox.put(.end(0))
    }.get()
  }

  private static func watch(
    _ configuration: Recorder.Configuration, _ inbox: EventInbox, _ onBegin: () -> Void,
    _ yield: @escaping @Sendable ([GeoLocation]) -> Void
  ) throws(GeoLoggerError) {
    let output = StreamedLocations(yield)
    let failure: String?
    do {
      let recorder = try Recorder(
        configuration, start: ThisProcess.nanoseconds,
        recordedAt: ThisProcess.unixNanoseconds / 1_000_000, to: output, through: inbox)
      try recorder.begin()
      onBegin()
      failure = recorder.run().failure
    } catch {
      throw GeoLoggerError(
        kind: error is Failure ? .system : .badConfiguration, description: "\(error)")
    }
    if let failure { throw GeoLoggerError(kind: .system, description: failure) }
  }

  private final class StreamedLocations: RecorderOutput {
    private let yield: @Sendable ([GeoLocation]) -> Void
    private var waiting: [GeoLocation] = []

    init(_ yield: @escaping @Sendable ([GeoLocation]) -> Void) { self.yield = yield }

    func add(_ event: RecordedEvent, at time: Int64) {
      if let location = event.location { waiting.append(location) }
      if waiting.count >= 256 { idle(at: time) }
    }

    func idle(at time: Int64) {
      if waiting.isEmpty { return }
      yield(waiting)
      waiting.removeAll(keepingCapacity: true)
    }
  }
}
