import GeoSystem
import TestSupport
import Testing

@testable import GeoWeb

#if canImport(Glibc)
  import Glibc
#endif

/// Clients that are slow, silent or gone, with a clock that tests set.
@Suite struct EventLoopTests {
  private let server: TestServer
  private var answers: TestServer.Answers { server.answers }

  init() throws {
    var limits = ConnectionLimits()
    limits.connections = 20
    server = try TestServer(limits)
  }

  @Test func silentConnectionsAreClosed() {
    for beginning in ["", "GET /now HT", "GET /now HTTP/1.1\r\nHost: h\r\nX:"] {
      let connection = server.connect()
      server.send(beginning, to: connection)
      #expect(server.receiveAsTimePasses(connection) == "")
      close(connection)
    }
  }

  @Test func slowRequestsAreClosed() throws {
    let connection = server.connect()
    for character in "GET /now HTTP/1.1\r\nX: " + String(repeating: "a", count: 60) {
      server.send(String(character), to: connection)
      server.letPass(seconds: 1)
      try server.comeToRest()
    }
    // If it is still connected, this completes a request, which is answered.
    server.send("\r\nHost: h\r\nConnection: close\r\n\r\n", to: connection)
    #expect(server.receive(connection) == "")
    close(connection)
  }

  @Test func idleConnectionsAreClosedAfterTheirAnswer() throws {
    let connection = server.connect()
    server.send("GET /now HTTP/1.1\r\nHost: h\r\n\r\n", to: connection)
    #expect(try #require(server.receiveAsTimePasses(connection)).hasSuffix("done"))
    close(connection)
  }

  /// Sends requests from a client that never reads; the first answer begins, and then the
  /// connection is stuck.
  private func send(_ count: Int, on connection: Int32) throws {
    let request = "GET /long HTTP/1.1\r\nHost: h\r\n\r\n"
    server.send(String(repeating: request, count: count), to: connection)
    #expect(waitUntil { answers.longAnswers.load(ordering: .relaxed) > 0 })
    try server.comeToRest()
  }

  @Test func connectionsThatReadNothingAreClosed() throws {
    let connection = server.connect()
    try send(1, on: connection)
    for _ in 0..<3 {
      server.letPass(seconds: 60)
      try server.comeToRest()
    }
    // The bytes that the system buffered arrive, and then the end.
    let text = server.receive(connection)
    #expect(text != nil && (text ?? "").utf8.count < 64 << 20)
    close(connection)
  }

  @Test func connectionsThatReadNothingGetNoMoreAnswers() throws {
    let connection = server.connect()
    try send(100, on: connection)
    #expect(answers.longAnswers.load(ordering: .relaxed) == 1)
    // The server drops it some time later, and starts no further answers until then.
    server.letPass(seconds: 60)
    try server.comeToRest()
    #expect(answers.longAnswers.load(ordering: .relaxed) == 1)
    close(connection)
  }

  @Test func closedConnectionsCancelTheirRequest() {
    let connection = server.connect()
    server.send("GET /never HTTP/1.1\r\nHost: h\r\n\r\n", to: connection)
    #expect(waitUntil { answers.waiting.withLock { !$0.isEmpty } })
    #expect(answers.waiting.withLock { !$0[0].isCancelled })
    close(connection)
    #expect(waitUntil { answers.waiting.withLock { $0[0].isCancelled } })
  }

  @Test func manyConnectionsDontBlockNewOnes() throws {
    let crowd = (0..<40).map { _ in server.connect() }
    let connection = server.connect()
    server.send("GET /now HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n", to: connection)
    #expect(try #require(server.receive(connection)).hasSuffix("done"))
    for connection in crowd + [connection] { close(connection) }
  }

  @Test func requestsAreAnsweredInTheirOrder() throws {
    let connection = server.connect()
    let one = "GET /now HTTP/1.1\r\nHost: h\r\n"
    server.send(
      String(repeating: one + "\r\n", count: 50) + one + "Connection: close\r\n\r\n", to: connection
    )
    let text = try #require(server.receive(connection))
    #expect(text.split(separator: "HTTP/1.1 200 OK").count == 51)
    close(connection)
  }
}
