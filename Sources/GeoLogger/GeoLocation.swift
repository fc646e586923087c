import Foundation
import GeoCore
import GeoLive

#if canImport(CoreLocation)
  import CoreLocation
#endif

extension GeoLocation {
  /// Makes a location.
  ///
  /// - Parameters:
  ///   - longitude: Degrees east, clamped to −180 to 180.
  ///   - latitude: Degrees north, clamped to −90 to 90.
  ///   - date: The time, rounded to milliseconds.
  public init(longitude: Double, latitude: Double, date: Date) {
    self.init(
      longitude: longitude, latitude: latitude,
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
        longitude: location.coordinate.longitude, latitude: location.coordinate.latitude,
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

  /// With the properties that the initializers of Core Location don't take.
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
