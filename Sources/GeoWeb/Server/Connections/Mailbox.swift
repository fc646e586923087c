import GeoSystem
import Synchronization

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
