import GeoProjection

/// Why a text is no deed, or no part of a map.
public enum DeedError: Error, Hashable, Sendable {
  /// It is something else.
  case foreign
  /// It ends too early.
  case cutShort
  /// Its check sum is not that of its bytes.
  case changed
  /// It was made for another version of the projection, or is in another version of its text.
  case otherVersion
  /// Its bytes are in order, and make no sense.
  case malformed
}

extension DeedError: CustomStringConvertible {
  /// What is wrong and what to do, in words that follow the name of a file and "is".
  public var description: String {
    switch self {
    case .foreign: "not one that geomapper made"
    case .cutShort: "not complete; make it again"
    case .changed: "not as it was made: its check sum is wrong; make it again"
    case .otherVersion:
      "of another version; this is projection \(GeoProjectionEngine.version), deeds \(Deed.version)"
    case .malformed: "malformed, though its check sum is right; make it again"
    }
  }
}
