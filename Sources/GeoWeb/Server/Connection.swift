import GeoSystem
import Synchronization

/// A connection to a client, as the thread that holds all of them sees it.
final class Connection {
  enum State {
    /// Nothing of a request has come yet.
    case idle
    /// A part of a request has come.
    case reading
    /// Somebody works on an answer.
    case answering(Reply, isHead: Bool)
    /// A stream is being sent, in pieces that say their length, or up to the end.
    case streaming(Reply, isChunked: Bool)
    /// What is left is sent, then the connection is closed.
    case closing
    /// All is sent; what the client may still send is thrown away, so that the system doesn't take
    /// back the last answer.
    case lingering
  }

  let number: UInt64
  let descriptor: Descriptor
  var state = State.idle
  var input: [UInt8] = []
  private(set) var output: [UInt8] = []
  private var sent = 0
  /// Whether another request may follow the one being answered.
  var keepsAlive = true
  /// Whether the client knows streams in pieces that say their length.
  var takesChunks = true
  /// When it is closed if nothing happens until then, in nanoseconds.
  var deadline: Int64 = 0
  /// When bytes were last moved, or an answer was finished, in nanoseconds.
  var lastMoved: Int64
  /// What the poller waits for.
  var waitsFor = (reads: true, writes: false)

  /// Bytes of requests that are kept while one is being answered.
  static let mostInput = 32 * 1024
  /// Bytes of answers that may wait to be sent before the next request is begun.
  static let mostWaiting = 256 * 1024
  /// Bytes of a stream that may wait to be sent.
  static let mostOutput = 4 << 20

  init(_ number: UInt64, _ descriptor: consuming Descriptor, now: Int64) {
    self.number = number
    self.descriptor = descriptor
    lastMoved = now
  }

  /// Bytes that wait to be sent.
  var pending: Int { output.count - sent }

  /// Whether an answer is made or sent: it doesn't wait for its client to ask.
  var isAtWork: Bool {
    switch state {
    case .answering, .streaming, .closing: true
    case .idle, .reading, .lingering: false
    }
  }

  /// The answer that somebody works on.
  var reply: Reply? {
    switch state {
    case .answering(let reply, _), .streaming(let reply, _): reply
    case .idle, .reading, .closing, .lingering: nil
    }
  }

  func append(_ bytes: [UInt8]) {
    if pending == 0 {
      output = bytes
      sent = 0
    } else {
      output += bytes
    }
  }

  /// Sends what the system takes.
  ///
  /// - Returns: Whether anything was sent, or nil if the connection is broken.
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
    output = []
    sent = 0
    return moved
  }
}

/// How long clients may take, and how many there may be.
struct ConnectionLimits: Sendable {
  /// Connections at once; one more, and the one that has been idle longest is closed.
  var connections = 4096
  /// Nanoseconds for a request to come in as a whole, from its first byte.
  var request: Int64 = 10_000_000_000
  /// Nanoseconds that a connection may be idle.
  var idle: Int64 = 60_000_000_000
  /// Nanoseconds within which a client has to take something in.
  var progress: Int64 = 20_000_000_000
  /// Nanoseconds for work on one answer.
  var answer: Int64 = 60_000_000_000
  /// Nanoseconds to wait for the client to close, too.
  var linger: Int64 = 1_000_000_000
  /// Event streams at once.
  var streams = 64

  init() {}
}

/// What other threads have for the one that holds the connections.
final class Mailbox: Sendable {
  enum Message: Sendable {
    case response(UInt64, HTTPResponse)
    case piece(UInt64, [UInt8])
    case end(UInt64)
  }

  private let messages = Mutex<[Message]>([])
  private let poller: Poller

  init(waking poller: Poller) { self.poller = poller }

  func put(_ message: Message) {
    let isFirst = messages.withLock { messages in
      messages.append(message)
      return messages.count == 1
    }
    // The others are taken out along with the first.
    if isFirst { poller.wake() }
  }

