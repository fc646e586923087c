/// Reads Protocol Buffers' wire format, as strictly as its specification allows.
struct ProtobufReader {
  /// Why bytes are not a message.
  enum Fault: Error, Equatable {
    case ends, longNumber, wireType(UInt64), fieldZero
  }

  /// The content of a field.
  enum Content: Equatable {
    case number(UInt64)
    case eightBytes(UInt64)
    case fourBytes(UInt32)
    case bytes(ArraySlice<UInt8>)
  }

  private(set) var rest: ArraySlice<UInt8>

  init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

  /// The next field; nil at the end.
  mutating func field() throws -> (number: UInt64, content: Content)? {
    if rest.isEmpty { return nil }
    let key = try varint()
    if key >> 3 == 0 { throw Fault.fieldZero }
    switch key & 7 {
    case 0: return (key >> 3, .number(try varint()))
    case 1: return (key >> 3, .eightBytes(try fixed(8)))
    case 2:
      let length = try varint()
      guard length <= UInt64(rest.count) else { throw Fault.ends }
      return (key >> 3, .bytes(take(Int(length))))
    case 5: return (key >> 3, .fourBytes(UInt32(try fixed(4))))
    default: throw Fault.wireType(key & 7)
    }
  }

  /// A varint; nil at the end.
  mutating func number() throws -> UInt64? { rest.isEmpty ? nil : try varint() }

  private mutating func take(_ count: Int) -> ArraySlice<UInt8> {
    defer { rest = rest.dropFirst(count) }
    return rest.prefix(count)
  }

  private mutating func varint() throws -> UInt64 {
    var value: UInt64 = 0
    for shift in stride(from: UInt64(0), to: 70, by: 7) {
      guard let byte = rest.popFirst() else { throw Fault.ends }
      if shift == 63, byte > 1 { throw Fault.longNumber }
      value |= UInt64(byte & 0x7F) << shift
      if byte < 0x80 { return value }
    }
    throw Fault.longNumber
  }

  private mutating func fixed(_ count: Int) throws -> UInt64 {
    guard rest.count >= count else { throw Fault.ends }
    return take(count).reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }
}

/// Decodes a zigzag number.
func unzigzag(_ value: UInt64) -> Int64 {
  Int64(bitPattern: value >> 1) ^ -Int64(bitPattern: value & 1)
}
