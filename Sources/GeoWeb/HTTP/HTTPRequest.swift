import GeoCore

struct HTTPRequest: Sendable {
  enum Method: Sendable {
    case get
    case head
    /// Only of servers that take bodies.
    case post
  }

  var method = Method.get
  /// The path, still percent-encoded; it begins with `/`.
  var path: [UInt8] = []
  var parameters: [Field] = []
  /// The fields, with names in lower case.
  var fields: [Field]
  var keepsAlive: Bool
  /// Whether the client supports chunked responses (HTTP/1.1).
  var takesChunks: Bool
  var bodyLength = 0
  var body: [UInt8] = []

  struct Field: Sendable {
    var name: [UInt8]
    var value: [UInt8]
  }

  /// The value of the only field with a name; nil if the field is missing or repeated.
  func field(_ name: StaticString) -> [UInt8]? {
    var found: [UInt8]?
    for field in fields where field.name.elementsEqual(name) {
      if found != nil { return nil }
      found = field.value
    }
    return found
  }

  func has(_ name: StaticString) -> Bool {
    fields.contains { $0.name.elementsEqual(name) }
  }

  /// Whether a field with a name lists a word, in any case.
  func lists(_ word: StaticString, in name: StaticString) -> Bool {
    for field in fields where field.name.elementsEqual(name) {
      for item in field.value.split(separator: UInt8(ascii: ",")) {
        // `gzip;q=0` refuses; other weights are ignored.
        let parts = item.split(separator: UInt8(ascii: ";"))
        guard let first = parts.first, Array(first).trimmed.lowercased.elementsEqual(word) else {
          continue
        }
        return !parts.dropFirst().contains { Array($0).trimmed.isZeroWeight }
      }
    }
    return false
  }
}

extension Collection<UInt8> {
  func elementsEqual(_ text: StaticString) -> Bool {
    text.withUTF8Buffer { unsafe elementsEqual($0) }
  }
}

extension UInt8 {
  /// Whether it is a letter or digit of ASCII.
  var isLetterOrDigit: Bool {
    switch self {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
    default: false
    }
  }
}

extension [UInt8] {
  var trimmed: [UInt8] {
    let isBlank = { (byte: UInt8) in byte == 0x20 || byte == 0x09 }
    return Array(drop(while: isBlank).reversed().drop(while: isBlank).reversed())
  }

  fileprivate var isZeroWeight: Bool {
    let text = lowercased
    return text.count >= 3 && text[0] == UInt8(ascii: "q") && text[1] == UInt8(ascii: "=")
      && text.dropFirst(2).allSatisfy { $0 == UInt8(ascii: "0") || $0 == UInt8(ascii: ".") }
  }
}

extension HTTPRequest {
  func parameter(_ name: StaticString) -> [UInt8]? {
    parameters.first { $0.name.elementsEqual(name) }?.value
  }

  func text(_ name: StaticString) -> String? {
    parameter(name).map { String(decoding: $0, as: UTF8.self) }
  }

  func whole(_ name: StaticString) -> Int? { text(name).flatMap { Int($0) } }

  /// A parsed query parameter; nil if it is missing. Throws `reason` if it can't be parsed.
  func value<Value>(
    _ name: StaticString, orRefuse reason: @autoclosure () -> String, _ parse: (String) -> Value?
  ) throws(Failure) -> Value? {
    guard let text = text(name) else { return nil }
    guard let value = parse(text) else { throw .usage(reason()) }
    return value
  }
}

/// A status code (RFC 9110, 15), and the phrase after it, which clients ignore.
struct HTTPStatus: Hashable, Sendable {
  let code: Int
  let phrase: String

  private init(_ code: Int, _ phrase: String) { (self.code, self.phrase) = (code, phrase) }

  static let ok = HTTPStatus(200, "OK")
  static let noContent = HTTPStatus(204, "No Content")
  static let found = HTTPStatus(302, "Found")
  static let notModified = HTTPStatus(304, "Not Modified")
  static let badRequest = HTTPStatus(400, "Bad Request")
  static let unauthorized = HTTPStatus(401, "Unauthorized")
  static let forbidden = HTTPStatus(403, "Forbidden")
  static let notFound = HTTPStatus(404, "Not Found")
  static let methodNotAllowed = HTTPStatus(405, "Method Not Allowed")
  static let conflict = HTTPStatus(409, "Conflict")
  static let lengthRequired = HTTPStatus(411, "Length Required")
  static let tooLarge = HTTPStatus(413, "Content Too Large")
  static let uriTooLong = HTTPStatus(414, "URI Too Long")
  static let misdirected = HTTPStatus(421, "Misdirected Request")
  static let fieldsTooLarge = HTTPStatus(431, "Request Header Fields Too Large")
  static let unavailable = HTTPStatus(503, "Service Unavailable")
  static let versionNotSupported = HTTPStatus(505, "HTTP Version Not Supported")

  var hasNoBody: Bool { self == .noContent || self == .notModified }
}
