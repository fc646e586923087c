import GeoCore

extension JSONReader {
  /// Reads an object, and calls `body` before the value of each known member; skips other values.
  mutating func eachMember(
    of names: JSONNames, _ body: (inout JSONReader, Int) throws(Failure) -> Void
  ) throws(Failure) {
    guard try peekToken() == UInt8(ascii: "{") else { return try skipValue() }
    try take("{")
    if try takeIf("}") { return }
    var key: [UInt8] = []
    repeat {
      if let member = try takeName(among: names, using: &key) {
        try body(&self, member)
      } else {
        try skipValue()
      }
    } while try takeIf(",")
    try take("}")
  }

  /// Reads an array, and calls `body` before each value; skips other values.
  mutating func eachElement(
    _ body: (inout JSONReader) throws(Failure) -> Void
  ) throws(Failure) {
    guard try peekToken() == UInt8(ascii: "[") else { return try skipValue() }
    try take("[")
    if try takeIf("]") { return }
    repeat { try body(&self) } while try takeIf(",")
    try take("]")
  }

  mutating func expectObject() throws(Failure) {
    if try peekToken() != UInt8(ascii: "{") { throw .expected("'{'") }
  }
}
