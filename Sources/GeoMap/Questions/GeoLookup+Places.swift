import GeoAtlas
import GeoProjection

/// What is at a place of the map.
public struct PlaceContents: Hashable, Sendable {
  /// A file near the place.
  public struct Near: Hashable, Sendable {
    /// The file.
    public let node: GeoNode
    /// Metres along the great circle, on a sphere of radius ``GeoCoordinate/earthRadius``.
    public let distance: Double
  }

  /// The deepest folders whose coast lines hold the place, each the last of its own line of ancestors
  /// from the root on.
  ///
  /// There is none at sea, one on land in layout `settled`, and in `pinned` as many as share the
  /// place.
  public let folders: [[GeoNode]]
  /// Files, the nearest first.
  public let files: [Near]

  /// Whether nothing is there.
  public var isEmpty: Bool { folders.isEmpty && files.isEmpty }
}

extension GeoLookup {
  /// What is at a place: the test of a coast line is exact, on the decimals as they are printed.
  ///
  /// Reads only the folders that hold the place; with a radius, those that are as near as that. For
  /// every file under layout `settled`, the contents of its place list it at distance 0, unless more
  /// files than `limit` are at the very same place.
  ///
  /// - Parameters:
  ///   - place: The place; one that is not finite has no contents.
  ///   - zoom: Only what is visible at this zoom counts; nil for all.
  ///   - limit: How many files are wanted.
  ///   - radius: How far they may be, in metres, whatever folder they are in; nil for those of the
  ///     deepest folders alone, however far, and of folders without land in these.
  public func contents(
    at place: GeoCoordinate, zoom: Int? = nil, limit: Int = 8, radius: Double? = nil
  ) -> PlaceContents {
    guard let point = ExactPoint(place) else { return PlaceContents(folders: [], files: []) }
    var query = PointQuery(point)
    query.zoom = zoom
    query.limit = max(0, limit)
    query.radius = radius.map { max(0, $0) }
    let answer = query.answer(in: world)
    return PlaceContents(
      folders: answer.folders.map { $0.map(node) },
      files: answer.files.compactMap { file in
        node(at: file.path).map { PlaceContents.Near(node: $0, distance: file.distance) }
      })
  }
}

extension GeoCoordinate {
  /// Metres: the mean radius of the earth's ellipsoid, by which distances are computed.
  public static let earthRadius = Sphere.radius

  /// Metres to another place along a great circle, by the haversine formula; not a number if one of
  /// them is not finite.
  public func distance(to other: GeoCoordinate) -> Double {
    guard let a = ExactPoint(self), let b = ExactPoint(other) else { return .nan }
    return Sphere.distance(a, b)
  }

  /// The direction in which a great circle leaves for another place, in degrees from north by east, 0
  /// to less than 360; nil where both are one, or one of them is not finite.
  public func bearing(to other: GeoCoordinate) -> Double? {
    guard let a = ExactPoint(self), let b = ExactPoint(other) else { return nil }
    return Sphere.bearing(from: a, to: b)
  }
}

extension ExactPoint {
  /// The place of a coordinate; nil if it is not finite.
  init?(_ place: GeoCoordinate) {
    guard place.longitude.isFinite, place.latitude.isFinite else { return nil }
    self.init(longitude: place.longitude, latitude: place.latitude)
  }
}
