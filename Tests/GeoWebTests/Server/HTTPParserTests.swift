import TestSupport
import Testing

@testable import GeoWeb

extension HTTPParser {
  /// The outcome for bytes that come at once.
  static func parse(_ bytes: [UInt8], maximumBody: Int = 0) -> Outcome {
    var parser = HTTPParser()
    return parser.parse(bytes, maximumBody: maximumBody)
  }
}

extension HTTPParser.Outcome {
  /// The length of a request, or the status of a refusal.
  fileprivate var summary: String {
    switch self {
    case .incomplete: "incomplete"
    case .request(let request, let length): "\(request.method) \(length) \(request.path)"
    case .refused(let status, let reason): "\(status) \(reason)"
    }
  }
}

/// Requests are parsed strictly, in pieces of any size.
@Suite struct HTTPParserTests {
  private func parse(_ text: String) -> HTTPParser.Outcome { HTTPParser.parse(Array(text.utf8)) }

  private func request(_ text: String) throws -> HTTPRequest {
    guard case .request(let request, let length) = parse(text) else {
      throw Refused(outcome: "\(parse(text))")
    }
    #expect(length == text.utf8.count)
    return request
  }

  private struct Refused: Error {
    let outcome: String
  }

  @Test func parsesRequests() throws {
    let request = try request(
      "GET /node?path=a%2Fb%20c&x=1 HTTP/1.1\r\nHost: h\r\nX-Two:\t words here \r\n\r\n")
    #expect(request.method == .get)
    #expect(request.path == Array("/node".utf8))
    #expect(request.parameter("path") == Array("a/b c".utf8))
    #expect(request.text("x") == "1")
    #expect(request.parameter("y") == nil)
    #expect(request.field("x-two") == Array("words here".utf8))
    #expect(request.keepsAlive && request.takesChunks)
  }

  @Test func oldClientsGetNoChunks() throws {
    let request = try request("HEAD / HTTP/1.0\r\n\r\n")
    #expect(request.method == .head)
    #expect(!request.keepsAlive && !request.takesChunks)
    #expect(try !self.request("GET / HTTP/1.1\r\nHost: h\r\nConnection: Close\r\n\r\n").keepsAlive)
  }

  @Test(arguments: [
    ("gzip", true), ("deflate, GZIP;q=0.5", true), ("gzip;q=0", false), ("gzip; q=0.000", false),
    ("identity", false), ("x-gzip", false), ("br,gzip", true),
  ])
  func acceptedEncodingsAreParsed(value: String, takes: Bool) throws {
    let request = try request("GET / HTTP/1.1\r\nHost: h\r\nAccept-Encoding: \(value)\r\n\r\n")
    #expect(request.lists("gzip", in: "accept-encoding") == takes)
  }

  @Test func everyPrefixIsIncomplete() {
    let text = Array("GET /a?b HTTP/1.1\r\nHost: h\r\nA: b\r\n\r\n".utf8)
    for count in 0..<text.count {
      guard case .incomplete = HTTPParser.parse(Array(text[..<count])) else {
        Issue.record("\(count) bytes are a request")
        continue
      }
    }
  }

  /// Each byte is looked at once: this takes a moment, not minutes.
  @Test func slowHeadersTakeLinearTime() {
    let text =
      Array("GET / HTTP/1.1\r\nHost: h\r\nX: ".utf8) + [UInt8](repeating: 0x61, count: 16_000)
    var parser = HTTPParser()
    var bytes: [UInt8] = []
    for byte in text {
      bytes.append(byte)
      #expect(parser.parse(bytes).summary == "incomplete")
    }
    #expect(parser.parse(bytes + Array("\r\n\r\n".utf8)).summary.hasPrefix("get "))
  }

  @Test(arguments: ["/summary?path=%zz", "/summary?path=a&path=b", "/?%", "/?a=%4"])
  func malformedParametersAreRefused(target: String) {
    // A name is not decoded, so any byte is fine there.
    let isFine = target == "/?%"
    guard case .refused(.badRequest, _) = parse("GET \(target) HTTP/1.1\r\nHost: h\r\n\r\n") else {
      if !isFine { Issue.record("\(target) is taken") }
      return
    }
    #expect(!isFine)
  }

  @Test(arguments: [
    "POST / HTTP/1.1\r\nHost: h\r\n\r\n",
    "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 1\r\n\r\na",
    "GET / HTTP/1.1\r\nHost: h\r\nContent-Length: 1\r\n\r\na",
  ])
  func bodiesAreRefusedUnlessAllowed(text: String) {
    guard case .refused = parse(text) else {
      Issue.record("\(text) is a request")
      return
    }
    // A server of films takes a POST with the length of its body.
    var isTaken = false
    if case .request(let request, _) = HTTPParser.parse(Array(text.utf8), maximumBody: 1) {
      isTaken = request.method == .post && request.bodyLength == 1
    }
    #expect(isTaken == (text.hasPrefix("POST") && text.contains("Length")))
  }

  @Test func anyBytesAreParsed() throws {
    let pieces = [
      "GET", " ", "/", "HTTP/1.1", "\r\n", "\n", "\r", "Host: h", ":", "Content-Length: 0", "\u{0}",
      "Transfer-Encoding: chunked", "%", "?", "é", "a", "http://", "\t", "#",
    ].map { Array($0.utf8) }
    let property = Property<[UInt8]>("parser") { generator in
      (0..<generator.number(in: 0...14)).flatMap { _ in
        pieces[generator.number(in: 0...(pieces.count - 1))]
      }
    } fault: { bytes in
      // Bytes that come one by one mean the same.
      var parser = HTTPParser()
      var prefix: [UInt8] = []
      for byte in bytes {
        prefix.append(byte)
        let (one, all) = (parser.parse(prefix), HTTPParser.parse(prefix))
        if one.summary != all.summary { return "\(one.summary), not \(all.summary)" }
        guard case .incomplete = one else { break }
      }
      // At most one request, and its parts are within the bytes.
      guard case .request(let request, let length) = HTTPParser.parse(bytes) else { return nil }
      if length > bytes.count { return "longer than what came" }
      if request.path.first != UInt8(ascii: "/") { return "a path without a slash" }
      return Array(bytes[..<length]).suffix(4) == [13, 10, 13, 10] ? nil : "no end of a request"
    }
    let found = try property.counterexample(cases: 3_000)
    #expect(found == nil, "\(found.map(String.init(describing:)) ?? "")")
  }
}
