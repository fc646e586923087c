import GeoFormats
import GeoProjection

extension JSONBuilder {
  /// Adds a path, and its bytes if it is no UTF-8.
  package mutating func member(_ name: String, path: [UInt8]) {
    member(name, text: path, raw: "rawPath")
  }

  /// Adds an entry's name, and its bytes if it is no UTF-8.
  package mutating func member(name: [UInt8]) {
    member("name", text: name, raw: "rawName")
  }

  /// Adds `lon` and `lat`.
  package mutating func put(_ coordinate: Coordinate, digits: UInt8) {
    key("lon")
    value(degrees: coordinate.longitude, digits: digits)
    key("lat")
    value(degrees: coordinate.latitude, digits: digits)
  }

  /// Adds a `bbox` as `[W,S,E,N]`.
  package mutating func put(boxFrom low: Coordinate, to high: Coordinate, digits: UInt8) {
    key("bbox")
    array { json in
      for coordinate in [low, high] {
        json.value(degrees: coordinate.longitude, digits: digits)
        json.value(degrees: coordinate.latitude, digits: digits)
      }
    }
  }
}

extension StaticString {
  /// The text's bytes.
  package var bytes: [UInt8] { withUTF8Buffer { unsafe Array($0) } }
}

extension NodeKind {
  package var bytes: [UInt8] { text.bytes }
}
