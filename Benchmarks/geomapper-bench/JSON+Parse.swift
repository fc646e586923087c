extension JSON {
  /// Reads a JSON text (RFC 8259).
  init(parsing bytes: [UInt8]) throws(Failure) {
    var parser = Parser(bytes: bytes)
    self = try parser.value(depth: 0)
    parser.skipSpace()
    guard parser.next == nil else { throw parser.failure("something after the end") }
  }

  /// Reads a file.
  static func read(_ path: String) throws(Failure) -> JSON {
    let bytes = try System.contents(of: path)
    do throws(Failure) {
      return try JSON(parsing: bytes)
    } catch {
      throw Failure("\(path): \(error.message)")
    }
  }

  private struct Parser {
    let bytes: [UInt8]
    var position = 0

    init(bytes: [UInt8]) { self.bytes = bytes }

    var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    func failure(_ what: String) -> Failure { Failure("no JSON at byte \(position): \(what)") }

    mutating func skipSpace() {
      while let byte = next, byte == 32 || (byte >= 9 && byte <= 13) { position += 1 }
    }

    mutating func take(_ byte: UInt8) -> Bool {
      skipSpace()
      guard next == byte else { return false }
      position += 1
      return true
    }

    mutating func expect(_ byte: UInt8) throws(Failure) {
      guard take(byte) else { throw failure("\(Character(Unicode.Scalar(byte))) is missing") }
    }

    mutating func word(_ word: StaticString, _ value: JSON) throws(Failure) -> JSON {
      let expected = Array(word.description.utf8)
      guard bytes[position...].starts(with: expected) else { throw failure("unknown word") }
      position += expected.count
      return value
    }

    mutating func value(depth: Int) throws(Failure) -> JSON {
      guard depth < 64 else { throw failure("too deep") }
      skipSpace()
      switch next {
      case UInt8(ascii: "{"): return try object(depth: depth)
      case UInt8(ascii: "["): return try array(depth: depth)
      case UInt8(ascii: "\""): return .string(try string())
      case UInt8(ascii: "t"): return try word("true", .bool(true))
      case UInt8(ascii: "f"): return try word("false", .bool(false))
      case UInt8(ascii: "n"): return try word("null", .null)
      default: return .number(try number())
      }
    }

    mutating func object(depth: Int) throws(Failure) -> JSON {
      try expect(UInt8(ascii: "{"))
      var members: [(name: String, value: JSON)] = []
      if take(UInt8(ascii: "}")) { return .object([]) }
      repeat {
        skipSpace()
        let name = try string()
        try expect(UInt8(ascii: ":"))
        members.append((name, try value(depth: depth + 1)))
      } while take(UInt8(ascii: ","))
      try expect(UInt8(ascii: "}"))
      return .object(members)
    }

    mutating func array(depth: Int) throws(Failure) -> JSON {
      try expect(UInt8(ascii: "["))
      var elements: [JSON] = []
      if take(UInt8(ascii: "]")) { return .array([]) }
      repeat { elements.append(try value(depth: depth + 1)) } while take(UInt8(ascii: ","))
      try expect(UInt8(ascii: "]"))
      return .array(elements)
    }

    mutating func number() throws(Failure) -> Double {
      let start = position
      while let byte = next,
        byte == 43 || byte == 45 || byte == 46 || (48...57).contains(byte)
          || byte | 32 == 101
      {
        position += 1
      }
      guard let number = Double(String(decoding: bytes[start..<position], as: UTF8.self)) else {
        throw failure("no number")
      }
      return number
    }

    mutating func string() throws(Failure) -> String {
      guard next == UInt8(ascii: "\"") else { throw failure("no string") }
      position += 1
      var result: [UInt8] = []
      while let byte = next {
        position += 1
        if byte == UInt8(ascii: "\"") { return String(decoding: result, as: UTF8.self) }
        if byte == UInt8(ascii: "\\") {
          result.append(contentsOf: try escape())
        } else {
          result.append(byte)
        }
      }
      throw failure("a string without end")
    }

    mutating func escape() throws(Failure) -> [UInt8] {
      guard let byte = next else { throw failure("a string without end") }
      position += 1
      switch byte {
      case UInt8(ascii: "n"): return [10]
      case UInt8(ascii: "t"): return [9]
      case UInt8(ascii: "r"): return [13]
      case UInt8(ascii: "b"): return [8]
      case UInt8(ascii: "f"): return [12]
      case UInt8(ascii: "u"):
        let unit = try hex()
        guard (0xD800..<0xDC00).contains(unit), bytes[position...].starts(with: [92, 117]) else {
          return Array(String(Character(Unicode.Scalar(unit) ?? "\u{FFFD}")).utf8)
        }
        position += 2
        let low = try hex()
        let scalar = 0x10000 + (unit - 0xD800) << 10 + (low & 0x3FF)
        return Array(String(Character(Unicode.Scalar(scalar) ?? "\u{FFFD}")).utf8)
      default: return [byte]
      }
    }

    mutating func hex() throws(Failure) -> UInt32 {
      guard position + 4 <= bytes.count,
        let unit = UInt32(
          String(decoding: bytes[position..<(position + 4)], as: UTF8.self), radix: 16)
      else { throw failure("no escape") }
      position += 4
      return unit
    }
  }
}
