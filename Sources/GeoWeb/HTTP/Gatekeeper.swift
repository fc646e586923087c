import GeoCore
import GeoSystem

/// Refuses requests of other sites' pages, and requests without the token if there is one.
struct Gatekeeper: Sendable {
  var port: UInt16
  /// The value of `--host`, in lower case.
  var host: [UInt8]
  /// The token that clients must send; nil if only users of this machine can connect, and all of
  /// them may.
  var token: [UInt8]?
  var origins: Set<WebOrigin> = []

  static func makeToken() throws(Errno) -> [UInt8] {
    Array(Base16.encode(try ThisProcess.randomBytes(16)).utf8)
  }

  func refusal(of request: HTTPRequest) -> HTTPResponse? {
    // In a DNS rebinding attack, Host has a foreign name that points to this machine.
    guard let host = request.field("host"), isOurs(host) else {
      return HTTPResponse(
        error: .misdirected, "this server is not known by that name; see --host")
    }
    if let response = crossSiteRefusal(of: request, host: host) { return response }
    return tokenRefusal(of: request)
  }

  /// Whether a Host, or an Origin without its scheme, means this server.
  func isOurs(_ authority: [UInt8]) -> Bool {
    let authority = authority.lowercased
    var name = authority[...]
    var port: [UInt8] = Array("80".utf8)
    if let colon = authority.lastIndex(of: UInt8(ascii: ":")),
      !authority[colon...].contains(UInt8(ascii: "]"))
    {
      name = authority[..<colon]
      port = Array(authority[(colon + 1)...])
    }
    guard port == Array(String(self.port).utf8) else { return false }
    let text = Array(name)
    if text.elementsEqual("localhost") || text.elementsEqual("127.0.0.1")
      || text.elementsEqual("[::1]") || text == host || text == [0x5B] + host + [0x5D]
    {
      return true
    }
    // With a token any numeric address is accepted: a rebound page always has a name.
    return token != nil && Self.isAddress(text)
  }

  private static func isAddress(_ text: [UInt8]) -> Bool {
    if text.first == UInt8(ascii: "["), text.last == UInt8(ascii: "]") { return true }
    let parts = text.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    return parts.count == 4
      && parts.allSatisfy { $0.count <= 3 && Int64(wholeNumber: $0) != nil }
  }

  private func crossSiteRefusal(of request: HTTPRequest, host: [UInt8]) -> HTTPResponse? {
    if request.has("origin") {
      guard let origin = request.field("origin") else {
        return HTTPResponse(error: .forbidden, "a request has one Origin")
      }
      if let known = WebOrigin(parsing: origin),
        origins.contains(known) || known == WebOrigin(parsing: Array("http://".utf8) + host)
      {
        return nil
      }
      return HTTPResponse(error: .forbidden, "pages of other sites are not answered")
    }
    guard request.has("sec-fetch-site") else { return nil }
    let site = request.field("sec-fetch-site") ?? []
    if site.elementsEqual("same-origin") || site.elementsEqual("none") { return nil }
    // A link on another page may open the map: that page can't read the answer.
    let isVisit =
      request.path.elementsEqual("/")
      && request.field("sec-fetch-mode")?.elementsEqual("navigate") == true
      && request.field("sec-fetch-dest")?.elementsEqual("document") == true
    return isVisit ? nil : HTTPResponse(error: .forbidden, "pages of other sites are not answered")
  }

  func fields(for request: HTTPRequest) -> [(name: String, value: String)] {
    if origins.isEmpty { return [] }
    guard let origin = request.field("origin"), let known = WebOrigin(parsing: origin),
      origins.contains(known)
    else {
      return [("Vary", "Origin")]
    }
    return [
      ("Vary", "Origin"),
      ("Access-Control-Allow-Origin", String(decoding: origin, as: UTF8.self)),
      ("Cross-Origin-Resource-Policy", "cross-origin"),
    ]
  }

