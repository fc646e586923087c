import GeoCore
import GeoLive
import GeoProjection
import GeoSystem
import GeoTree

#if canImport(CoreLocation)
  import CoreLocation
#endif

/// A place at a time, in the words of a phone; of the file system, an entry that something has happened
/// to.
public struct GeoLocation: Hashable, Sendable {
  var recorded: RecordedLocation

  /// A place.
  ///
  /// - Parameters:
  ///   - latitude: Degrees north, −90 to 90; what is beyond counts as these.
  ///   - longitude: Degrees east, −180 to 180; what is beyond counts as these.
  ///   - timestamp: Unix time in milliseconds.
  public init(latitude: Double, longitude: Double, timestamp: Int64) {
    recorded = RecordedLocation(
      latitude: min(max(latitude, -90), 90), longitude: min(max(longitude, -180), 180),
      timestamp: timestamp)
  }

  init(_ recorded: RecordedLocation) { self.recorded = recorded }

  /// Degrees north.
  public var latitude: Double { recorded.latitude }
  /// Degrees east.
  public var longitude: Double { recorded.longitude }
  /// Unix time in milliseconds.
  public var timestamp: Int64 { recorded.timestamp }
  /// Metres; of an entry 100 times its depth.
  public var altitude: Double {
    get { recorded.altitude }
    set { recorded.altitude = newValue }
  }
  /// Metres.
  public var horizontalAccuracy: Double {
    get { recorded.horizontalAccuracy }
    set { recorded.horizontalAccuracy = newValue }
  }
  /// Metres.
  public var verticalAccuracy: Double {
    get { recorded.verticalAccuracy }
    set { recorded.verticalAccuracy = newValue }
  }
  /// Degrees from north by east; −1 if there is no direction. A recording fills it in.
  public var course: Double {
    get { recorded.course }
    set { recorded.course = newValue }
  }
  /// Metres a second; −1 if it is not known. A recording fills it in.
  public var speed: Double {
    get { recorded.speed }
    set { recorded.speed = newValue }
  }
  /// The floor of a building; of an entry its depth.
  public var floor: Int? {
    get { recorded.floor.map { Int(clamping: $0) } }
    set { recorded.floor = newValue.map { Int64($0) } }
  }
  /// Whether a program has made it up.
  public var isSimulatedBySoftware: Bool {
    get { recorded.isSimulated }
    set { recorded.isSimulated = newValue }
  }

  /// The path of an entry on the map, as bytes; nil of any other place.
  public var path: [UInt8]? { recorded.path }
  /// The path before it was moved.
  public var previousPath: [UInt8]? { recorded.from }
  /// What became of an entry: `created`, `modified`, `deleted`, `moved` or `attributes`.
  public var change: String? { recorded.change?.rawValue }
  /// Bytes of a file.
  public var size: Int? { recorded.size.map { Int(clamping: $0) } }
}

#if canImport(CoreLocation)
  extension GeoLocation {
    /// A place that Core Location has found.
    public init(_ location: CLLocation) {
      self.init(
        latitude: location.coordinate.latitude, longitude: location.coordinate.longitude,
        timestamp: Int64(location.timestamp.timeIntervalSince1970 * 1000))
      altitude = location.altitude
      horizontalAccuracy = location.horizontalAccuracy
      verticalAccuracy = location.verticalAccuracy
      course = location.course
      speed = location.speed
      floor = location.floor.map { $0.level }
      recorded.courseAccuracy = location.courseAccuracy
      recorded.speedAccuracy = location.speedAccuracy
      recorded.ellipsoidalAltitude = location.ellipsoidalAltitude
    }
  }
#endif

/// Anything that yields places and times.
public protocol GeoLocationSource: Sendable {
  /// Yields places until there are no more, or the task is cancelled.
  ///
  /// - Parameters:
  ///   - directory: A folder in which the logger itself writes, if it does.
  ///   - yield: Takes places, in the order of time.
  func deliver(
    excluding directory: String?, to yield: @escaping @Sendable ([GeoLocation]) -> Void
  ) async throws
}

