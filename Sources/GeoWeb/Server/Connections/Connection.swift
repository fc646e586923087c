import GeoSystem

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
