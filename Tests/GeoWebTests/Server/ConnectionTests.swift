import GeoSystem
import TestSupport
import Testing

@testable import GeoWeb

#if canImport(Glibc)
  import Glibc
#endif

/// How connections end, whatever their clients do, within the server's limits.
@Suite struct ConnectionTests {
  private let now = "GET /now HTTP/1.1\r\nHost: h\r\n\r\n"
  private let last = "GET /now HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n"

  /// More than a server reads while it is busy otherwise.
  private let stuffing = String(repeating: "x", count: Connection.maximumInput + 1000)

  @Test(arguments: ["/never", "/stream"])
  func closingAfterTooMuchInputEndsTheRequest(path: String) throws {
    let server = try TestServer()
    let connection = server.connect()
    server.send("GET \(path) HTTP/1.1\r\nHost: h\r\n\r\n" + stuffing, to: connection)
    #expect(waitUntil { server.answers.waiting.withLock { !$0.isEmpty } })
    #expect(server.answers.waiting.withLock { !$0[0].isCancelled })
    shutdown(connection, Int32(SHUT_WR))
    #expect(waitUntil { server.answers.waiting.withLock { $0[0].isCancelled } })
    close(connection)
  }

  @Test func tooMuchInputStillGetsItsAnswer() throws {
    let server = try TestServer()
    let connection = server.connect()
    server.send("GET /never HTTP/1.1\r\nHost: h\r\n\r\n" + stuffing, to: connection)
    #expect(waitUntil { server.answers.waiting.withLock { !$0.isEmpty } })
    server.answers.waiting.withLock { $0[0] }.send(
      HTTPResponse(type: "text/plain", Array("here".utf8)))
    #expect(server.receive(connection, upTo: "here") != nil)
    close(connection)
  }

  @Test func headOfAStreamHasFieldsOnly() throws {
    let server = try TestServer()
    let connection = server.connect()
    server.send("HEAD /stream HTTP/1.1\r\nHost: h\r\n\r\n" + last, to: connection)
    let text = try #require(server.receive(connection))
    #expect(text.split(separator: "HTTP/1.1 200 OK").count == 2)
    #expect(text.hasSuffix("done"))
    #expect(server.answers.waiting.withLock { $0.allSatisfy(\.isCancelled) })
    close(connection)
  }

  @Test func longestIdleConnectionIsClosed() throws {
    var limits = ConnectionLimits()
    limits.connections = 3
    let server = try TestServer(limits)
    let first = (0..<3).map { _ in server.connect() }
    // The first connection sends again, so the second one is idle the longest.
    for index in [0, 1, 2, 0] {
      server.send(now, to: first[index])
      #expect(server.receive(first[index], upTo: "done") != nil)
      server.letPass(seconds: 1)
    }
    let another = server.connect()
    server.send(now, to: another)
    #expect(server.receive(another, upTo: "done") != nil)
    #expect(server.receive(first[1]) == "")
    for index in [0, 2] {
      server.send(now, to: first[index])
      #expect(server.receive(first[index], upTo: "done") != nil)
    }
    for connection in first + [another] { close(connection) }
  }

  @Test func busyConnectionsAreClosedLast() throws {
    var limits = ConnectionLimits()
    limits.connections = 2
    let server = try TestServer(limits)
    let (busy, idle) = (server.connect(), server.connect())
    server.send("GET /never HTTP/1.1\r\nHost: h\r\n\r\n", to: busy)
    #expect(waitUntil { server.answers.waiting.withLock { !$0.isEmpty } })
    server.send(now, to: idle)
    #expect(server.receive(idle, upTo: "done") != nil)
    let another = server.connect()
    server.send(now, to: another)
    #expect(server.receive(another, upTo: "done") != nil)
    #expect(server.receive(idle) == "")
    #expect(server.answers.waiting.withLock { !$0[0].isCancelled })
    for connection in [busy, idle, another] { close(connection) }
  }

  @Test func pipelinedRequestsTakeNoStack() throws {
    let server = try TestServer(stackSize: 256 * 1024)
    let connection = server.connect()
    server.send(String(repeating: now, count: 3000) + last, to: connection)
    let text = try #require(server.receive(connection))
    #expect(text.split(separator: "HTTP/1.1 200 OK").count == 3001)
    close(connection)
  }
}
