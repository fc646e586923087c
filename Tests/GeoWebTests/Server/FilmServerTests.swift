import GeoChange
import GeoSystem
import TestSupport
import Testing

@testable import GeoWeb

#if canImport(Glibc)
  import Glibc
#endif

/// The server of a film takes its frames, and nothing else.
@Suite struct FilmServerTests {
  private let server: FilmServer
  private let token: String
  private static let patience = Int64(Patience.seconds) * 1_000_000_000

  init() throws {
    let world = try HistoryWorld.empty(labels: [Array("root".utf8)], .settled)
    var configuration = ServerConfiguration(roots: HistorySource(world).roots)
    configuration.assets = [
      PageAsset(path: "/", type: "text/html", bytes: Array("<title>page</title>".utf8))
    ]
    let size = try #require(FrameSize(parsing: Array("64x64".utf8)))
    server = try FilmServer(configuration, FilmPlan(size, rate: 1, frames: 2))
    token = String(try #require(server.address.split(separator: "=").last))
  }

  /// Sends a request, and perhaps a part of its body; the status of the answer.
  private func send(
    _ line: String, _ fields: String = "", body count: Int = 0, sent: Int? = nil
  ) throws -> Int {
    let connection = try Loopback.connect(to: server.port)
    defer { close(connection) }
    var text =
      "\(line) HTTP/1.1\r\nHost: 127.0.0.1:\(server.port)\r\nConnection: close\r\n\(fields)"
    if count > 0 { text += "Content-Length: \(count)\r\n" }
    let bytes = Array("\(text)\r\n".utf8) + [UInt8](repeating: 7, count: sent ?? count)
    _ = Glibc.send(connection, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    if let sent, sent < count { return 0 }
    let answer = String(decoding: readAll(connection), as: UTF8.self)
    return Int(answer.split(separator: " ").dropFirst().first ?? "") ?? 0
  }

  private static let bytes = 4 * 64 * 64

  @Test func framesAreAcceptedInOrder() throws {
    for number in 0..<2 {
      let (server, bytes) = (server, Self.bytes)
      // The answer waits until the frame is taken.
      let taken = BackgroundTask { () throws(Errno) in
        if case .frame(let frame)? = server.next(within: Self.patience) { frame.count } else { 0 }
      }
      taken.begin()
      // A frame that breaks off can be sent again.
      _ = try send("POST /film/\(number)?token=\(token)", body: bytes, sent: 100)
      var status = 409
      #expect(
        try waitUntil {
          status = try send("POST /film/\(number)?token=\(token)", body: bytes)
          return status != 409
        })
      #expect(try status == 204 && taken.finish() == bytes)
    }
    #expect(try send("POST /film/2?token=\(token)", body: Self.bytes) == 409)
  }

  @Test func otherRequestsAreRefused() throws {
    let (frame, foreign) = ("POST /film/0?token=\(token)", String(repeating: "0", count: 32))
    let size = Self.bytes
    #expect(try send("POST /film/0", body: size) == 401)
    #expect(try send("POST /film/0?token=\(foreign)", body: size) == 401)
    #expect(
      try send("POST /film/0", "Cookie: geomapper-\(server.port)=\(token)\r\n", body: size) == 401)
    #expect(try send(frame, "Origin: http://example.org\r\n", body: size) == 403)
    #expect(try send(frame, "Host: example.org\r\n", body: size) == 400)
    #expect(try send("POST /film/1?token=\(token)", body: size) == 409)
    #expect(try send("POST /film/00?token=\(token)", body: size) == 409)
    #expect(try send("POST /?token=\(token)", body: size) == 404)
    for wrong in [size - 1, size + 1] { #expect(try send(frame, body: wrong) == 400) }
    #expect(try send(frame) == 411)
    #expect(try send(frame, "Transfer-Encoding: chunked\r\n") == 400)
    #expect(try send(frame, "Content-Length: 33554433\r\n") == 413)
    #expect(try send(frame, "Content-Length: 99999999999999999999\r\n") == 413)
    #expect(try send(frame, "Content-Length: -1\r\n") == 400)
    #expect(try send("PUT /film/0?token=\(token)", body: size) == 400)
    #expect(try send("DELETE /film/0?token=\(token)") == 405)
    #expect(try send("GET /film/0?token=\(token)") == 404)
    #expect(try send("GET /events?token=\(token)") == 404)
    #expect(try send("GET /tilejson.json") == 401)
    #expect(try send("POST /film/failed?token=\(token)", body: 1 << 17) == 413)
    #expect(server.next(within: 0) == nil)
  }

  @Test func aFailureIsReported() throws {
    #expect(try send("POST /film/failed?token=\(token)", body: 3) == 204)
    #expect(server.next(within: Self.patience) == .failure([7, 7, 7]))
  }

  @Test(arguments: [
    ("1920x1080", true), ("3840x2160", true), ("64x64", true), ("8192x8192", false),
    ("1921x1080", false), ("1920x62", false), ("0x0", false), ("1920", false),
    ("1920x1080x2", false),
    ("-64x64", false), ("99999999999999999999x64", false), ("", false),
  ])
  func sizesAreEvenAndBounded(text: String, isSize: Bool) {
    #expect((FrameSize(parsing: Array(text.utf8)) != nil) == isSize)
  }
}
