import Foundation
import GeoCore
import GeoLive
import GeoProjection
import GeoSystem
import GeoTree

#if canImport(CoreLocation)
  import CoreLocation
#endif

/// A place and a time, with the properties of a phone's location. For a file system, an entry that
/// an event has happened to.
public struct GeoLocation: Hashable, Sendable {
  var recorded: RecordedLocation

  /// Makes a location.
  ///
  /// - Parameters:
  ///   - latitude: Degrees north, clamped to −90 to 90.
  ///   - longitude: Degrees east, clamped to −180 to 180.
  ///   - timestamp: Unix time in milliseconds.
  public init(latitude: Double, longitude: Double, timestamp: Int64) {
    recorded = RecordedLocation(
      latitude: min(max(latitude, -90), 90), longitude: min(max(longitude, -180), 180),
      timestamp: timestamp)
  }

  init(_ recorded: RecordedLocation) { self.recorded = recorded }

  /// The latitude in degrees north, −90 to 90.
  public var latitude: Double { recorded.latitude }
  /// The longitude in degrees east, −180 to 180.
  public var longitude: Double { recorded.longitude }
  /// The Unix time in milliseconds.
  public var timestamp: Int64 { recorded.timestamp }
  /// The altitude in metres; for an entry, 100 times its depth.
  public var altitude: Double {
    get { recorded.altitude }
    set { recorded.altitude = newValue }
  }
  /// The radius of uncertainty in metres.
  public var horizontalAccuracy: Double {
    get { recorded.horizontalAccuracy }
    set { recorded.horizontalAccuracy = newValue }
  }
  /// The uncertainty of the altitude in metres.
  public var verticalAccuracy: Double {
    get { recorded.verticalAccuracy }
    set { recorded.verticalAccuracy = newValue }
  }
  /// The direction of travel in degrees clockwise from north; −1 if unknown. Recordings compute it.
  public var course: Double {
    get { recorded.course }
    set { recorded.course = newValue }
  }
  /// The speed in metres per second; −1 if unknown. Recordings compute it.
  public var speed: Double {
    get { recorded.speed }
    set { recorded.speed = newValue }
  }
  /// The uncertainty of the course in degrees; negative if unknown.
  public var courseAccuracy: Double {
    get { recorded.courseAccuracy }
    set { recorded.courseAccuracy = newValue }
  }
  /// The uncertainty of the speed in metres per second; negative if unknown.
  public var speedAccuracy: Double {
    get { recorded.speedAccuracy }
    set { recorded.speedAccuracy = newValue }
  }
  /// The height above the ellipsoid of WGS 84 in metres; for an entry, 100 times its depth.
  public var ellipsoidalAltitude: Double {
    get { recorded.ellipsoidalAltitude }
    set { recorded.ellipsoidalAltitude = newValue }
  }
  /// The floor of a building; for an entry, its depth.
  public var floor: Int? {
    get { recorded.floor.map { Int(clamping: $0) } }
    set { recorded.floor = newValue.map { Int64($0) } }
  }
  /// Whether software generated the location.
  public var isSimulatedBySoftware: Bool {
    get { recorded.isSimulated }
    set { recorded.isSimulated = newValue }
  }
  /// Whether an external accessory produced the location.
  public var isProducedByAccessory: Bool {
    get { recorded.isProducedByAccessory }
    set { recorded.isProducedByAccessory = newValue }
  }

  /// The path of an entry on the map, as bytes; nil for other locations.
  public var path: [UInt8]? { recorded.path }
  /// The path of an entry before it was moved; nil otherwise.
  public var previousPath: [UInt8]? { recorded.from }
  /// A change of an entry.
  public enum EntryChange: String, Hashable, Sendable, CaseIterable {
    /// It was created.
    case created
    /// Its content changed.
    case modified
    /// It was deleted.
    case deleted
    /// It was moved or renamed.
    case moved
    /// Its permissions or other attributes changed.
    case attributes
  }

  /// What happened to the entry; nil for other locations.
  public var entryChange: EntryChange? {
    recorded.change.flatMap { EntryChange(rawValue: $0.rawValue) }
  }

  /// The raw value of ``entryChange``.
  @available(*, deprecated, message: "use entryChange")
  public var change: String? { recorded.change?.rawValue }
  /// The size of a file in bytes; nil if unknown.
  public var size: Int? { recorded.size.map { Int(clamping: $0) } }
}

extension GeoLocation {
  /// Makes a location.
  ///
  /// - Parameters:
  ///   - latitude: Degrees north, clamped to −90 to 90.
  ///   - longitude: Degrees east, clamped to −180 to 180.
  ///   - date: The time, rounded to milliseconds.
  public init(latitude: Double, longitude: Double, date: Date) {
    self.init(
      latitude: latitude, longitude: longitude,
      timestamp: Int64(saturating: date.timeIntervalSince1970 * 1000))
  }

  /// The time.
  public var date: Date { Date(timeIntervalSince1970: Double(timestamp) / 1000) }
}

