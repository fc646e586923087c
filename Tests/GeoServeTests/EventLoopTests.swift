import GeoSystem
import Synchronization
import TestSupport
import Testing

@testable import GeoServe

#if canImport(Glibc)
  import Glibc
#endif

/// Clients that are slow, silent or gone, with limits so short that no test has to wait.
@Suite struct EventLoopTests {
  /// Answers `/now` at once and `/never` never.
  final class Answers: RequestHandler {
    let waiting = Mutex<[Reply]>([])
    let longAnswers = Atomic(0)

    func handle(_ request: HTTPRequest, _ reply: Reply) -> HTTPResponse? {
      if request.path == Array("/now".utf8) {
        return HTTPResponse(type: "text/plain", Array("done".utf8))
      }
      if request.path == Array("/long".utf8) {
        longAnswers.wrappingAdd(1, ordering: .relaxed)
        return HTTPResponse(type: "text/plain", [UInt8](repeating: 0x61, count: 64 << 20))
      }
      waiting.withLock { $0.append(reply) }
      return nil
    }

    func streamEnded(_ connection: UInt64) {}
  }

  let answers = Answers()
  let port: UInt16

  init() throws {
    var limits = ConnectionLimits()
    limits.connections = 20
    limits.request = 200_000_000
    limits.idle = 300_000_000
    limits.progress = 200_000_000
    limits.linger = 200_000_000
    let listener = try Listener(host: "127.0.0.1", port: 0)
    port = listener.port
    try WorkerThread.start { [answers, limits] in
      guard let poller = try? Poller(),
        let loop = try? EventLoop(
          listener, poller: poller, mailbox: Mailbox(waking: poller), limits: limits,
          handler: answers)
      else { return }
      try? loop.run()
    }
  }

  /// A connection, on which reading gives up after half a minute.
  private func connect() -> Int32 {
    let connection = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let size = socklen_t(MemoryLayout<sockaddr_in>.size)
    withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        _ = Glibc.connect(connection, $0, size)
      }
    }
    var patience = timeval(tv_sec: 30, tv_usec: 0)
    setsockopt(
      connection, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
    return connection
  }

  private func send(_ text: String, to connection: Int32) {
    let bytes = Array(text.utf8)
    _ = Glibc.send(connection, bytes, bytes.count, Int32(MSG_NOSIGNAL))
  }

  /// All that comes up to the end; nil if there is no end.
  private func receive(_ connection: Int32) -> String? {
    var bytes: [UInt8] = []
    var block = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = recv(connection, &block, block.count, 0)
      if count < 0 && errno == EAGAIN { return nil }
      if count <= 0 { return String(decoding: bytes, as: UTF8.self) }
      bytes += block[..<count]
    }
  }

  @Test func whoSaysNothingIsLetGo() {
    for beginning in ["", "GET /now HT", "GET /now HTTP/1.1\r\nHost: h\r\nX:"] {
      let connection = connect()
      send(beginning, to: connection)
      #expect(receive(connection) == "")
      close(connection)
    }
  }

  @Test func whoSendsNothingMoreIsLetGoAfterItsAnswer() throws {
    let connection = connect()
    send("GET /now HTTP/1.1\r\nHost: h\r\n\r\n", to: connection)
    #expect(try #require(receive(connection)).hasSuffix("done"))
    close(connection)
  }

  @Test func whoTakesNothingInIsLetGo() {
    let connection = connect()
    send("GET /long HTTP/1.1\r\nHost: h\r\n\r\n", to: connection)
    usleep(2_000_000)
    // What the system kept for it comes, and then the end.
    let text = receive(connection)
    #expect(text != nil && (text ?? "").utf8.count < 64 << 20)
    close(connection)
  }

  @Test func whoTakesNothingInIsNotAnsweredFurther() {
    let connection = connect()
    send(
      String(repeating: "GET /long HTTP/1.1\r\nHost: h\r\n\r\n", count: 100), to: connection)
    #expect(waitUntil { answers.longAnswers.load(ordering: .relaxed) > 0 })
    // The server lets it go some time later; until then nothing more is begun.
    usleep(600_000)
    #expect(answers.longAnswers.load(ordering: .relaxed) == 1)
    close(connection)
  }

  @Test func whoGivesUpIsForgotten() {
    let connection = connect()
    send("GET /never HTTP/1.1\r\nHost: h\r\n\r\n", to: connection)
    #expect(waitUntil { answers.waiting.withLock { !$0.isEmpty } })
    #expect(answers.waiting.withLock { !$0[0].isCancelled })
    close(connection)
    #expect(waitUntil { answers.waiting.withLock { $0[0].isCancelled } })
  }

  @Test func theLongestIdleMakesRoom() throws {
    let crowd = (0..<40).map { _ in connect() }
    let connection = connect()
    send("GET /now HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n", to: connection)
    #expect(try #require(receive(connection)).hasSuffix("done"))
    for connection in crowd + [connection] { close(connection) }
  }

  @Test func requestsAreAnsweredInTheirOrder() throws {
    let connection = connect()
    let one = "GET /now HTTP/1.1\r\nHost: h\r\n"
    send(
      String(repeating: one + "\r\n", count: 50) + one + "Connection: close\r\n\r\n", to: connection
    )
    let text = try #require(receive(connection))
    #expect(text.split(separator: "HTTP/1.1 200 OK").count == 51)
    close(connection)
  }
}
