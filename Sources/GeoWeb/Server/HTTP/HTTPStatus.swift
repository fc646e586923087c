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
