import GeoCore
import GeoSystem
import GeoTree
import Synchronization

/// An additional document of the server, which may be replaced while it is served.
package final class ServedDocument: Sendable {
  package let path: String
  let event: String
  private let current: Mutex<PageAsset>
  private let renew: @Sendable () -> Renewal?

  package struct Renewal: Sendable {
    let bytes: [UInt8]
    let roots: [ScanRoot]
    let commit: @Sendable () -> Void

    package init(bytes: [UInt8], roots: [ScanRoot], commit: @escaping @Sendable () -> Void) {
      (self.bytes, self.roots, self.commit) = (bytes, roots, commit)
    }
  }

  /// The interval between checks for a newer version while any page listens, in milliseconds.
  private static let pause: UInt32 = 2000
  /// How long cached listings may still be used, in milliseconds.
  private static let settling: UInt32 = 600

  /// Makes a document of JSON lines, of which `renew` returns a newer version, or nil. It may block.
  package init(
    path: String, event: String, bytes: [UInt8], renew: @escaping @Sendable () -> Renewal?
  ) {
    self.path = path
    self.event = event
    current = Mutex(PageAsset(path: path, type: FileFormat.jsonl.mediaType, bytes: bytes))
    self.renew = renew
  }

  var asset: PageAsset { current.withLock { $0 } }

  func watch(for live: LiveHub, _ totals: TotalsHub) throws(Errno) {
    try WorkerThread.start { [self] in
      while true {
        WorkerThread.pause(milliseconds: Self.pause)
        guard live.listenerCount > 0, refresh(totals) else { continue }
        WorkerThread.pause(milliseconds: Self.settling)
        live.tree.countChange()
        live.send(event)
        totals.announceAll()
      }
    }
  }

  /// Replaces the document by a newer version, if there is one, together with the served roots and
  /// their totals.
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

/// An additional answer of the server, about a folder or the whole world.
package struct ServedAnswer: Sendable {
  package let path: String
  let isSlow: Bool
  let make: @Sendable (_ folder: [UInt8]?) -> [UInt8]?

  /// - Parameters:
  ///   - isSlow: Whether it may take seconds, so that only few are made at once.
  ///   - make: Returns the answer as JSON, for the folder in `path=`, or without it for the whole
  ///     world; nil if there is no answer. It may block.
  package init(
    path: String, isSlow: Bool = false,
    _ make: @escaping @Sendable (_ folder: [UInt8]?) -> [UInt8]?
  ) {
    (self.path, self.isSlow, self.make) = (path, isSlow, make)
  }
}
