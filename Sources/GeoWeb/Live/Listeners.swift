import Synchronization

/// Pages that receive a stream. ``add(_:)`` and ``remove(_:)`` are called on the thread of the event
/// loop only, so what callers do after them is in order; the others on any thread.
final class Listeners: Sendable {
  private let replies = Mutex<[Reply]>([])
  private let maximum: Int

  init(maximum: Int) { self.maximum = maximum }

  var count: Int { replies.withLock { $0.count } }

  /// False if there are too many.
  func add(_ reply: Reply) -> Bool {
    replies.withLock { replies in
      replies.removeAll { $0.isCancelled }
      if replies.count >= maximum { return false }
      replies.append(reply)
      return true
    }
  }

  /// Whether this was the last one.
  func remove(_ connection: UInt64) -> Bool {
    replies.withLock { replies in
      let before = replies.count
      replies.removeAll { $0.connection == connection }
      return replies.isEmpty && before > 0
    }
  }

  func send(_ piece: [UInt8]) {
    for reply in replies.withLock({ $0 }) { reply.send(piece: piece) }
  }

  /// Ends all streams with a last piece.
  func finish(with piece: [UInt8]) {
    let all = replies.withLock { replies in
      defer { replies = [] }
      return replies
    }
    for reply in all {
      reply.send(piece: piece)
      reply.finish()
    }
  }
}
