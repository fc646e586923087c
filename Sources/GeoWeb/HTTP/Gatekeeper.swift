import GeoCore
import GeoSystem

/// Decides who is let in: no other site's page, and nobody without the token where there is one.
struct Gatekeeper: Sendable {
  /// The port that is listened at.
  var port: UInt16
  /// The name that was given as `--host`, in lower case.
  var host: [UInt8]
  /// What clients have to show; nil if nobody but this machine's users can connect, and all of them
  /// may.
  var token: [UInt8]?
  /// Origins of other pages that may ask, such as `https://example.org`.
  var origins: Set<WebOrigin> = []

  /// Letters that nobody can guess: 128 bits in base 16.
  static func makeToken() throws(Errno) -> [UInt8] {
    Array(Base16.encode(try ThisProcess.randomBytes(16)).utf8)
  }

  /// The answer to a request that must not go on; nil for one that may.
  func refusal(of request: HTTPRequest) -> HTTPResponse? {
    // A name that a foreign page had pointed here would stand in Host (DNS rebinding).
    guard let host = request.field("host"), isOurs(host) else {
      return HTTPResponse(
        error: .misdirected, "this server is not known by that name; see --host")
    }
    if let response = crossSiteRefusal(of: request, host: host) { return response }
    return tokenRefusal(of: request)
  }

  /// Whether a Host, or what follows the scheme of an Origin, means this server.
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
    // With a token any address of this machine will do; a foreign page always has a name.
    return token != nil && Self.isAddress(text)
  }

  /// Whether a host is an address in figures.
  private static func isAddress(_ text: [UInt8]) -> Bool {
    if text.first == UInt8(ascii: "["), text.last == UInt8(ascii: "]") { return true }
    let parts = text.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    return parts.count == 4
      && parts.allSatisfy { part in
        (1...3).contains(part.count)
          && part.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
      }
  }

  /// Refuses what another site's page asks for.
  private func crossSiteRefusal(of request: HTTPRequest, host: [UInt8]) -> HTTPResponse? {
    if request.has("origin") {
      guard let origin = request.field("origin") else {
        return HTTPResponse(error: .forbidden, "a request has one Origin")
      }
      let known = WebOrigin(parsing: origin)
      if let known, origins.contains(known) { return nil }
      if known == nil || known != WebOrigin(parsing: Array("http://".utf8) + host) {
        return HTTPResponse(error: .forbidden, "pages of other sites are not answered")
      }
      return nil
    }
    guard request.has("sec-fetch-site") else { return nil }
    let site = request.field("sec-fetch-site") ?? []
    if site.elementsEqual("same-origin") || site.elementsEqual("none") { return nil }
    // A link on another page may lead to the map: it is opened, not read.
    let isVisit =
      request.path.elementsEqual("/")
      && request.field("sec-fetch-mode")?.elementsEqual("navigate") == true
      && request.field("sec-fetch-dest")?.elementsEqual("document") == true
    return isVisit ? nil : HTTPResponse(error: .forbidden, "pages of other sites are not answered")
  }

  /// The field that lets a page of an allowed origin read the answer.
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

  /// Refuses who doesn't have the token.
  private func tokenRefusal(of request: HTTPRequest) -> HTTPResponse? {
    guard let token else { return nil }
    if shownToken(request) != nil {
      guard request.path.elementsEqual("/") else { return nil }
      // From now on the cookie tells; the token leaves the address.
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

  /// The token, if a request has it in its address.
  func shownToken(_ request: HTTPRequest) -> String? {
    guard let token, let shown = request.parameter("token"), Self.isSame(shown, token) else {
      return nil
    }
    return String(decoding: token, as: UTF8.self)
  }

  /// Cookies know no ports: each server has a name of its own.
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

  /// Compares in a time that says nothing about where two texts differ.
  static func isSame(_ a: [UInt8], _ b: [UInt8]) -> Bool {
    if a.count != b.count { return false }
    var difference: UInt8 = 0
    for index in a.indices { difference |= a[index] ^ b[index] }
    return difference == 0
  }
}

/// Where a page comes from: a scheme, a host and a port (RFC 6454), as browsers compare them.
package struct WebOrigin: Hashable, Sendable {
  /// The origin as browsers write it: in small letters, without the port that the scheme has anyway.
  package let text: [UInt8]

  /// Reads an origin such as `https://example.org`; nil if it isn't one of HTTP.
  ///
  /// Capitals, the scheme's own port and a slash at the end make no difference.
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
      guard port.first == UInt8(ascii: ":"), (1...5).contains(digits.count),
        digits.allSatisfy({ (0x30...0x39).contains($0) })
      else { return nil }
      let number = digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
      guard (1...0xFFFF).contains(number) else { return nil }
      if number != ownPort { origin += Array(":\(number)".utf8) }
    }
    self.text = Array(origin)
  }

  /// The host at the beginning of a text: a name, an address, or an address in brackets; nothing if
  /// there is none.
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
