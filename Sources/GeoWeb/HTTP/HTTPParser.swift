import GeoCore

/// Parses requests from the bytes that a client sends (RFC 9112).
///
/// It is strict where lenience would let two programs see different requests in the same bytes:
/// lines end in CR LF, a field is one line, a colon follows its name directly, and requests have no
/// body, unless the server takes POST.
struct HTTPParser {
  static let longestLine = 8 * 1024
  static let longestHead = 16 * 1024
  static let maximumFields = 100

  enum Outcome: Error {
    case incomplete
    case request(HTTPRequest, length: Int)
    /// An invalid request: the error to answer before the connection is closed.
    case refused(HTTPStatus, String)
  }

  private var start = 0
  private var lineStart = 0
  private var index = 0
  private var lines: [Range<Int>] = []

  /// Parses the bytes received so far, without the body. After an incomplete request, call it again
  /// with the same bytes and further ones.
  ///
  /// - Parameter maximumBody: The largest body of a POST, in bytes; 0 to take GET and HEAD only.
  /// - Complexity: O(bytes added since the last call).
  mutating func parse(_ bytes: [UInt8], maximumBody: Int = 0) -> Outcome {
    while index < bytes.count {
      let byte = bytes[index]
      if byte == 10 { return .refused(.badRequest, "a line must end in CR LF") }
      if byte == 13 {
        guard index + 1 < bytes.count else { break }
        if bytes[index + 1] != 10 { return .refused(.badRequest, "a line must end in CR LF") }
        let line = lineStart..<index
        index += 2
        lineStart = index
        // Two empty lines before a request are allowed.
        if line.isEmpty, lines.isEmpty, index <= 4 {
          start = index
          continue
        }
        if line.isEmpty {
          if index - start > Self.longestHead { break }
          do throws(Outcome) {
            let request = try Self.request(bytes, lines, maximumBody: maximumBody)
            return .request(request, length: index)
          } catch {
            return error
          }
        }
        lines.append(line)
        continue
      }
      if byte < 0x20 && byte != 9 || byte == 0x7F {
        return .refused(.badRequest, "a control character in a request")
      }
      index += 1
    }
    let firstLength = lines.first?.count ?? (index - start)
    if firstLength > Self.longestLine {
      return .refused(.uriTooLong, "the address is too long")
    }
    if bytes.count - start > Self.longestHead || lines.count > Self.maximumFields + 1 {
      return .refused(.fieldsTooLarge, "the request's fields are too large")
    }
    return .incomplete
  }

