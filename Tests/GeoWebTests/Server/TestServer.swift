import GeoSystem
import Synchronization
import TestSupport
import Testing

@testable import GeoWeb

#if canImport(Glibc)
  import Glibc
#endif

/// An event loop on its own thread, with a handler for tests.
struct TestServer {
  /// Answers `/now` at once, `/long` with a long body, `/stream` with a stream, and other requests
  /// never.
  final class Answers: RequestHandler {
    let waiting = Mutex<[Reply]>([])
    let longAnswers = Atomic(0)
    let endedStreams = Atomic(0)

    func handle(_ request: HTTPRequest, _ reply: Reply) -> HTTPResponse? {
      if request.path.elementsEqual("/now") {
        return HTTPResponse(type: "text/plain", Array("done".utf8))
      }
      if request.path.elementsEqual("/long") {
        longAnswers.wrappingAdd(1, ordering: .relaxed)
        return HTTPResponse(type: "text/plain", [UInt8](repeating: 0x61, count: 64 << 20))
      }
      waiting.withLock { $0.append(reply) }
      return request.path.elementsEqual("/stream") ? HTTPResponse(streamOf: "text/plain") : nil
    }

    func streamEnded(_ connection: UInt64) { endedStreams.wrappingAdd(1, ordering: .relaxed) }
  }

  /// A clock that only tests advance.
  private final class HandClock: Sendable {
    let time = Atomic<Int64>(1_000_000_000)
  }

  let answers = Answers()
  let port: UInt16
  private let clock = HandClock()

  init(_ limits: ConnectionLimits = ConnectionLimits(), stackSize: Int = 512 * 1024) throws {
    let listener = try Listener(host: "127.0.0.1", port: 0)
    port = listener.port
    try WorkerThread.start(stackSize: stackSize) { [answers, limits, clock] in
      guard let poller = try? Poller(),
        let loop = try? EventLoop(
          listener, poller: poller, mailbox: Mailbox(waking: poller), limits: limits,
          handler: answers, clock: { clock.time.load(ordering: .relaxed) })
      else { return }
      try? loop.run()
    }
  }

  /// Advances the server's clock.
  func letPass(seconds: Int64) { clock.time.add(seconds * 1_000_000_000, ordering: .relaxed) }

  /// Returns after the server has handled all earlier actions of clients.
  func comeToRest() throws {
    for _ in 0..<2 {
      let connection = connect()
      defer { close(connection) }
      send("GET /now HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n", to: connection)
      #expect(try #require(receive(connection)).hasSuffix("done"))
    }
  }

  /// Opens a connection with a read timeout.
  func connect() -> Int32 {
    guard let connection = try? Loopback.connect(to: port) else { return -1 }
    var patience = timeval(tv_sec: Patience.seconds, tv_usec: 0)
    setsockopt(
      connection, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
    return connection
  }

  func send(_ text: String, to connection: Int32) {
    let bytes = Array(text.utf8)
    _ = Glibc.send(connection, bytes, bytes.count, Int32(MSG_NOSIGNAL))
  }

  /// Reads to the end; nil if the end doesn't come.
  func receive(_ connection: Int32) -> String? {
    var bytes: [UInt8] = []
    var block = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = recv(connection, &block, block.count, 0)
      if count < 0 && errno == EAGAIN { return nil }
      if count <= 0 { return String(decoding: bytes, as: UTF8.self) }
      bytes += block[..<count]
    }
  }

  /// Reads to the end while the clock advances.
  func receiveAsTimePasses(_ connection: Int32) -> String? {
    var bytes: [UInt8] = []
    let ends = waitUntil {
      var request = pollfd(fd: connection, events: Int16(POLLIN), revents: 0)
      if poll(&request, 1, 0) == 0 {
        letPass(seconds: 1)
        return false
      }
      let more = readSome(connection)
      bytes += more
      return more.isEmpty
    }
    return ends ? String(decoding: bytes, as: UTF8.self) : nil
  }

  /// Reads up to the given text; nil if it doesn't come.
  func receive(_ connection: Int32, upTo text: String) -> String? {
    var bytes: [UInt8] = []
    var byte: UInt8 = 0
    while !bytes.suffix(text.utf8.count).elementsEqual(text.utf8) {
      if recv(connection, &byte, 1, 0) != 1 { return nil }
      bytes.append(byte)
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
