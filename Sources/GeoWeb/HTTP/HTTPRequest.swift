import GeoCore
import GeoFormats

/// What a client asks for.
struct HTTPRequest: Sendable {
  enum Method: Sendable {
    case get
    case head
  }

  var method: Method
  /// The path, percent-encoded as it came; it begins with `/`.
  var path: [UInt8]
  /// What follows the `?`, percent-encoded as it came; nil if there is none.
  var query: [UInt8]?
  /// Names in lower case.
  var fields: [Field]
  /// Whether the connection stays open for another request.
  var keepsAlive: Bool
  /// Whether the client knows responses that come in pieces (HTTP/1.1).
  var takesChunks: Bool

  struct Field: Sendable {
    var name: [UInt8]
    var value: [UInt8]
  }

  /// The value of the one field of a name; nil if there is none, or there are several.
  func field(_ name: StaticString) -> [UInt8]? {
    var found: [UInt8]?
    for field in fields where field.name.elementsEqual(name) {
      if found != nil { return nil }
      found = field.value
    }
    return found
  }

  /// Whether there is any field of a name.
  func has(_ name: StaticString) -> Bool {
    fields.contains { $0.name.elementsEqual(name) }
  }

  /// Whether one of the fields of a name lists a word, in any case.
  func lists(_ word: StaticString, in name: StaticString) -> Bool {
    for field in fields where field.name.elementsEqual(name) {
      for item in field.value.split(separator: UInt8(ascii: ",")) {
        // `gzip;q=0` refuses; other weights don't matter here.
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

extension [UInt8] {
  /// The bytes without blanks and tabs around them.
  var trimmed: [UInt8] {
    let isBlank = { (byte: UInt8) in byte == 0x20 || byte == 0x09 }
    return Array(drop(while: isBlank).reversed().drop(while: isBlank).reversed())
  }

  /// Whether they are a text that is known at compile time.
  func elementsEqual(_ text: StaticString) -> Bool {
    text.withUTF8Buffer { unsafe elementsEqual($0) }
  }

  /// Whether they are `q=0`, `q=0.0` and so on.
  fileprivate var isZeroWeight: Bool {
    let text = lowercased
    return text.count >= 3 && text[0] == UInt8(ascii: "q") && text[1] == UInt8(ascii: "=")
      && text.dropFirst(2).allSatisfy { $0 == UInt8(ascii: "0") || $0 == UInt8(ascii: ".") }
  }
}

extension HTTPRequest {
  /// The value of a parameter of the query, decoded; nil if it isn't given once, or can't be decoded.
  func parameter(_ name: StaticString) -> [UInt8]? {
    guard let query else { return nil }
    var found: [UInt8]?
    for pair in query.split(separator: UInt8(ascii: "&")) {
      let parts = pair.split(
        separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
      guard let key = parts.first, Array(key).elementsEqual(name) else { continue }
      if found != nil { return nil }
      guard let value = Self.decoded(parts.count > 1 ? parts[1] : [])
      else { return nil }
      found = value
    }
    return found
  }

  /// A value as it was meant: a plus stands for a blank; nil if it can't be decoded.
  private static func decoded(_ value: ArraySlice<UInt8>) -> [UInt8]? {
    PercentText.decoded(value.lazy.map { $0 == UInt8(ascii: "+") ? UInt8(ascii: " ") : $0 })
  }

  /// A parameter as text.
  func text(_ name: StaticString) -> String? {
    parameter(name).map { String(decoding: $0, as: UTF8.self) }
  }
}

/// How a request ended (RFC 9110, 15).
enum HTTPStatus: Int, Sendable {
  case ok = 200
  case noContent = 204
  case found = 302
  case notModified = 304
  case badRequest = 400
  case unauthorized = 401
  case forbidden = 403
  case notFound = 404
  case methodNotAllowed = 405
  case uriTooLong = 414
  case misdirected = 421
  case fieldsTooLarge = 431
  case serverError = 500
  case unavailable = 503
  case versionNotSupported = 505

  /// What stands after the number; nobody needs it.
  var phrase: StaticString {
    switch self {
    case .ok: "OK"
    case .noContent: "No Content"
    case .found: "Found"
    case .notModified: "Not Modified"
    case .badRequest: "Bad Request"
    case .unauthorized: "Unauthorized"
    case .forbidden: "Forbidden"
    case .notFound: "Not Found"
    case .methodNotAllowed: "Method Not Allowed"
    case .uriTooLong: "URI Too Long"
    case .misdirected: "Misdirected Request"
    case .fieldsTooLarge: "Request Header Fields Too Large"
    case .serverError: "Internal Server Error"
    case .unavailable: "Service Unavailable"
    case .versionNotSupported: "HTTP Version Not Supported"
    }
  }

  /// Whether a response of it has no body, whatever its fields say.
  var hasNoBody: Bool { self == .noContent || self == .notModified }
}
