/// A body in one encoding, with the tag by which a client knows it again (RFC 9110, 8.8.3).
struct Representation: Sendable {
  /// The media type.
  let type: String
  /// The bytes as they are sent.
  let body: [UInt8]
  /// Whether they are packed by gzip.
  let isPacked: Bool
  /// The strong entity tag: other bytes, another tag, be it only for the encoding.
  let tag: String

  /// - Parameters:
  ///   - type: The media type.
  ///   - body: The bytes as they are sent.
  ///   - hash: A hash of the bytes before they were packed.
  ///   - isPacked: Whether they are packed by gzip.
  init(type: String, body: [UInt8], hash: UInt64, isPacked: Bool) {
    self.type = type
    self.body = body
    self.isPacked = isPacked
    tag = "\"\(String(hash, radix: 16))\(isPacked ? "-gzip" : "")\""
  }

  /// The answer to a request: all of it, or that the client has it already.
  ///
  /// - Parameter isEmpty: Whether it is answered that there is nothing, in place of the body.
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
    // A cache needs these whether it gets the body or not (RFC 9110, 15.4.5).
    response.fields += [
      ("ETag", tag), ("Cache-Control", "no-cache"), ("Vary", "Accept-Encoding"),
    ]
    return response
  }
}

extension HTTPRequest {
  /// Whether the client takes bytes that are packed by gzip.
  var takesGzip: Bool { lists("gzip", in: "accept-encoding") }

  /// Whether the client has what an entity tag stands for.
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
