import GeoProjection

/// Why a text is no deed, or no part of a map.
public enum DeedError: Error, Hashable, Sendable {
  /// It is something else.
  case foreign
  /// It ends too early.
  case cutShort
  /// Its check sum is not that of its bytes.
  case changed
  /// It is in another version of its text.
  case otherVersion
  /// It was made for another version of the projection.
  case otherProjection(version: Int64)
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
      "in another version of the text than \(Deed.version); make it again"
    case .otherProjection(let version):
      "of projection \(version), and this is projection \(GeoProjectionEngine.version); make it again"
    case .malformed: "malformed, though its check sum is right; make it again"
    }
  }
}