#if canImport(CoreLocation)
  extension GeoLocation {
    /// Converts a location of Core Location, with all its properties.
    public init(_ location: CLLocation) {
      self.init(
        latitude: location.coordinate.latitude, longitude: location.coordinate.longitude,
        date: location.timestamp)
      altitude = location.altitude
      horizontalAccuracy = location.horizontalAccuracy
      verticalAccuracy = location.verticalAccuracy
      course = location.course
      courseAccuracy = location.courseAccuracy
      speed = location.speed
      speedAccuracy = location.speedAccuracy
      ellipsoidalAltitude = location.ellipsoidalAltitude
      floor = location.floor.map { $0.level }
      isSimulatedBySoftware = location.sourceInformation?.isSimulatedBySoftware ?? false
      isProducedByAccessory = location.sourceInformation?.isProducedByAccessory ?? false
    }

    /// The location as Core Location has it, with all its properties. The time is rounded to
    /// milliseconds.
    public var coreLocation: CLLocation { RecordedCoreLocation(self) }
  }

  /// A location of Core Location with the properties that its initializers don't take.
  private final class RecordedCoreLocation: CLLocation, @unchecked Sendable {
    // Sendable: nothing changes after the initializer.
    private let recordedAltitude: CLLocationDistance
    private let recordedFloor: CLFloor?

    init(_ location: GeoLocation) {
      recordedAltitude = location.ellipsoidalAltitude
      recordedFloor = location.floor.map { RecordedFloor($0) }
      super.init(
        coordinate: CLLocationCoordinate2D(
          latitude: location.latitude, longitude: location.longitude),
        altitude: location.altitude, horizontalAccuracy: location.horizontalAccuracy,
        verticalAccuracy: location.verticalAccuracy, course: location.course,
        courseAccuracy: location.courseAccuracy, speed: location.speed,
        speedAccuracy: location.speedAccuracy,
        timestamp: Date(timeIntervalSince1970: Double(location.timestamp) / 1000),
        sourceInfo: CLLocationSourceInformation(
          softwareSimulationState: location.isSimulatedBySoftware,
          andExternalAccessoryState: location.isProducedByAccessory))
    }

    required init?(coder: NSCoder) { nil }

    override var ellipsoidalAltitude: CLLocationDistance { recordedAltitude }
    override var floor: CLFloor? { recordedFloor }
  }

  /// A floor with a given level.
  private final class RecordedFloor: CLFloor, @unchecked Sendable {
    // Sendable: nothing changes after the initializer.
    private let recordedLevel: Int

    init(_ level: Int) {
      recordedLevel = level
      super.init()
    }

    required init?(coder: NSCoder) { nil }

    override var level: Int { recordedLevel }
  }
#endif

/// A source of locations.
public protocol GeoLocationSource: Sendable {
  /// Yields locations until there are no more, or the task is cancelled.
  ///
  /// - Parameters:
  ///   - directory: The folder that the logger writes into, if any; events in it are left out.
  ///   - yield: Called with locations, in order of time.
  func deliver(
    excluding directory: String?, to yield: @escaping @Sendable ([GeoLocation]) -> Void
  ) async throws
}

/// A source that passes on the locations of a sequence.
public struct SequenceSource<Base: AsyncSequence & Sendable>: GeoLocationSource
where Base.Element == GeoLocation {
  private let base: Base

  /// Makes a source of a sequence.
  public init(_ base: Base) { self.base = base }

  /// Yields the locations one by one.
  public func deliver(
    excluding directory: String?, to yield: @escaping @Sendable ([GeoLocation]) -> Void
  ) async throws {
    for try await location in base {
      try Task.checkCancellation()
      yield([location])
    }
  }
}

/// A source of file system events, each at its entry's place on the map (Linux only).
public struct FileSystemSource: GeoLocationSource {
  private let folders: [(label: [UInt8], path: [UInt8])]

  /// Makes a source that watches folders.
  ///
  /// - Parameter folders: The labels of the folders on the map, and their paths.
  public init(_ folders: [(label: String, path: String)]) {
    self.folders = folders.map { (Array($0.label.utf8), Array($0.path.utf8)) }
  }

  /// Watches until the task is cancelled.
  ///
  /// - Throws: ``GeoLoggerError`` if the folders can't be watched, or watching fails later.
  public func deliver(
    excluding directory: String?, to yield: @escaping @Sendable ([GeoLocation]) -> Void
  ) async throws {
    var configuration = Recorder.Configuration(
      roots: folders.map { ScanRoot(label: $0.label, directory: $0.path) })
    if let directory, let facts = try? FileSystem.rootFacts(Array(directory.utf8)) {
      configuration.ignored.insert(facts.identity)
    }
    let inbox = EventInbox()
    // Watching blocks, so it runs on its own thread.
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
        return GeoLoggerError(
          kind: .system, description: "the system has stopped reporting: \(reason)")
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

  /// Passes on the locations of events, in batches.
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

extension FileSystemSource {
  /// Makes a source that watches folders.
  ///
  /// - Parameter folders: The labels of the folders on the map, and the folders.
  public init(_ folders: [(label: String, folder: URL)]) {
    self.init(folders.map { (label: $0.label, path: $0.folder.pathText) })
  }

  /// Makes a source that watches one folder, labelled by its name.
  public init(_ folder: URL) {
    let name = folder.standardizedFileURL.lastPathComponent
    self.init([(label: name == "/" || name.isEmpty ? "root" : name, path: folder.pathText)])
  }
}
