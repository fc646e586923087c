import GeoCore

/// A question of another program: a JSON object of strings, numbers and booleans on one line.
///
/// Parsing is strict (RFC 8259). Nested values are refused because no question has any.
struct Question {
  enum Value: Equatable {
    case text([UInt8])
    case number(Double)
    case flag(Bool)
    case null
  }

  /// An array, because so few members are found fastest one by one.
  private let members: [(name: String, value: Value)]
  private static let maximumMembers = 64

  init(parsing line: ArraySlice<UInt8>) throws(Failure) {
    var json = JSONReader(JSONBytes(Array(line)))
    do throws(JSONReader.Failure) {
      members = try Self.members(&json)
    } catch {
      let isAtEnd = (try? json.peekToken()) == .some(nil)
      let message =
        switch error {
        case .expected(let what):
          "expected \(what) at \(isAtEnd ? "its end" : "byte \(json.count + 1)")"
        case .unreadable(let reason): reason
        }
      throw .usage(message)
    }
  }

  subscript(name: String) -> Value? { members.first { $0.name == name }?.value }

  private static func members(
    _ json: inout JSONReader
  ) throws(JSONReader.Failure) -> [(name: String, value: Value)] {
    var members: [(name: String, value: Value)] = []
    try json.take("{")
    if try !json.takeIf("}") {
      repeat {
        let name = String(decoding: try text(&json), as: UTF8.self)
        if members.contains(where: { $0.name == name }) {
          throw .expected("each name once, not \"\(TerminalText.escaped(Array(name.utf8)))\" again")
        }
        if members.count == maximumMembers { throw .expected("up to \(maximumMembers) members") }
        try json.take(":")
        members.append((name, try value(&json)))
      } while try json.takeIf(",")
      try json.take("}")
    }
    if try json.peekToken() != nil { throw .expected("nothing after the object") }
    return members
  }

  private static func value(_ json: inout JSONReader) throws(JSONReader.Failure) -> Value {
    switch try json.peekToken() {
    case UInt8(ascii: "\""): return .text(try text(&json))
    case UInt8(ascii: "t"), UInt8(ascii: "f"), UInt8(ascii: "n"):
      return try json.takeWord().map { .flag($0) } ?? .null
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      throw .expected("a value that is no object or array")
    default: return .number(try json.takeDecimal())
    }
  }

  private static func text(_ json: inout JSONReader) throws(JSONReader.Failure) -> [UInt8] {
    var bytes: [UInt8] = []
    try json.takeString(appendingTo: &bytes)
    // Paths that are not UTF-8 must be percent-encoded.
    if !bytes.span.isValidUTF8 { throw .expected("text in UTF-8") }
    return bytes
  }
}
