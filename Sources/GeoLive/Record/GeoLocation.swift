import GeoProjection

/// A place and a time, with the properties of a phone's location. For a file system, an entry that
/// an event has happened to.
public struct GeoLocation: Hashable, Sendable {
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

  /// The latitude in degrees north, −90 to 90.
  public package(set) var latitude: Double
  /// The longitude in degrees east, −180 to 180.
  public package(set) var longitude: Double
  /// The Unix time in milliseconds.
  public package(set) var timestamp: Int64
  /// The altitude in metres; for an entry, 100 times its depth.
  public var altitude: Double = 0
  /// The radius of uncertainty in metres; for an entry, 0 if it or its folder has land.
  public var horizontalAccuracy: Double = 0
  /// The uncertainty of the altitude in metres.
  public var verticalAccuracy: Double = 0
  /// The direction of travel in degrees clockwise from north; negative if unknown. For an entry, the
  /// direction from that of the event before.
  public var course: Double = -1
  /// The uncertainty of the course in degrees; negative if unknown.
  public var courseAccuracy: Double = 0
  /// The speed in metres per second; negative if unknown. For an entry, the speed since the event
  /// before.
  public var speed: Double = -1
  /// The uncertainty of the speed in metres per second; negative if unknown.
  public var speedAccuracy: Double = 0
  /// The height above the ellipsoid of WGS 84 in metres; for an entry, 100 times its depth.
  public var ellipsoidalAltitude: Double = 0
  /// The floor of a building; for an entry, its depth.
  public var floor: Int?
  /// Whether software generated the location.
  public var isSimulatedBySoftware = false
  /// Whether an external accessory produced the location.
  public var isProducedByAccessory = false

  /// The path of an entry on the map, as bytes; nil for other locations.
  public package(set) var rawPath: [UInt8]?
  /// The path of an entry before it was moved, as bytes; nil otherwise.
  public package(set) var rawOldPath: [UInt8]?
  /// The path of an entry as text, where invalid UTF-8 becomes U+FFFD; nil for other locations.
  public var path: String? { rawPath.map { String(decoding: $0, as: UTF8.self) } }
  /// The path of an entry before it was moved, as text; nil otherwise.
  public var oldPath: String? { rawOldPath.map { String(decoding: $0, as: UTF8.self) } }
  /// What happened to the entry; nil for other locations.
  public package(set) var entryChange: EntryChange?
  /// The size of a file in bytes; nil if unknown.
  public package(set) var size: Int?
  /// The entry's kind on the map; nil for other locations.
  package var kind: NodeKind?

  /// Makes a location.
  ///
  /// - Parameters:
  ///   - longitude: Degrees east, clamped to −180 to 180.
  ///   - latitude: Degrees north, clamped to −90 to 90.
  ///   - timestamp: Unix time in milliseconds.
  public init(longitude: Double, latitude: Double, timestamp: Int64) {
    self.latitude = min(max(latitude, -90), 90)
    self.longitude = min(max(longitude, -180), 180)
    self.timestamp = timestamp
  }
}
