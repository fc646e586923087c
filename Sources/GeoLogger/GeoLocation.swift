import GeoProjection
import GeoLive

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
