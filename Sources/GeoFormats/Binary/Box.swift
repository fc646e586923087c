import GeoProjection

/// A box in degrees.
struct Box: Equatable {
  var west = Double.infinity
  var south = Double.infinity
  var east = -Double.infinity
  var north = -Double.infinity

  var width: Double { east - west }
  var height: Double { north - south }
  var middle: (Double, Double) { ((west + east) / 2, (south + north) / 2) }

  @inline(__always)
  mutating func add(longitude: Double, latitude: Double) {
    if longitude < west { west = longitude }
    if longitude > east { east = longitude }
    if latitude < south { south = latitude }
    if latitude > north { north = latitude }
  }

  mutating func add(_ other: Box) {
    west = min(west, other.west)
    south = min(south, other.south)
    east = max(east, other.east)
    north = max(north, other.north)
  }
}

extension Box {
  /// The box around a ring; empty without positions.
  init(_ ring: [Coordinate], _ degrees: BinaryDegrees) {
    self.init()
    for position in ring {
      add(longitude: degrees(position.longitude), latitude: degrees(position.latitude))
    }
  }
}
