import GeoCore

/// A JSON value to write; members keep their order.
enum JSON {
  case null
  case number(Double)
  case string(String)
  case array([JSON])
  case object([(name: String, value: JSON)])

  init(_ number: Int?) { self = number.map { .number(Double($0)) } ?? .null }

  /// The value as text.
  var text: String {
    switch self {
    case .null: "null"
    case .number(let value):
      if let whole = Int(exactly: value) {
        "\(whole)"
      } else {
        value.isFinite ? "\(value)" : "null"
      }
    case .string(let value): Self.quoted(value)
    case .array(let elements): "[" + elements.map(\.text).joined(separator: ",\n") + "]"
    case .object(let members):
      "{" + members.map { Self.quoted($0.name) + ": " + $0.value.text }.joined(separator: ", ")
        + "}"
    }
  }

  private static func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\": result += "\\\(scalar)"
      case "\u{0}"..<" ":
        let digits = String(scalar.value, radix: 16)
        result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }
}

extension JSON {
  /// Reads an object of lists of texts, in the order of the file.
  static func lists(in path: String) throws(Failure) -> [(name: String, words: [String])] {
    var reader = JSONReader(JSONBytes(try System.contents(of: path)))
    do throws(JSONReader.Failure) {
      var lists: [(name: String, words: [String])] = []
      try reader.take("{")
      repeat {
        let name = try string(in: &reader)
        try reader.take(":")
        try reader.take("[")
        var words: [String] = []
        repeat { words.append(try string(in: &reader)) } while try reader.takeIf(",")
        try reader.take("]")
        lists.append((name, words))
      } while try reader.takeIf(",")
      try reader.take("}")
      guard try reader.peekToken() == nil else { throw .expected("the end") }
      return lists
    } catch {
      throw Failure("\(path): line \(reader.line) is no object of commands: \(error)")
    }
  }

  private static func string(in reader: inout JSONReader) throws(JSONReader.Failure) -> String {
    var bytes: [UInt8] = []
    try reader.takeString(appendingTo: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }
}