  private func tokenRefusal(of request: HTTPRequest) -> HTTPResponse? {
    guard let token else { return nil }
    if shownToken(request) != nil {
      guard request.path.elementsEqual("/") else { return nil }
      // The cookie replaces the token in the address.
      var response = HTTPResponse(.found)
      response.fields = [
        ("Location", "/"),
        (
          "Set-Cookie",
          "\(cookieName)=\(String(decoding: token, as: UTF8.self)); Path=/; HttpOnly; "
            + "SameSite=Strict"
        ),
      ]
      return response
    }
    if let cookie = cookie(of: request), Self.isSame(cookie, token) { return nil }
    if let bearer = request.field("authorization"), bearer.starts(with: "Bearer ".utf8),
      Self.isSame(Array(bearer.dropFirst(7)), token)
    {
      return nil
    }
    return HTTPResponse(
      error: .unauthorized, "open the address that the server has printed, with its token")
  }

  /// The token, if the request has it in its address.
  func shownToken(_ request: HTTPRequest) -> String? {
    guard let token, let shown = request.parameter("token"), Self.isSame(shown, token) else {
      return nil
    }
    return String(decoding: token, as: UTF8.self)
  }

  /// Cookies are shared by all ports of a host, so the name contains the port.
  private var cookieName: String { "geomapper-\(port)" }

  private func cookie(of request: HTTPRequest) -> [UInt8]? {
    let name = Array("\(cookieName)=".utf8)
    for field in request.fields where field.name.elementsEqual("cookie") {
      for part in field.value.split(separator: UInt8(ascii: ";")) {
        let part = Array(part).trimmed
        if part.starts(with: name) { return Array(part.dropFirst(name.count)) }
      }
    }
    return nil
  }

  /// Compares in constant time, so that timing doesn't reveal where texts differ.
  static func isSame(_ a: [UInt8], _ b: [UInt8]) -> Bool {
    if a.count != b.count { return false }
    var difference: UInt8 = 0
    for index in a.indices { difference |= a[index] ^ b[index] }
    return difference == 0
  }
}

/// The origin of a page: scheme, host and port (RFC 6454), as browsers compare them.
package struct WebOrigin: Hashable, Sendable {
  /// The origin as browsers write it: in lower case, without the scheme's default port.
  package let text: [UInt8]

  /// nil if the text is not an HTTP or HTTPS origin. Case, the scheme's default port and a slash at
  /// the end make no difference.
  package init?(parsing text: [UInt8]) {
    var rest = text.lowercased[...]
    var ownPort = 80
    if rest.starts(with: "https://".utf8) {
      ownPort = 443
    } else if !rest.starts(with: "http://".utf8) {
      return nil
    }
    let scheme = rest.prefix { $0 != UInt8(ascii: "/") }
    rest = rest.dropFirst(scheme.count + 2)
    if rest.last == UInt8(ascii: "/") { rest.removeLast() }
    let host = Self.host(of: rest)
    var origin = scheme + "//".utf8 + host
    let port = rest.dropFirst(host.count)
    if host.isEmpty { return nil }
    if !port.isEmpty {
      let digits = port.dropFirst()
      guard port.first == UInt8(ascii: ":"), digits.count <= 5,
        let number = Int64(wholeNumber: digits), (1...0xFFFF).contains(number)
      else { return nil }
      if number != ownPort { origin += Array(":\(number)".utf8) }
    }
    self.text = Array(origin)
  }

  /// The host at the start of a text: a name, an address, or an address in brackets; empty if the
  /// text starts with no host.
  private static func host(of text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    let isHex = { (byte: UInt8) in (0x30...0x39).contains(byte) || (0x61...0x66).contains(byte) }
    if text.first == UInt8(ascii: "[") {
      let inner = text.dropFirst().prefix { isHex($0) || $0 == 0x3A || $0 == 0x2E }
      let end = inner.endIndex
      guard !inner.isEmpty, end < text.endIndex, text[end] == UInt8(ascii: "]") else { return [] }
      return text[...end]
    }
    return text.prefix {
      (0x30...0x39).contains($0) || (0x61...0x7A).contains($0) || [0x2D, 0x2E, 0x5F].contains($0)
    }
  }
}
