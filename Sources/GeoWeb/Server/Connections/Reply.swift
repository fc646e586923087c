import Synchronization

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