  func takeAll() -> [Message] {
    messages.withLock { messages in
      defer { messages = [] }
      return messages
    }
  }
}

/// The way of an answer back to the client that waits for it; it may be used by any thread.
final class Reply: Sendable {
  /// The connection's number.
  let connection: UInt64
  private let mailbox: Mailbox
  private let isCancelledFlag = Atomic(false)
  /// Bytes of the stream so far; those that have come to the connection, and those that the system
  /// has taken from there.
  private let given = Atomic(0)
  private let delivered = Atomic(0)
  private let taken = Atomic(0)

  init(to connection: UInt64, through mailbox: Mailbox) {
    self.connection = connection
    self.mailbox = mailbox
  }

  /// Whether nobody waits any more: what is being done for the answer can stop.
  var isCancelled: Bool { isCancelledFlag.load(ordering: .relaxed) }

  /// The client has given up.
  func cancel() { isCancelledFlag.store(true, ordering: .relaxed) }

  /// Sends the answer, or the beginning of a stream.
  func send(_ response: HTTPResponse) {
    if !isCancelled { mailbox.put(.response(connection, response)) }
  }

  /// Sends a piece of a stream.
  func send(piece bytes: [UInt8]) {
    if isCancelled || bytes.isEmpty { return }
    given.wrappingAdd(bytes.count, ordering: .relaxed)
    mailbox.put(.piece(connection, bytes))
  }

  /// About how many bytes of a stream wait for the client: whoever has much to send lets it catch up.
  var waiting: Int { given.load(ordering: .relaxed) - taken.load(ordering: .relaxed) }

  /// The thread of the connections has passed bytes of the stream on, but for those that wait.
  ///
  /// - Parameters:
  ///   - count: Bytes that it has come to since the last time.
  ///   - pending: Bytes that wait at the connection.
  func note(delivered count: Int, pending: Int) {
    let all = delivered.wrappingAdd(count, ordering: .relaxed).newValue
    taken.store(all - min(all, pending), ordering: .relaxed)
  }

  /// Ends a stream.
  func finish() {
    if !isCancelled { mailbox.put(.end(connection)) }
  }
}

/// Threads that answer requests which take a while: they read folders, and may block.
final class WorkerPool: @unchecked Sendable {
  // Sendable: the jobs are touched inside the monitor only.
  private let monitor = Monitor()
  private var jobs: [(reply: Reply?, run: @Sendable () -> Void)] = []
  private var running = 0
  private let limit: Int

  /// Starts threads.
  ///
  /// - Parameters:
  ///   - threads: How many.
  ///   - limit: How many jobs may wait.
  init(threads: Int, limit: Int) throws(Errno) {
    self.limit = limit
    for _ in 0..<threads {
      try WorkerThread.start(stackSize: 1 << 20) { [self] in
        while true {
          next()()
          monitor.withLock { running -= 1 }
        }
      }
    }
  }

  /// Whether anything is being done, or waits.
  var isBusy: Bool { monitor.withLock { running > 0 || !jobs.isEmpty } }

  /// Has a job done, unless too many wait.
  ///
  /// - Parameter reply: Where its result goes: if nobody waits for it any more, it isn't begun. Nil if
  ///   nobody waits for it yet.
  func add(for reply: Reply?, _ run: @escaping @Sendable () -> Void) -> Bool {
    monitor.withLock {
      if jobs.count >= limit { jobs.removeAll { $0.reply?.isCancelled == true } }
      if jobs.count >= limit { return false }
      jobs.append((reply, run))
      monitor.wakeOne()
      return true
    }
  }

  private func next() -> @Sendable () -> Void {
    monitor.withLock {
      while true {
        while let job = jobs.first {
          jobs.removeFirst()
          if job.reply?.isCancelled == true { continue }
          running += 1
          return job.run
        }
        monitor.wait()
      }
    }
  }
}