  private static func request(
    _ bytes: [UInt8], _ lines: [Range<Int>], maximumBody: Int
  ) throws(Outcome) -> HTTPRequest {
    guard let first = lines.first else { throw .refused(.badRequest, "an empty request") }
    if first.count > longestLine { throw .refused(.uriTooLong, "the address is too long") }
    if lines.count > maximumFields + 1 { throw .refused(.fieldsTooLarge, "too many fields") }
    let words = bytes[first].split(
      separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
    guard words.count == 3, words.allSatisfy({ !$0.isEmpty }) else {
      throw .refused(.badRequest, "the first line is not HTTP")
    }
    let minor = try minorVersion(words[2])
    let fields = try lines.dropFirst().map { (line) throws(Outcome) in try field(bytes[line]) }
    var request = HTTPRequest(fields: fields, keepsAlive: minor > 0, takesChunks: minor > 0)
    if maximumBody > 0, words[0].elementsEqual("POST".utf8) {
      request.method = .post
      request.bodyLength = try bodyLength(of: request, maximum: maximumBody)
    } else {
      if request.has("transfer-encoding")
        || request.has("content-length") && request.field("content-length") != Array("0".utf8)
      {
        throw .refused(.badRequest, "a request here has no body")
      }
      request.method = try method(words[0])
    }
    try setTarget(Self.local(Array(words[1]), &request), of: &request)
    let hosts = fields.count { $0.name.elementsEqual("host") }
    if hosts > 1 || hosts == 0 && minor > 0 {
      throw .refused(.badRequest, "a request has one Host")
    }
    if request.lists("close", in: "connection") { request.keepsAlive = false }
    return request
  }

  private static func minorVersion(_ word: ArraySlice<UInt8>) throws(Outcome) -> Int {
    if word.elementsEqual("HTTP/1.1") { return 1 }
    if word.elementsEqual("HTTP/1.0") { return 0 }
    let isHTTP = word.starts(with: "HTTP/".utf8) && word.count == 8
    throw .refused(isHTTP ? .versionNotSupported : .badRequest, "HTTP/1.1 is spoken here")
  }

  private static func field(_ line: ArraySlice<UInt8>) throws(Outcome) -> HTTPRequest.Field {
    guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > line.startIndex,
      line[..<colon].allSatisfy({ isTokenByte($0) })
    else { throw .refused(.badRequest, "a field without a proper name") }
    return HTTPRequest.Field(
      name: Array(line[..<colon]).lowercased, value: Array(line[(colon + 1)...]).trimmed)
  }

  /// A byte of a token (RFC 9110, 5.6.2).
  private static func isTokenByte(_ byte: UInt8) -> Bool {
    byte.isLetterOrDigit || byte < 0x80 && "!#$%&'*+-.^_`|~".utf8.contains(byte)
  }

  private static func bodyLength(
    of request: HTTPRequest, maximum: Int
  ) throws(Outcome) -> Int {
    if request.has("transfer-encoding") {
      throw .refused(.badRequest, "a body here is not encoded")
    }
    guard request.has("content-length") else {
      throw .refused(.lengthRequired, "give the length of the body")
    }
    let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
    guard let text = request.field("content-length"), !text.isEmpty,
      text.allSatisfy(digits.contains)
    else {
      throw .refused(.badRequest, "the length of the body is not a number")
    }
    let length =
      text.count > 15 ? Int.max : text.reduce(0) { $0 * 10 + Int($1 - digits.lowerBound) }
    if length > maximum { throw .refused(.tooLarge, "a body here has \(maximum) bytes at most") }
    return length
  }

  private static func method(_ word: ArraySlice<UInt8>) throws(Outcome) -> HTTPRequest.Method {
    if word.elementsEqual("GET") { return .get }
    if word.elementsEqual("HEAD") { return .head }
    throw .refused(
      word.allSatisfy { isTokenByte($0) } ? .methodNotAllowed : .badRequest,
      "only GET and HEAD are answered")
  }

  /// The path of an absolute address, `http://host/path`. Its host replaces the field Host (RFC
  /// 9112, 3.2.2).
  private static func local(_ word: [UInt8], _ request: inout HTTPRequest) -> [UInt8] {
    let scheme = Array("http://".utf8)
    guard word.prefix(scheme.count).map({ $0 | 0x20 }) == scheme.map({ $0 | 0x20 }) else {
      return word
    }
    let rest = word.dropFirst(scheme.count)
    let host = rest.prefix { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") }
    for index in request.fields.indices
    where request.fields[index].name.elementsEqual("host") {
      request.fields[index].value = Array(host)
    }
    let path = Array(rest.dropFirst(host.count))
    return path.first == UInt8(ascii: "/") ? path : [UInt8(ascii: "/")] + path
  }

  private static func setTarget(
    _ word: [UInt8], of request: inout HTTPRequest
  ) throws(Outcome) {
    guard word[0] == UInt8(ascii: "/"), word.allSatisfy({ $0 > 0x20 && $0 < 0x7F }),
      !word.contains(UInt8(ascii: "#"))
    else { throw .refused(.badRequest, "the address must begin with '/'") }
    guard let end = word.firstIndex(of: UInt8(ascii: "?")) else {
      request.path = word
      return
    }
    request.path = Array(word[..<end])
    request.parameters = try parameters(word[(end + 1)...])
  }

  private static func parameters(
    _ query: ArraySlice<UInt8>
  ) throws(Outcome) -> [HTTPRequest.Field] {
    var parameters: [HTTPRequest.Field] = []
    for pair in query.split(separator: UInt8(ascii: "&")) {
      let name = pair.prefix { $0 != UInt8(ascii: "=") }
      let value = pair.dropFirst(name.count + 1)
      // A plus means a space.
      let text = value.lazy.map { $0 == UInt8(ascii: "+") ? UInt8(ascii: " ") : $0 }
      guard let decoded = PercentText.decoded(text) else {
        throw .refused(.badRequest, "the address can't be decoded")
      }
      if parameters.contains(where: { $0.name.elementsEqual(name) }) {
        throw .refused(.badRequest, "a parameter is given twice")
      }
      parameters.append(HTTPRequest.Field(name: Array(name), value: decoded))
    }
    return parameters
  }
}
