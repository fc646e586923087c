import Synchronization

/// The way of an answer back to the client that waits for it; it may be used by any thread.
final class Reply: Sendable {
  /// The connection's number.
  let connection: UInt64
  private let mailbox: Mailbox
  private let isCancelledFlag = Atomic(false)

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
    if !isCancelled && !bytes.isEmpty { mailbox.put(.piece(connection, bytes)) }
  }

  /// Ends a stream.
  func finish() {
    if !isCancelled { mailbox.put(.end(connection)) }
  }
}
