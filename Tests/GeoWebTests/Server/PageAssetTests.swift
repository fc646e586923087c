import GeoCore
import Testing

@testable import GeoWeb

/// Page files that the server adds to.
@Suite struct PageAssetTests {
  private func body(_ asset: PageAsset) throws -> String {
    let request = try #require(Self.request)
    return String(decoding: asset.representation(for: request).body, as: UTF8.self)
  }

  private static var request: HTTPRequest? {
    let text = "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"
    guard case .request(let request, _) = HTTPParser.parse(Array(text.utf8)) else { return nil }
    return request
  }

  @Test(arguments: [("<a>x</a>", "<a>xNEW</a>"), ("</a></a>", "NEW</a></a>"), ("none", "noneNEW")])
  func addsBeforeAText(before: String, after: String) throws {
    let asset = PageAsset(path: "/", type: "text/html", bytes: Array(before.utf8))
    let more = asset.adding(Array("NEW".utf8), before: "</a>")
    #expect(try body(more) == after)
    #expect(more.path == "/")
    // Other contents have another ETag.
    let request = try #require(Self.request)
    #expect(
      more.representation(for: request).tag != asset.representation(for: request).tag)
  }
}
