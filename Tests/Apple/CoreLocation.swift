// swift-format-ignore-file
// Declarations of what is used of Core Location, after Apple's documentation
// (developer.apple.com/documentation/corelocation). Nothing here does anything: they are there to
// check types against.

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
