import GeoSystem

protocol RequestHandler: Sendable {
  /// Answers a request at once, or returns nil and answers it later through the reply. Called by
  /// the thread of the event loop, so it must not block.
  func handle(_ request: HTTPRequest, _ reply: Reply) -> HTTPResponse?
  /// Called when a stream has ended, or when the connection of a stream or a body was closed.
  func streamEnded(_ connection: UInt64)
  var maximumBody: Int { get }
  /// Returns the refusal of a POST before its body is received; nil to receive it.
  func refusal(ofBodyOf request: HTTPRequest, from connection: UInt64) -> HTTPResponse?
}

extension RequestHandler {
  var maximumBody: Int { 0 }

  func refusal(ofBodyOf request: HTTPRequest, from connection: UInt64) -> HTTPResponse? {
    HTTPResponse(error: .methodNotAllowed, "only GET and HEAD are answered")
  }
}

/// Serves all connections with one thread, which never waits for a single client.
final class EventLoop<Handler: RequestHandler> {
  private let listener: Listener
  private let poller: Poller
  let mailbox: Mailbox
  private let handler: Handler
  private let limits: ConnectionLimits
  private let clock: @Sendable () -> Int64
  private var connections: [UInt64: Connection] = [:]
  private var lastNumber: UInt64 = 0
  private var now: Int64 = 0
  private var nextSweep: Int64 = 0
  private var events: [Poller.Event] = []
  /// The largest number of connections since memory was given back.
  private var peak = 0

  /// The number of connections after which memory is given back, once most of them are closed.
  private static var many: Int { 64 }

  init(
    _ listener: Listener, poller: Poller, mailbox: Mailbox, limits: ConnectionLimits,
    handler: Handler, clock: @escaping @Sendable () -> Int64 = { ThisProcess.nanoseconds }
  ) throws(Errno) {
    (self.listener, self.poller, self.mailbox, self.limits) = (listener, poller, mailbox, limits)
    (self.handler, self.clock) = (handler, clock)
    try poller.set(self.listener.rawValue, key: 0, isNew: true, reads: true, writes: false)
  }

  func run() throws(Errno) -> Never { while true { try step() } }

  /// The poller has to be woken once the condition is met.
  func run(until isOver: () -> Bool) throws(Errno) { while !isOver() { try step() } }

  private func step() throws(Errno) {
    // Without connections there are no deadlines.
    try poller.wait(milliseconds: connections.isEmpty ? -1 : 500, into: &events)
    now = clock()
    for event in events {
      if event.key == 0 {
        acceptAll()
      } else if let connection = connections[event.key] {
        serve(connection, event)
      }
    }
    for message in mailbox.takeAll() { deliver(message) }
    if now >= nextSweep { sweep() }
    if peak >= Self.many, connections.count <= peak / 8 {
      peak = connections.count
      ThisProcess.returnMemory()
    }
  }

  private func acceptAll() {
    for _ in 0..<256 {
      do throws(Errno) {
        guard let descriptor = try listener.accept() else { return }
        if connections.count >= limits.connections { closeLongestIdle() }
        lastNumber += 1
        let connection = Connection(lastNumber, descriptor, now: now)
        try poller.set(
          connection.descriptor.rawValue, key: connection.number, isNew: true, reads: true,
          writes: false)
        connection.deadline = now + limits.request
        connections[connection.number] = connection
        peak = max(peak, connections.count)
      } catch {
        // No descriptor is left, and the listener stays ready: closing a connection frees one.
        closeLongestIdle()
        WorkerThread.pause(milliseconds: 5)
        return
      }
    }
  }

  private func closeLongestIdle() {
    /// If possible one without an answer in progress.
    func rank(_ connection: Connection) -> (Int, Int64, UInt64) {
      (connection.isAtWork ? 1 : 0, connection.lastMoved, connection.number)
    }
    if let longest = connections.values.min(by: { rank($0) < rank($1) }) { close(longest) }
  }

  private func serve(_ connection: Connection, _ event: Poller.Event) {
    if event.isReadable || event.isGone, !read(connection, isGone: event.isGone) { return }
    if event.isWritable {
      guard flush(connection) else { return }
      // A request may have waited for room in the output.
      if case .idle = connection.state, !answerRequests(connection) { return }
    }
    update(connection)
  }

  /// Receives bytes; like the others here, false if the connection was closed.
  private func read(_ connection: Connection, isGone: Bool) -> Bool {
    if connection.input.count >= Connection.maximumInput {
      // The client's end comes after bytes for which there is no room, so the poller would report
      // it again and again.
      if isGone { close(connection) }
      return !isGone
    }
    switch connection.receive() {
    case .wouldWait: return true
    case .ended:
      // A client that closes its side has given up: browsers have no other way to cancel.
      close(connection)
      return false
    case .moved:
      connection.lastMoved = now
      if case .lingering = connection.state {
        connection.input = []
        return true
      }
      if case .receiving = connection.state { connection.deadline = now + limits.progress }
      return answerRequests(connection)
    }
  }

  private func answerRequests(_ connection: Connection) -> Bool {
    while let response = beginRequest(connection) {
      if !respond(connection, response) { return false }
    }
    return true
  }

