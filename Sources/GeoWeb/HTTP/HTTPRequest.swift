struct HTTPRequest: Sendable {
  enum Method: Sendable {
    case get
    case head
    /// Only of servers that take bodies.
    case post
  }

  var method: Method
  /// The path, still percent-encoded; it begins with `/`.
  var path: [UInt8]
  /// The decoded parameters after the `?`, each with another name.
  var parameters: [Field]
  /// The fields, with names in lower case.
  var fields: [Field]
  var keepsAlive: Bool
  /// Whether the client supports chunked responses (HTTP/1.1).
  var takesChunks: Bool
  /// The length of the body, which follows the request.
  var bodyLength = 0
  /// The body, once it has arrived.
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

extension [UInt8] {
  var trimmed: [UInt8] {
    let isBlank = { (byte: UInt8) in byte == 0x20 || byte == 0x09 }
    return Array(drop(while: isBlank).reversed().drop(while: isBlank).reversed())
  }

  func elementsEqual(_ text: StaticString) -> Bool {
    text.withUTF8Buffer { unsafe elementsEqual($0) }
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
}

/// A status code (RFC 9110, 15).
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
  case conflict = 409
  case lengthRequired = 411
  case tooLarge = 413
  case uriTooLong = 414
  case misdirected = 421
  case fieldsTooLarge = 431
  case serverError = 500
  case unavailable = 503
  case versionNotSupported = 505

  /// The phrase after the code, which clients ignore.
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
    case .conflict: "Conflict"
    case .lengthRequired: "Length Required"
    case .tooLarge: "Content Too Large"
    case .uriTooLong: "URI Too Long"
    case .misdirected: "Misdirected Request"
    case .fieldsTooLarge: "Request Header Fields Too Large"
    case .serverError: "Internal Server Error"
    case .unavailable: "Service Unavailable"
    case .versionNotSupported: "HTTP Version Not Supported"
    }
  }

  var hasNoBody: Bool { self == .noContent || self == .notModified }
}
