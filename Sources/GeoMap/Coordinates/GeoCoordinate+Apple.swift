#if canImport(CoreLocation)
  import CoreLocation

  extension CLLocationCoordinate2D {
    /// The same place for Core Location.
    public init(_ coordinate: GeoCoordinate) {
      self.init(latitude: coordinate.latitude, longitude: coordinate.longitude)
    }
  }

  extension GeoCoordinate {
    /// The same place as Core Location tells it.
    public init(_ coordinate: CLLocationCoordinate2D) {
      self.init(longitude: coordinate.longitude, latitude: coordinate.latitude)
    }
  }
#endif

#if canImport(MapKit)
  import MapKit

  extension MKMapPoint {
    /// The same place on MapKit's flat map.
    public init(_ coordinate: GeoCoordinate) { self.init(CLLocationCoordinate2D(coordinate)) }
  }
#endif
