import Testing

@testable import GeoWeb

@Suite struct GatekeeperTests {
  @Test func tokensAreComparedWhole() throws {
    let token = try Gatekeeper.makeToken()
    #expect(token.count == 32)
    #expect(try Gatekeeper.makeToken() != token)
    #expect(Gatekeeper.isSame(token, token))
    for index in token.indices {
      var other = token
      other[index] ^= 1
      #expect(!Gatekeeper.isSame(other, token))
    }
    #expect(!Gatekeeper.isSame(Array(token.dropLast()), token))
    #expect(!Gatekeeper.isSame([], token))
  }

  @Test(arguments: [
    ("localhost:81", true), ("127.0.0.1:81", true), ("[::1]:81", true), ("localhost", false),
    ("localhost:80", false), ("127.0.0.2:81", false), ("[::1]", false), ("", false), (":81", false),
    ("example.org:81", false), ("localhost:81:81", false),
  ])
  func onlyOwnHostNamesAreAccepted(host: String, isKnown: Bool) {
    let gatekeeper = Gatekeeper(port: 81, host: Array("127.0.0.1".utf8), token: nil)
    #expect(gatekeeper.isOurs(Array(host.utf8)) == isKnown)
  }

  @Test func tokensAllowAnyAddressButNoOtherName() {
    let gatekeeper = Gatekeeper(port: 80, host: Array("box.local".utf8), token: [1])
    for host in ["192.168.1.7", "[fe80::1]:80", "box.local", "BOX.local:80"] {
      #expect(gatekeeper.isOurs(Array(host.utf8)), "\(host)")
    }
    for host in ["1.2.3", "1.2.3.4.example", "evil.example", "999.1.1.x", "192.168.1.7:81"] {
      #expect(!gatekeeper.isOurs(Array(host.utf8)), "\(host)")
    }
  }

  @Test(arguments: [
    ("https://example.org", "https://example.org"),
    ("https://example.org:443", "https://example.org"),
    ("http://example.org:80/", "http://example.org"), ("HTTP://Example.ORG", "http://example.org"),
    ("http://example.org:443", "http://example.org:443"),
    ("http://[::1]:8080", "http://[::1]:8080"),
    ("http://a_b-c.example:08080", "http://a_b-c.example:8080"),
    ("https://1.2.3.4", "https://1.2.3.4"),
    ("example.org", nil), ("ftp://example.org", nil), ("http://", nil), ("http:///", nil),
    ("http://a:", nil), ("http://a:0", nil), ("http://a:65536", nil), ("http://a:b", nil),
    ("http://a/b", nil), ("http://a//", nil), ("http://a b", nil), ("http://u@a", nil),
    ("http://[::1", nil), ("http://[]", nil), ("http://::1", nil), ("null", nil), ("", nil),
  ])
  func originsAreNormalized(text: String, origin: String?) {
    let read = WebOrigin(parsing: Array(text.utf8))
    #expect(read.map { String(decoding: $0.text, as: UTF8.self) } == origin)
  }
}
