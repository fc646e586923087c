import GeoSystem
import Synchronization

/// A document beside the map that is replaced while it is served.
public final class ServedDocument: Sendable {
  /// Where it is, such as `/history`.
  public let path: String
  /// What listeners are told by, when it was replaced.
  let event: String
  private let current: Mutex<PageAsset>
  private let renew: @Sendable () -> [UInt8]?

  /// How often somebody looks whether there is a newer one while anybody listens, in milliseconds.
  private static let pause: UInt32 = 2000
  /// How long what was read before may still be believed, in milliseconds.
  private static let settling: UInt32 = 600

  /// A document of lines of JSON.
  ///
  /// - Parameters:
  ///   - path: Where it is to be.
  ///   - event: What listeners are told by, when it was replaced.
  ///   - bytes: What it is now.
  ///   - renew: Looks whether there is a newer one, and gives it; may block.
  public init(
    path: String, event: String, bytes: [UInt8], renew: @escaping @Sendable () -> [UInt8]?
  ) {
    self.path = path
    self.event = event
    current = Mutex(PageAsset(path: path, type: MediaType.lines, bytes: bytes))
    self.renew = renew
  }

  /// What it is now.
  var asset: PageAsset { current.withLock { $0 } }

  /// Looks for newer ones as long as anybody listens, and tells when there is one.
  func watch(for live: LiveHub) throws(Errno) {
    try WorkerThread.start { [self] in
      while true {
        WorkerThread.pause(milliseconds: Self.pause)
        guard live.listenerCount > 0, let bytes = renew() else { continue }
        let asset = PageAsset(path: path, type: MediaType.lines, bytes: bytes)
        current.withLock { $0 = asset }
        WorkerThread.pause(milliseconds: Self.settling)
        live.noteChange()
        live.tell(Array("event: \(event)\ndata: {}\n\n".utf8))
      }
    }
  }
}
