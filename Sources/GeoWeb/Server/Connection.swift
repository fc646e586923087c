import GeoSystem
import Synchronization

/// A connection to a client, used only by the thread of the event loop.
final class Connection {
  enum State {
    case idle
    case reading
    case receiving(HTTPRequest)
    case answering(Reply, isHead: Bool)
    /// A stream is being sent, chunked or up to the end of the connection.
    case streaming(Reply, isChunked: Bool)
    case closing
    /// Everything is sent, and further input is discarded: closing at once could make the system
    /// drop the last answer.
    case lingering
  }

  let number: UInt64
  let descriptor: Descriptor
  var state = State.idle
  var input: [UInt8] = []
  var parser = HTTPParser()
  /// The body of the request, and the number of its bytes that have arrived.
  private var body: (bytes: [UInt8], count: Int) = ([], 0)
  private(set) var output: [UInt8] = []
  private var sent = 0
  /// Whether another request may follow the one being answered.
  var keepsAlive = true
  var takesChunks = true
  /// The time in nanoseconds at which it is closed if nothing happens until then.
  var deadline: Int64 = 0
  /// The time in nanoseconds at which bytes were last moved or an answer was finished.
  var lastMoved: Int64
  var waitsFor = (reads: true, writes: false)

  /// The maximum number of buffered bytes of requests while one is being answered.
  static let maximumInput = 32 * 1024
  static let maximumWaiting = 256 * 1024
  /// The maximum number of unsent bytes of a stream.
  static let maximumOutput = 4 << 20

  init(_ number: UInt64, _ descriptor: consuming Descriptor, now: Int64) {
    self.number = number
    self.descriptor = descriptor
    lastMoved = now
  }

  var pending: Int { output.count - sent }

  var isAtWork: Bool {
    switch state {
    case .receiving, .answering, .streaming, .closing: true
    case .idle, .reading, .lingering: false
    }
  }

  var reply: Reply? {
    switch state {
    case .answering(let reply, _), .streaming(let reply, _): reply
    case .idle, .reading, .receiving, .closing, .lingering: nil
    }
  }

  /// The input has the bytes of the body that have arrived with its request.
  func beginBody(of request: HTTPRequest) {
    state = .receiving(request)
    let begun = input.prefix(request.bodyLength)
    body = (begun + [UInt8](repeating: 0, count: request.bodyLength - begun.count), begun.count)
    input.removeFirst(begun.count)
  }

  /// Nil if a part of it is still to come.
  func takeBody() -> [UInt8]? {
    if body.count < body.bytes.count { return nil }
    defer { body = ([], 0) }
    return body.bytes
  }

  func receive() -> Descriptor.Transfer {
    guard case .receiving = state else {
      return descriptor.receive(into: &input, limit: 16 * 1024)
    }
    let transfer = descriptor.receive(into: &body.bytes, from: body.count)
    if case .moved(let count) = transfer { body.count += count }
    return transfer
  }

  func append(_ bytes: [UInt8]) {
    if pending == 0 { (output, sent) = (bytes, 0) } else { output += bytes }
  }

  /// Sends as much as the system accepts; whether anything was, nil if the connection is broken.
  func flush() -> Bool? {
    var moved = false
    while pending > 0 {
      switch descriptor.send(output.span.extracting(sent..<output.count)) {
      case .moved(let count):
        sent += count
        moved = true
      case .wouldWait: return moved
      case .ended: return nil
      }
    }
    (output, sent) = ([], 0)
    return moved
  }
}

/// Limits of time and number for connections.
struct ConnectionLimits: Sendable {
  /// Connections at once. One more closes the connection that has been idle for longest.
  var connections = 4096
  /// Nanoseconds to receive a whole request, from its first byte.
  var request: Int64 = 10_000_000_000
  /// Nanoseconds that a connection may be idle.
  var idle: Int64 = 60_000_000_000
  /// Nanoseconds within which a client must receive something.
  var progress: Int64 = 20_000_000_000
  /// Nanoseconds to make one answer, or to make progress with it.
  var answer: Int64 = 60_000_000_000
  /// Nanoseconds to wait for the client to close its side.
  var linger: Int64 = 1_000_000_000
  /// Event streams at once.
  var streams = 64

  init() {}
}

/// Messages from other threads to the event loop.
final class Mailbox: Sendable {
  enum Message: Sendable {
    case response(UInt64, HTTPResponse)
    case progress(UInt64)
    case piece(UInt64, [UInt8])
    case end(UInt64)

    var connection: UInt64 {
      switch self {
      case .response(let number, _), .progress(let number), .piece(let number, _), .end(let number):
        number
      }
    }
  }

  private let messages = Mutex<[Message]>([])
  private let poller: Poller

  init(waking poller: Poller) { self.poller = poller }

  func put(_ message: Message) {
    let isFirst = messages.withLock { messages in
      messages.append(message)
      return messages.count == 1
    }
    // The event loop takes all messages at once, so only the first wakes it.
    if isFirst { poller.wake() }
  }

  func takeAll() -> [Message] {
    messages.withLock { messages in
      defer { messages = [] }
      return messages
    }
  }
}

/// The handle through which any thread answers a request.
final class Reply: Sendable {
  let connection: UInt64
  private let mailbox: Mailbox
  private let isCancelledFlag = Atomic(false)
  /// Bytes of the stream: those produced, those that reached the connection, and those that the
  /// system has accepted.
  private let given = Atomic(0)
  private let delivered = Atomic(0)
  private let taken = Atomic(0)

  init(to connection: UInt64, through mailbox: Mailbox) {
    self.connection = connection
    self.mailbox = mailbox
  }

  /// Whether the client has gone, so that work on the answer can stop.
  var isCancelled: Bool { isCancelledFlag.load(ordering: .relaxed) }

  func cancel() { isCancelledFlag.store(true, ordering: .relaxed) }

  func send(_ response: HTTPResponse) {
    if !isCancelled { mailbox.put(.response(connection, response)) }
  }

  /// Marks the answer as still being made, which extends its time limit.
  func extendTime() {
    if !isCancelled { mailbox.put(.progress(connection)) }
  }

  func send(piece bytes: [UInt8]) {
    if isCancelled || bytes.isEmpty { return }
    given.wrappingAdd(bytes.count, ordering: .relaxed)
    mailbox.put(.piece(connection, bytes))
  }

  /// The approximate number of unsent bytes of the stream. Large streams should wait while it is
  /// high.
  var waiting: Int { given.load(ordering: .relaxed) - taken.load(ordering: .relaxed) }

  /// Records the progress of the stream, by the event loop: bytes that reached the connection since
  /// the last call, and its unsent ones.
  func add(delivered count: Int, pending: Int) {
    let all = delivered.wrappingAdd(count, ordering: .relaxed).newValue
    taken.store(all - min(all, pending), ordering: .relaxed)
  }

  func finish() {
    if !isCancelled { mailbox.put(.end(connection)) }
  }
}
