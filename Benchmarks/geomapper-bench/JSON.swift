import GeoCore

/// A JSON value; members keep their order.
enum JSON {
  case null
  case bool(Bool)
  case number(Double)
  case string(String)
  case array([JSON])
  case object([(name: String, value: JSON)])

  subscript(name: String) -> JSON {
    guard case .object(let members) = self else { return .null }
    return members.first { $0.name == name }?.value ?? .null
  }

  var string: String? {
    if case .string(let text) = self { text } else { nil }
  }

  var number: Double? {
    if case .number(let number) = self { number } else { nil }
  }

  var array: [JSON] {
    if case .array(let elements) = self { elements } else { [] }
  }

  /// The value as text; objects and arrays that contain others take a line for each member.
  func text(indent: Int = 0) -> String {
    switch self {
    case .null: return "null"
    case .bool(let value): return value ? "true" : "false"
    case .number(let value):
      if value == value.rounded(), abs(value) < 9e15 { return String(Int(value)) }
      return value.isFinite ? value.description : "null"
    case .string(let value): return Self.quoted(value)
    case .array(let elements):
      return Self.joined(elements.map { $0.text(indent: indent + 2) }, "[", "]", isFlat, indent)
    case .object(let members):
      let parts = members.map { Self.quoted($0.name) + ": " + $0.value.text(indent: indent + 2) }
      return Self.joined(parts, "{", "}", isFlat, indent)
    }
  }

  /// Whether no part of the value has parts.
  private var isFlat: Bool {
    switch self {
    case .array(let elements): elements.allSatisfy(\.isScalar)
    case .object(let members): members.allSatisfy(\.value.isScalar)
    default: true
    }
  }

  private var isScalar: Bool {
    switch self {
    case .array, .object: false
    default: true
    }
  }

  private static func joined(
    _ parts: [String], _ open: String, _ close: String, _ isFlat: Bool, _ indent: Int
  ) -> String {
    let isShort = isFlat && parts.reduce(0) { $0 + $1.utf8.count } < 400
    if isShort { return open + parts.joined(separator: ", ") + close }
    let space = String(repeating: " ", count: indent)
    return open + "\n  " + space + parts.joined(separator: ",\n  " + space) + "\n" + space + close
  }

  private static func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\t": result += "\\t"
      default:
        if scalar.value < 0x20 {
          let digits = String(scalar.value, radix: 16)
          result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        } else {
          result.unicodeScalars.append(scalar)
        }
      }
    }
    return result + "\""
  }
}

extension JSON {
  /// Parses a JSON text (RFC 8259).
  init(parsing bytes: [UInt8]) throws(Failure) {
    var reader = JSONReader(JSONBytes(bytes))
    do throws(JSONReader.Failure) {
      self = try Self.value(in: &reader, depth: 0)
      guard try reader.peekToken() == nil else { throw .expected("the end") }
    } catch {
      throw Failure("line \(reader.line) is not JSON: \(error)")
    }
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

  private static func value(
    in reader: inout JSONReader, depth: Int
  ) throws(JSONReader.Failure) -> JSON {
    guard depth < 64 else { throw .expected("fewer values in one another") }
    switch try reader.peekToken() {
    case UInt8(ascii: "{")?:
      try reader.take("{")
      var members: [(name: String, value: JSON)] = []
      if try reader.takeIf("}") { return .object([]) }
      repeat {
        let name = try string(in: &reader)
        try reader.take(":")
        members.append((name, try value(in: &reader, depth: depth + 1)))
      } while try reader.takeIf(",")
      try reader.take("}")
      return .object(members)
    case UInt8(ascii: "[")?:
      try reader.take("[")
      var elements: [JSON] = []
      if try reader.takeIf("]") { return .array([]) }
      repeat {
        elements.append(try value(in: &reader, depth: depth + 1))
      } while try reader.takeIf(
        ",")
      try reader.take("]")
      return .array(elements)
    case UInt8(ascii: "\"")?: return .string(try string(in: &reader))
    case UInt8(ascii: "t")?, UInt8(ascii: "f")?, UInt8(ascii: "n")?:
      return try reader.takeWord().map { .bool($0) } ?? .null
    default: return .number(try reader.takeDecimal())
    }
  }

  private static func string(in reader: inout JSONReader) throws(JSONReader.Failure) -> String {
    var bytes: [UInt8] = []
    try reader.takeString(appendingTo: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }
}
