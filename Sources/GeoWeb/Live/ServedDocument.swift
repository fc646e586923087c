import GeoCore
import GeoSystem
import GeoTree
import Synchronization

/// An additional document of the server, which may be replaced while it is served.
package final class ServedDocument: Sendable {
  /// The path of its address, such as `/history`.
  package let path: String
  /// The event sent to listeners after a replacement.
  let event: String
  private let current: Mutex<PageAsset>
  private let renew: @Sendable () -> Renewal?

  /// A newer version of the document and the roots.
  package struct Renewal: Sendable {
    let bytes: [UInt8]
    let roots: [ScanRoot]
    let commit: @Sendable () -> Void

    /// - Parameters:
    ///   - bytes: The content.
    ///   - roots: The new roots, whose totals are counted.
    ///   - commit: Replaces the served roots.
    package init(bytes: [UInt8], roots: [ScanRoot], commit: @escaping @Sendable () -> Void) {
      self.bytes = bytes
      self.roots = roots
      self.commit = commit
    }
  }

  /// The interval between checks for a newer version while any page listens, in milliseconds.
  private static let pause: UInt32 = 2000
  /// How long cached listings may still be used, in milliseconds.
  private static let settling: UInt32 = 600

  /// Makes a document of JSON lines.
  ///
  /// - Parameters:
  ///   - path: The path of its address.
  ///   - event: The event sent to listeners after a replacement.
  ///   - bytes: The current content.
  ///   - renew: Returns a newer version, or nil. It may block.
  package init(
    path: String, event: String, bytes: [UInt8], renew: @escaping @Sendable () -> Renewal?
  ) {
    self.path = path
    self.event = event
    current = Mutex(PageAsset(path: path, type: FileFormat.jsonl.mediaType, bytes: bytes))
    self.renew = renew
  }

  /// The current content.
  var asset: PageAsset { current.withLock { $0 } }

  /// Starts a thread that checks for newer versions while any page listens, and notifies pages.
  func watch(for live: LiveHub, _ totals: TotalsHub) throws(Errno) {
    try WorkerThread.start { [self] in
      while true {
        WorkerThread.pause(milliseconds: Self.pause)
        guard live.listenerCount > 0, refresh(totals) else { continue }
        WorkerThread.pause(milliseconds: Self.settling)
        live.tree.countChange()
        live.send(Array("event: \(event)\ndata: {}\n\n".utf8))
        totals.announceAll()
      }
    }
  }

  /// Checks for a newer version, and replaces the document together with the served roots and their
  /// totals.
  ///
  /// - Returns: Whether there was a newer version.
  func refresh(_ totals: TotalsHub) -> Bool {
    guard let renewal = renew() else { return false }
    let asset = PageAsset(path: path, type: FileFormat.jsonl.mediaType, bytes: renewal.bytes)
    totals.replace(countedOf: renewal.roots) {
      renewal.commit()
      current.withLock { $0 = asset }
    }
    return true
  }
}
