import GeoCore
import GeoFormats

struct HTTPResponse: Sendable {
  var status: HTTPStatus
  var type: String = ""
  /// Fields in addition to the common ones.
  var fields: [(name: String, value: String)] = []
  var body: [UInt8] = []
  /// Whether the body is a stream, whose pieces follow.
  var isStream = false

  init(_ status: HTTPStatus) { self.status = status }

  init(_ status: HTTPStatus = .ok, type: String, _ body: [UInt8]) {
    (self.status, self.type, self.body) = (status, type, body)
  }

  init(streamOf type: String) {
    self.init(type: type, [])
    isStream = true
  }

  /// A JSON text as a line.
  init(_ status: HTTPStatus = .ok, line json: [UInt8]) {
    self.init(status, type: FileFormat.json.mediaType, json + [10])
  }

  init(error status: HTTPStatus, _ reason: String) {
    self.init(status, line: JSONBuilder.object { $0.member("error", text: Array(reason.utf8)) })
    if status == .methodNotAllowed { fields.append(("Allow", "GET, HEAD")) }
  }

  /// The response with more fields. Values of Vary are joined; other fields that exist
  /// already stay as they are.
  func adding(_ others: [(name: String, value: String)]) -> HTTPResponse {
    var response = self
    for field in others {
      guard let index = response.fields.firstIndex(where: { $0.name == field.name }) else {
        response.fields.append(field)
        continue
      }
      let value = response.fields[index].value
      if field.name == "Vary", value != field.value {
        response.fields[index].value = "\(value), \(field.value)"
      }
    }
    return response
  }

  /// Fields of every response: don't guess the type, load nothing from elsewhere, show it in no
  /// frame.
  static let commonFields: [(name: String, value: String)] = [
    (
      "Content-Security-Policy",
      "default-src 'none'; script-src 'self' '\(StandalonePage.name(of: ServedPage.early))'; "
        + "style-src 'self'; img-src 'self' blob: data:; "
        + "connect-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; "
        + "frame-ancestors 'none'"
    ),
    ("X-Content-Type-Options", "nosniff"),
    ("X-Frame-Options", "DENY"),
    ("Referrer-Policy", "no-referrer"),
    ("Cross-Origin-Opener-Policy", "same-origin"),
    ("Cross-Origin-Resource-Policy", "same-origin"),
  ]

  private static let commonText = text(of: commonFields)

  private static func text(of fields: [(name: String, value: String)]) -> String {
    fields.map { "\($0.name): \($0.value)\r\n" }.joined()
  }

  func encoded(isHead: Bool, keepsAlive: Bool, isChunked: Bool) -> [UInt8] {
    var head = "HTTP/1.1 \(status.code) \(status.phrase)\r\n"
    if !type.isEmpty { head += "Content-Type: \(type)\r\n" }
    for field in fields { head += "\(field.name): \(field.value)\r\n" }
    if isStream {
      if isChunked { head += "Transfer-Encoding: chunked\r\n" }
    } else if !status.hasNoBody {
      head += "Content-Length: \(body.count)\r\n"
    }
    if !fields.contains(where: { $0.name == "Cache-Control" }) {
      head += "Cache-Control: no-store\r\n"
    }
    let isShared = fields.contains { $0.name == "Cross-Origin-Resource-Policy" }
    head += isShared ? Self.text(of: Self.commonFields.dropLast()) : Self.commonText
    head += keepsAlive ? "Connection: keep-alive\r\n\r\n" : "Connection: close\r\n\r\n"
    var bytes = Array(head.utf8)
    if !isHead && !status.hasNoBody && !isStream { bytes += body }
    return bytes
  }

  static func chunk(_ bytes: [UInt8]) -> [UInt8] {
    Array("\(String(bytes.count, radix: 16))\r\n".utf8) + bytes + [13, 10]
  }

  static let lastChunk: [UInt8] = Array("0\r\n\r\n".utf8)
}

/// A body in one encoding, with its entity tag (RFC 9110, 8.8.3).
struct Representation: Sendable {
  let type: String
  let body: [UInt8]
  let isPacked: Bool
  /// The strong entity tag. It differs between contents and between encodings.
  let tag: String

  init(type: String, body: [UInt8], hash: UInt64, isPacked: Bool) {
    (self.type, self.body, self.isPacked) = (type, body, isPacked)
    tag = "\"\(String(hash, radix: 16))\(isPacked ? "-gzip" : "")\""
  }

  func response(to request: HTTPRequest, isEmpty: Bool = false) -> HTTPResponse {
    var response: HTTPResponse
    if request.matches(tag: tag) {
      response = HTTPResponse(.notModified)
    } else if isEmpty {
      response = HTTPResponse(.noContent)
    } else {
      response = HTTPResponse(type: type, body)
      if isPacked { response.fields.append(("Content-Encoding", "gzip")) }
    }
    // Caches need these fields with and without a body (RFC 9110, 15.4.5).
    response.fields += [
      ("ETag", tag), ("Cache-Control", "no-cache"), ("Vary", "Accept-Encoding"),
    ]
    return response
  }
}

extension HTTPRequest {
  var takesGzip: Bool { lists("gzip", in: "accept-encoding") }

  func matches(tag: String) -> Bool {
    guard let known = field("if-none-match") else { return false }
    if known.elementsEqual("*") { return true }
    return known.split(separator: UInt8(ascii: ",")).contains { item in
      var item = Array(item).trimmed
      if item.starts(with: "W/".utf8) { item.removeFirst(2) }
      return item.elementsEqual(tag.utf8)
    }
  }
}
