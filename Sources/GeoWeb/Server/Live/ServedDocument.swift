import GeoAtlas
import GeoTree
import GeoSystem
import Synchronization

/// A document beside the map that is replaced while it is served.
public final class ServedDocument: Sendable {
  /// Where it is, such as `/history`.
  public let path: String
  /// What listeners are told by, when it was replaced.
  let event: String
  private let current: Mutex<PageAsset>
  private let renew: @Sendable () -> Renewal?

  /// What takes the place of what is served.
  public struct Renewal: Sendable {
    let bytes: [UInt8]
    let roots: [ScanRoot]
    let commit: @Sendable () -> Void

    /// - Parameters:
    ///   - bytes: The document.
    ///   - roots: What will be served, to have its totals counted.
    ///   - commit: Has what is served replaced.
    public init(bytes: [UInt8], roots: [ScanRoot], commit: @escaping @Sendable () -> Void) {
      self.bytes = bytes
      self.roots = roots
      self.commit = commit
    }
  }

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
    path: String, event: String, bytes: [UInt8], renew: @escaping @Sendable () -> Renewal?
  ) {
    self.path = path
    self.event = event
    current = Mutex(PageAsset(path: path, type: MediaType.lines, bytes: bytes))
    self.renew = renew
  }

  /// What it is now.
  var asset: PageAsset { current.withLock { $0 } }

  /// Looks for newer ones as long as anybody listens, and tells when there is one.
  func watch(for live: LiveHub, _ totals: TotalsHub) throws(Errno) {
    try WorkerThread.start { [self] in
      while true {
        WorkerThread.pause(milliseconds: Self.pause)
        guard live.listenerCount > 0, look(totals) else { continue }
        WorkerThread.pause(milliseconds: Self.settling)
        live.noteChange()
        live.tell(Array("event: \(event)\ndata: {}\n\n".utf8))
        totals.announceAll()
      }
    }
  }

  /// Looks for a newer one, and puts it in the place of this one, together with what is served and its totals.
  ///
  /// - Returns: Whether there was one.
  func look(_ totals: TotalsHub) -> Bool {
    guard let renewal = renew() else { return false }
    let asset = PageAsset(path: path, type: MediaType.lines, bytes: renewal.bytes)
    totals.replace(countedOf: renewal.roots) {
      renewal.commit()
      current.withLock { $0 = asset }
    }
    return true
  }
}