/// The places of a sequence, as the sequence yields them.
public struct SequenceSource<Base: AsyncSequence & Sendable>: GeoLocationSource
where Base.Element == GeoLocation {
  private let base: Base

  /// A source of what a sequence yields.
  public init(_ base: Base) { self.base = base }

  /// Yields one place after the other.
  public func deliver(
    excluding directory: String?, to yield: @escaping @Sendable ([GeoLocation]) -> Void
  ) async throws {
    for try await location in base {
      try Task.checkCancellation()
      yield([location])
    }
  }
}

/// What happens in folders, each event at its place on the map (Linux).
public struct FileSystemSource: GeoLocationSource {
  private let folders: [(label: [UInt8], path: [UInt8])]

  /// A source of what happens in some folders.
  ///
  /// - Parameter folders: Their labels on the map, and their paths.
  public init(_ folders: [(label: String, path: String)]) {
    self.folders = folders.map { (Array($0.label.utf8), Array($0.path.utf8)) }
  }

  /// Watches until the task is cancelled.
  ///
  /// - Throws: ``GeoLoggerError`` if the folders can't be watched, or not any more.
  public func deliver(
    excluding directory: String?, to yield: @escaping @Sendable ([GeoLocation]) -> Void
  ) async throws {
    var configuration = Recorder.Configuration(
      roots: folders.map { ScanRoot(label: $0.label, directory: $0.path) })
    if let directory, let facts = try? FileSystem.rootFacts(Array(directory.utf8)) {
      configuration.ignored.insert(facts.identity)
    }
    let inbox = EventInbox()
    // Watching blocks: a thread of its own does it.
    let failure: GeoLoggerError? = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        do throws(Errno) {
          try WorkerThread.start { [configuration] in
            continuation.resume(returning: Self.watch(configuration, inbox, yield))
          }
        } catch {
          continuation.resume(
            returning: GeoLoggerError(kind: .system, description: "no thread: \(error)"))
        }
      }
    } onCancel: {
      inbox.put(.end(0))
    }
    if let failure { throw failure }
  }

  private static func watch(
    _ configuration: Recorder.Configuration, _ inbox: EventInbox,
    _ yield: @escaping @Sendable ([GeoLocation]) -> Void
  ) -> GeoLoggerError? {
    let output = StreamedLocations(yield)
    do throws(RecorderError) {
      let recorder = try Recorder(
        configuration, start: ThisProcess.nanoseconds,
        recordedAt: ThisProcess.unixNanoseconds / 1_000_000, to: output, through: inbox)
      try recorder.begin()
      if case .failed(let reason) = recorder.run() {
        return GeoLoggerError(kind: .system, description: "the system tells no more: \(reason)")
      }
      return nil
    } catch {
      switch error {
      case .unmappable(let error):
        return GeoLoggerError(kind: .badConfiguration, description: "\(error)")
      case .unwatchable(let reason), .noThread(let reason):
        return GeoLoggerError(kind: .system, description: "can't watch folders: \(reason)")
      }
    }
  }

  /// Hands on the places of events.
  private final class StreamedLocations: RecorderOutput {
    private let yield: @Sendable ([GeoLocation]) -> Void
    private var waiting: [GeoLocation] = []

    init(_ yield: @escaping @Sendable ([GeoLocation]) -> Void) { self.yield = yield }

    func add(_ event: RecordedEvent, at time: Int64) {
      if let location = event.location { waiting.append(GeoLocation(location)) }
      if waiting.count >= 256 { rest(at: time) }
    }

    func rest(at time: Int64) {
      if waiting.isEmpty { return }
      yield(waiting)
      waiting.removeAll(keepingCapacity: true)
    }
  }
}
