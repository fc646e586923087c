// swift-format-ignore-file
// The declarations of Core Location that the project uses, after Apple's documentation
// (developer.apple.com/documentation/corelocation). They do nothing and only serve to check types.

import Foundation

public typealias CLLocationDegrees = Double
public typealias CLLocationDistance = Double
public typealias CLLocationAccuracy = Double
public typealias CLLocationDirection = Double
public typealias CLLocationDirectionAccuracy = Double
public typealias CLLocationSpeed = Double
public typealias CLLocationSpeedAccuracy = Double

public struct CLLocationCoordinate2D: Sendable {
  public var latitude: CLLocationDegrees
  public var longitude: CLLocationDegrees

  public init() { self.init(latitude: 0, longitude: 0) }

  public init(latitude: CLLocationDegrees, longitude: CLLocationDegrees) {
    self.latitude = latitude
    self.longitude = longitude
  }
}

open class CLFloor: NSObject {
  public override init() {}
  public required init?(coder: NSCoder) { nil }
  open var level: Int { 0 }
}

open class CLLocationSourceInformation: NSObject {
  public init(softwareSimulationState isSoftware: Bool, andExternalAccessoryState isAccessory: Bool) {}
  public required init?(coder: NSCoder) { nil }
  open var isSimulatedBySoftware: Bool { false }
  open var isProducedByAccessory: Bool { false }
}

open class CLLocation: NSObject {
  public init(
    coordinate: CLLocationCoordinate2D, altitude: CLLocationDistance,
    horizontalAccuracy hAccuracy: CLLocationAccuracy,
    verticalAccuracy vAccuracy: CLLocationAccuracy, course: CLLocationDirection,
    courseAccuracy: CLLocationDirectionAccuracy, speed: CLLocationSpeed,
    speedAccuracy: CLLocationSpeedAccuracy, timestamp: Date,
    sourceInfo: CLLocationSourceInformation
  ) {}
  public required init?(coder: NSCoder) { nil }
  open var coordinate: CLLocationCoordinate2D { CLLocationCoordinate2D() }
  open var altitude: CLLocationDistance { 0 }
  open var ellipsoidalAltitude: CLLocationDistance { 0 }
  open var horizontalAccuracy: CLLocationAccuracy { 0 }
  open var verticalAccuracy: CLLocationAccuracy { 0 }
  open var course: CLLocationDirection { 0 }
  open var courseAccuracy: CLLocationDirectionAccuracy { 0 }
  open var speed: CLLocationSpeed { 0 }
  open var speedAccuracy: CLLocationSpeedAccuracy { 0 }
  open var timestamp: Date { Date() }
  open var floor: CLFloor? { nil }
  open var sourceInformation: CLLocationSourceInformation? { nil }
}
