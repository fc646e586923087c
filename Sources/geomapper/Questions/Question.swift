import GeoPath

/// A question of another program: one line of JSON, an object of strings, numbers and flags.
///
/// Strict as RFC 8259 has it; nested values are refused, for no question has any.
struct Question {
  enum Value: Equatable {
    case text([UInt8])
    case number(Double)
    case flag(Bool)
    case null
  }

  /// Why a line is no question; the wording follows "not a question:".
  struct Malformed: Error {
    let reason: String
  }

  /// So few that they are looked through from the first on.
  private let members: [(name: String, value: Value)]
  private static let mostMembers = 64

  init(parsing line: ArraySlice<UInt8>) throws(Malformed) {
    var parser = Parser(rest: line)
    members = try parser.object()
  }

  subscript(name: String) -> Value? { members.first { $0.name == name }?.value }

  fileprivate static func add(
    _ value: Value, _ name: String, to members: inout [(name: String, value: Value)]
  ) throws(Malformed) {
    if members.contains(where: { $0.name == name }) {
      throw Malformed(reason: "a name is there twice")
    }
    if members.count == mostMembers {
      throw Malformed(reason: "it has more than \(mostMembers) members")
    }
    members.append((name, value))
  }
}

private struct Parser {
  var rest: ArraySlice<UInt8>

  mutating func object() throws(Question.Malformed) -> [(name: String, value: Question.Value)] {
    var members: [(name: String, value: Question.Value)] = []
    try expect("{", "an object begins with '{'")
    skipSpace()
    if take("}") {
      try end()
      return members
    }
    while true {
      skipSpace()
      let name = String(decoding: try string(), as: UTF8.self)
      try expect(":", "a ':' follows a name")
      skipSpace()
      try Question.add(try value(), name, to: &members)
      skipSpace()
      if take(",") { continue }
      try expect("}", "a ',' or '}' follows a value")
      try end()
      return members
    }
  }

  private mutating func end() throws(Question.Malformed) {
    skipSpace()
    if !rest.isEmpty { throw Question.Malformed(reason: "something follows the object") }
  }

  private mutating func value() throws(Question.Malformed) -> Question.Value {
    switch rest.first {
    case UInt8(ascii: "\""): return .text(try string())
    case UInt8(ascii: "t"): try word("true"); return .flag(true)
    case UInt8(ascii: "f"): try word("false"); return .flag(false)
    case UInt8(ascii: "n"): try word("null"); return .null
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      throw Question.Malformed(reason: "no value of a question is an object or an array")
    default: return .number(try number())
    }
  }

  private mutating func number() throws(Question.Malformed) -> Double {
    let start = rest
    _ = take("-")
    let whole = digits()
    if whole.isEmpty || (whole.count > 1 && whole.first == UInt8(ascii: "0")) {
      throw Question.Malformed(reason: "that is no number")
    }
    if take("."), digits().isEmpty { throw Question.Malformed(reason: "that is no number") }
    if take("e") || take("E") {
      if !take("-") { _ = take("+") }
      if digits().isEmpty { throw Question.Malformed(reason: "that is no number") }
    }
    let text = String(decoding: start[..<rest.startIndex], as: UTF8.self)
    guard let number = Double(text), number.isFinite else {
      throw Question.Malformed(reason: "a number is too large")
    }
    return number
  }

  private mutating func digits() -> ArraySlice<UInt8> {
    let digits = rest.prefix { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
    rest = rest.dropFirst(digits.count)
    return digits
  }

  private mutating func string() throws(Question.Malformed) -> [UInt8] {
    try expect("\"", "a name or text begins with a quote")
    var bytes: [UInt8] = []
    while let end = rest.firstIndex(where: { $0 < 0x20 || $0 == 0x22 || $0 == 0x5C }) {
      bytes += rest[..<end]
      let byte = rest[end]
      rest = rest[(end + 1)...]
      switch byte {
      case UInt8(ascii: "\""):
        if !bytes.span.isValidUTF8 { throw Question.Malformed(reason: "a text is no UTF-8") }
        return bytes
      case UInt8(ascii: "\\"): bytes += try escape()
      default: throw Question.Malformed(reason: "a control character is not escaped")
      }
    }
    throw Question.Malformed(reason: "a text does not end")
  }

  private mutating func escape() throws(Question.Malformed) -> [UInt8] {
    switch rest.popFirst() {
    case UInt8(ascii: "\""): return [UInt8(ascii: "\"")]
    case UInt8(ascii: "\\"): return [UInt8(ascii: "\\")]
    case UInt8(ascii: "/"): return [UInt8(ascii: "/")]
    case UInt8(ascii: "b"): return [8]
    case UInt8(ascii: "f"): return [12]
    case UInt8(ascii: "n"): return [10]
    case UInt8(ascii: "r"): return [13]
    case UInt8(ascii: "t"): return [9]
    case UInt8(ascii: "u"):
      var code = try hex()
      if 0xD800..<0xDC00 ~= code, take("\\"), take("u") {
        let low = try hex()
        if 0xDC00..<0xE000 ~= low { code = 0x10000 + (code - 0xD800) << 10 + (low - 0xDC00) }
      }
      guard let scalar = Unicode.Scalar(code) else {
        throw Question.Malformed(reason: "half a surrogate pair is no character")
      }
      return Array(String(Character(scalar)).utf8)
    default: throw Question.Malformed(reason: "there is no such escape")
    }
  }

  private mutating func hex() throws(Question.Malformed) -> UInt32 {
    var code: UInt32 = 0
    for _ in 0..<4 {
      guard let byte = rest.popFirst(), let digit = Character(Unicode.Scalar(byte)).hexDigitValue
      else { throw Question.Malformed(reason: "\\u takes four hexadecimal digits") }
      code = code << 4 | UInt32(digit)
    }
    return code
  }

  private mutating func word(_ word: StaticString) throws(Question.Malformed) {
    let bytes = Array("\(word)".utf8)
    guard rest.starts(with: bytes) else { throw Question.Malformed(reason: "that is no value") }
    rest = rest.dropFirst(bytes.count)
  }

  private mutating func skipSpace() {
    rest = rest.drop { $0 == 0x20 || $0 == 0x09 || $0 == 0x0A || $0 == 0x0D }
  }

  private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
    guard rest.first == UInt8(ascii: scalar) else { return false }
    rest.removeFirst()
    return true
  }

  private mutating func expect(
    _ scalar: Unicode.Scalar, _ rule: String
  ) throws(Question.Malformed) {
    skipSpace()
    if !take(scalar) { throw Question.Malformed(reason: rule) }
  }
}