  /// The answer of the next request; nil if it is answered later, or no complete request was received.
  private func beginRequest(_ connection: Connection) -> HTTPResponse? {
    switch connection.state {
    case .idle:
      if connection.input.isEmpty || connection.pending > Connection.maximumWaiting { return nil }
      connection.state = .reading
      connection.deadline = now + limits.request
    case .reading: break
    case .receiving(let request): return beginWithBody(request, connection)
    case .answering, .streaming, .closing, .lingering: return nil
    }
    switch connection.parser.parse(connection.input, maximumBody: handler.maximumBody) {
    case .incomplete: return nil
    case .refused(let status, let reason):
      return refuse(connection, HTTPResponse(error: status, reason))
    case .request(let request, let length):
      connection.input.removeFirst(length)
      connection.parser = HTTPParser()
      if request.method != .post { return begin(request, connection) }
      if let refusal = handler.refusal(ofBodyOf: request, from: connection.number) {
        return refuse(connection, refusal)
      }
      connection.beginBody(of: request)
      connection.deadline = now + limits.progress
      return beginWithBody(request, connection)
    }
  }

  private func refuse(_ connection: Connection, _ response: HTTPResponse) -> HTTPResponse {
    connection.keepsAlive = false
    let reply = Reply(to: connection.number, through: mailbox)
    connection.state = .answering(reply, isHead: false)
    return response
  }

  private func beginWithBody(_ request: HTTPRequest, _ connection: Connection) -> HTTPResponse? {
    guard let body = connection.takeBody() else { return nil }
    var request = request
    request.body = body
    return begin(request, connection)
  }

  private func begin(_ request: HTTPRequest, _ connection: Connection) -> HTTPResponse? {
    connection.keepsAlive = request.keepsAlive
    let reply = Reply(to: connection.number, through: mailbox)
    connection.state = .answering(reply, isHead: request.method == .head)
    connection.deadline = now + limits.answer
    connection.takesChunks = request.takesChunks
    return handler.handle(request, reply)
  }

  private func deliver(_ message: Mailbox.Message) {
    guard let connection = connections[message.connection] else { return }
    switch (message, connection.state) {
    case (.response(_, let response), .answering):
      if respond(connection, response), answerRequests(connection) { update(connection) }
    case (.progress, .answering): connection.deadline = now + limits.answer
    case (.piece(_, let bytes), .streaming(let reply, let isChunked)):
      if connection.pending + bytes.count > Connection.maximumOutput { return close(connection) }
      connection.append(isChunked ? HTTPResponse.chunk(bytes) : bytes)
      reply.add(delivered: bytes.count, pending: connection.pending)
      if flush(connection) { update(connection) }
    case (.end, .streaming(_, let isChunked)):
      if isChunked { connection.append(HTTPResponse.lastChunk) }
      if finishAnswer(connection), answerRequests(connection) { update(connection) }
    default: break
    }
  }

  /// Sends an answer, or the head of a stream.
  private func respond(_ connection: Connection, _ response: HTTPResponse) -> Bool {
    guard case .answering(let reply, let isHead) = connection.state else { return true }
    let isChunked = response.isStream && connection.takesChunks
    let streams = response.isStream && !isHead
    if streams && !isChunked { connection.keepsAlive = false }
    connection.append(
      response.encoded(isHead: isHead, keepsAlive: connection.keepsAlive, isChunked: isChunked))
    if streams {
      connection.state = .streaming(reply, isChunked: isChunked)
      connection.deadline = now + limits.progress
      return flush(connection)
    }
    // For a HEAD request a stream consists of its fields.
    if response.isStream { reply.cancel() }
    return finishAnswer(connection)
  }

  /// Prepares the connection for the next request.
  private func finishAnswer(_ connection: Connection) -> Bool {
    if case .streaming(let reply, _) = connection.state {
      handler.streamEnded(reply.connection)
    }
    connection.state = connection.keepsAlive ? .idle : .closing
    connection.lastMoved = now
    connection.deadline = now + (connection.pending > 0 ? limits.progress : limits.idle)
    return flush(connection)
  }

  private func flush(_ connection: Connection) -> Bool {
    guard let moved = connection.flush() else {
      close(connection)
      return false
    }
    if moved {
      connection.lastMoved = now
      switch connection.state {
      case .streaming(let reply, _):
        reply.add(delivered: 0, pending: connection.pending)
        fallthrough
      case .closing, .idle:
        connection.deadline =
          now + (connection.pending > 0 ? limits.progress : limits.idle)
      case .reading, .receiving, .answering, .lingering: break
      }
    }
    if connection.pending == 0, case .closing = connection.state {
      connection.descriptor.endSending()
      connection.state = .lingering
      connection.input = []
      connection.deadline = now + limits.linger
    }
    return true
  }

  private func update(_ connection: Connection) {
    let wanted = (
      reads: connection.input.count < Connection.maximumInput, writes: connection.pending > 0
    )
    if wanted == connection.waitsFor { return }
    connection.waitsFor = wanted
    do throws(Errno) {
      try poller.set(
        connection.descriptor.rawValue, key: connection.number, isNew: false,
        reads: wanted.reads, writes: wanted.writes)
    } catch {
      close(connection)
    }
  }

  private func close(_ connection: Connection) {
    connection.reply?.cancel()
    switch connection.state {
    case .receiving, .streaming: handler.streamEnded(connection.number)
    case .idle, .reading, .answering, .closing, .lingering: break
    }
    connections[connection.number] = nil
  }

  private func sweep() {
    nextSweep = now + 500_000_000
    for connection in connections.values where connection.deadline < now {
      switch connection.state {
      case .streaming where connection.pending == 0: connection.deadline = now + limits.idle
      default: close(connection)
      }
    }
  }
}
