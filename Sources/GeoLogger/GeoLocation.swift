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
