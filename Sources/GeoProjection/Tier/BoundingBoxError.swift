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
    case .notANumber(let edge): return "\(edge.rawValue) is no number"
    case .outOfRange(let edge):
      let limit = edge == .west || edge == .east ? 180 : 90
      return "\(edge.rawValue) must be from -\(limit) to \(limit)"
    case .southAboveNorth: return "south must not be above north"
    }
  }
}
