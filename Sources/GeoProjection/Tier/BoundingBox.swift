/// A box of the map, between two meridians and two parallels, which belong to it.
///
/// A box whose western edge lies east of its eastern one crosses the antimeridian, as in RFC 7946.
public struct BoundingBox: Sendable, Hashable {
  /// Degrees east of the western edge, −180 to 180.
  public var west: Double
  /// Degrees north of the southern edge, −90 to 90.
  public var south: Double
  /// Degrees east of the eastern edge, −180 to 180.
  public var east: Double
  /// Degrees north of the northern edge, not below ``south``.
  public var north: Double

  /// A box of the given edges, in degrees.
  public init(west: Double, south: Double, east: Double, north: Double) {
    self.west = west
    self.south = south
    self.east = east
    self.north = north
  }

  /// Whether a point, as it is printed, is in the box.
  public func meets(_ point: Coordinate, digits: UInt8) -> Bool {
    let place = point.degrees(digits: digits)
    return meets(
      west: place.longitude, south: place.latitude, east: place.longitude, north: place.latitude)
  }

  /// Whether the bounding box of a ring, as it is printed, meets the box.
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
  /// Reads `W,S,E,N`: decimal numbers of degrees, exponents allowed, without spaces.
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

  /// The number nearest to a decimal one, such as degrees are given in; nil if the text is none.
  package static func degrees(_ text: ArraySlice<UInt8>) -> Double? { number(text) }

  /// The number nearest to a decimal one: a sign, digits with a point among or beside them, and an
  /// exponent, of which only some digits are needed.
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
    // The grammar is checked, since the standard library's also knows `nan`, `inf` and `0x`.
    return rest.isEmpty ? Double(String(decoding: text, as: UTF8.self)) : nil
  }
}

/// Why four numbers are no bounding box.
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

  /// There are not four parts between commas, but so many.
  case wrongCount(Int)
  /// A part is no plain decimal number.
  case notANumber(Edge)
  /// A longitude is beyond ±180, or a latitude beyond ±90.
  case outOfRange(Edge)
  /// The southern edge lies north of the northern one.
  case southAboveNorth
}

extension BoundingBoxError: CustomStringConvertible {
  /// What is wrong, in words that can follow a colon.
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
