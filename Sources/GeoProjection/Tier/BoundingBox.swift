/// A box of the map between two meridians and two parallels, including its edges.
///
/// If its western edge is east of its eastern one, it crosses the antimeridian, as in RFC 7946.
public struct BoundingBox: Sendable, Hashable {
  /// Degrees east of the western edge, −180 to 180.
  public var west: Double
  /// Degrees north of the southern edge, −90 to 90.
  public var south: Double
  /// Degrees east of the eastern edge, −180 to 180.
  public var east: Double
  /// Degrees north of the northern edge, not below ``south``.
  public var north: Double

  /// A box with its edges in degrees.
  public init(west: Double, south: Double, east: Double, north: Double) {
    self.west = west
    self.south = south
    self.east = east
    self.north = north
  }

  /// Whether a point, as printed, is in the box.
  public func meets(_ point: Coordinate, digits: UInt8) -> Bool {
    let place = point.degrees(digits: digits)
    return meets(
      west: place.longitude, south: place.latitude, east: place.longitude, north: place.latitude)
  }

  /// Whether the bounding box of a ring, as printed, meets the box.
  ///
  /// - Parameter ring: At least one vertex.
  public func meets(_ ring: [Coordinate], digits: UInt8) -> Bool {
    guard let corners = Coordinate.corners(of: ring) else { return false }
    let southWest = corners.southWest.degrees(digits: digits)
    let northEast = corners.northEast.degrees(digits: digits)
    return meets(
      west: southWest.longitude, south: southWest.latitude,
      east: northEast.longitude, north: northEast.latitude)
  }

  private func meets(west x0: Double, south y0: Double, east x1: Double, north y1: Double) -> Bool {
    guard y0 <= north, y1 >= south else { return false }
    if west <= east { return x0 <= east && x1 >= west }
    return x1 >= west || x0 <= east
  }
}

extension BoundingBox {
  /// Parses `W,S,E,N`: decimal degrees without spaces; exponents are allowed.
  public init(parsing text: [UInt8]) throws(BoundingBoxError) {
    let parts = text.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
    if parts.count != 4 { throw .wrongCount(text.isEmpty ? 0 : parts.count) }
    func number(_ index: Int, _ edge: BoundingBoxError.Edge) throws(BoundingBoxError) -> Double {
      guard let number = Self.number(parts[index]) else { throw .notANumber(edge) }
      return number
    }
    self.init(
      west: try number(0, .west), south: try number(1, .south),
      east: try number(2, .east), north: try number(3, .north))
    if !(-180...180).contains(west) { throw .outOfRange(.west) }
    if !(-90...90).contains(south) { throw .outOfRange(.south) }
    if !(-180...180).contains(east) { throw .outOfRange(.east) }
    if !(-90...90).contains(north) { throw .outOfRange(.north) }
    if south > north { throw .southAboveNorth }
  }

  /// Parses a decimal number of degrees; nil if the text isn't one.
  package static func degrees(_ text: ArraySlice<UInt8>) -> Double? { number(text) }

  /// Parses a decimal number: an optional sign, digits with an optional point, and an optional
  /// exponent.
  static func number(_ text: ArraySlice<UInt8>) -> Double? {
    var rest = text
    func takeSign() {
      if rest.first == UInt8(ascii: "-") || rest.first == UInt8(ascii: "+") { rest.removeFirst() }
    }
    func takeDigits() -> Int {
      let digits = rest.prefix { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
      rest = rest.dropFirst(digits.count)
      return digits.count
    }
    takeSign()
    var digits = takeDigits()
    if rest.first == UInt8(ascii: ".") {
      rest.removeFirst()
      digits += takeDigits()
    }
    if digits == 0 { return nil }
    if rest.first.map({ $0 | 0x20 }) == UInt8(ascii: "e") {
      rest.removeFirst()
      takeSign()
      if takeDigits() == 0 { return nil }
    }
    // The grammar is checked here, because `Double` also accepts `nan`, `inf` and `0x`.
    return rest.isEmpty ? Double(String(decoding: text, as: UTF8.self)) : nil
  }
}

/// Why a text is not a bounding box.
public enum BoundingBoxError: Error, Hashable, Sendable {
  /// An edge of a box.
  public enum Edge: String, Sendable {
    /// The first number.
    case west
    /// The second number.
    case south
    /// The third number.
    case east
    /// The fourth number.
    case north
  }

  /// The number of parts between commas, which must be four.
  case wrongCount(Int)
  /// A part is not a decimal number.
  case notANumber(Edge)
  /// A longitude is beyond ±180, or a latitude beyond ±90.
  case outOfRange(Edge)
  /// The southern edge is north of the northern one.
  case southAboveNorth
}

extension BoundingBoxError: CustomStringConvertible {
  /// The reason as a phrase that can follow a colon.
  public var description: String {
    switch self {
    case .wrongCount(let count):
      return "four numbers are needed (west, south, east, north), not \(count)"
    case .notANumber(let edge): return "\(edge.rawValue) is not a number"
    case .outOfRange(let edge):
      let limit = edge == .west || edge == .east ? 180 : 90
      return "\(edge.rawValue) must be from -\(limit) to \(limit)"
    case .southAboveNorth: return "south must not be above north"
    }
  }
}
