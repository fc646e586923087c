// swift-format-ignore-file
// The declarations of Core Location that the project uses, after Apple's documentation
// (developer.apple.com/documentation/corelocation). They do nothing and only serve to check types.

public typealias CLLocationDegrees = Double

public struct CLLocationCoordinate2D: Sendable {
  public var latitude: CLLocationDegrees
  public var longitude: CLLocationDegrees

  public init() { self.init(latitude: 0, longitude: 0) }

  public init(latitude: CLLocationDegrees, longitude: CLLocationDegrees) {
    self.latitude = latitude
    self.longitude = longitude
  }
}
