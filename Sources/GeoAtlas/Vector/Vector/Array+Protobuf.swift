import GeoCore

/// Protocol Buffers' wire format, as far as tiles need it.
extension [UInt8] {
  /// Adds what stands before a field's value.
  @inline(__always)
  mutating func append(field: UInt8, _ type: WireType) {
    append(field << 3 | type.rawValue)
  }

  /// Adds a field that holds bytes, or a message.
  mutating func append(field: UInt8, bytes: [UInt8]) {
    append(field: field, .bytes)
    append(varint: UInt64(bytes.count))
    append(contentsOf: bytes)
  }

  /// Adds a field that holds a number.
  mutating func append(field: UInt8, number: UInt64) {
    append(field: field, .varint)
    append(varint: number)
  }
}

/// How the value of a field is stored.
enum WireType: UInt8 {
  case varint = 0
  case eightBytes = 1
  case bytes = 2
}
