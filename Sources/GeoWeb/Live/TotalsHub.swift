import GeoAtlas
import GeoCore
import GeoFormats
import GeoLive
import GeoProjection
import GeoSystem
import GeoTree
import Synchronization

/// Tells pages how far the totals of folders have come, and what changes them.
///
/// They are counted as long as any page listens: a page that doesn't want to wait closes the stream.
final class TotalsHub: Sendable {
  private let totals: WorldTotals
  private let live: LiveHub
  private let listeners = Mutex<[Reply]>([])

  /// Totals that are older than this, in nanoseconds, are counted again for the next page.
  private static let age: Int64 = 60_000_000_000
  /// How many pages may listen.
  private static let mostListeners = 64

  init(_ live: LiveHub) {
    totals = live.tree.totals
    self.live = live
    totals.observe { [weak self] in self?.announce($0) }
  }

  /// `/totals`: lines that tell how far they have come; with `path`, has what is below a folder read
  /// again.
  func answer(_ request: HTTPRequest, _ reply: Reply) -> HTTPResponse {
    if let path = request.parameter("path") {
      totals.update(LiveTree.FolderChange(path: path, names: nil, isDeep: true))
      return HTTPResponse(type: FileFormat.json.mediaType, Self.line(known: totals.known))
    }
    var response = HTTPResponse(type: FileFormat.jsonl.mediaType, [])
    response.isStream = true
    if let known = totals.known, ThisProcess.nanoseconds - known.read < Self.age {
      reply.send(piece: Self.line(known: known))
      reply.finish()
      return response
    }
    // A request for the fields alone has nothing counted.
    if request.method == .head { return response }
    let isTaken = listeners.withLock { listeners in
      listeners.removeAll { $0.isCancelled }
      if listeners.count >= Self.mostListeners { return false }
      listeners.append(reply)
      return true
    }
    if !isTaken { return HTTPResponse(error: .unavailable, "too many pages wait already") }
    totals.begin { [weak self] in self?.tell($0) }
    return response
  }

  /// Forgets a page; with the last one it stops.
  func remove(_ connection: UInt64) {
    let isLast = listeners.withLock { listeners in
      let before = listeners.count
      listeners.removeAll { $0.connection == connection }
      return listeners.isEmpty && before > 0
    }
    if isLast { totals.stop() }
  }

  private func tell(_ progress: WorldTotals.Progress) {
    if !progress.isDone {
      var json = JSONBuilder()
      json.object { json in
        json.member("folders", Int64(progress.folders))
        json.member("files", Int64(progress.files))
        json.member("done", false)
      }
      for reply in listeners.withLock({ $0 }) { reply.send(piece: json.bytes + [10]) }
      return
    }
    // Pages that have come since wait for the next count.
    if progress.isStopped { return }
    let last = Self.line(known: totals.known)
    let all = listeners.withLock { listeners in
      defer { listeners = [] }
      return listeners
    }
    for reply in all {
      reply.send(piece: last)
      reply.finish()
    }
    announceAll()
  }

  /// Has totals replaced together with what they are of; to be called by a thread that may block.
  ///
  /// - Parameters:
  ///   - roots: What will be served.
  ///   - commit: Has what is served replaced.
  func replace(countedOf roots: [ScanRoot], _ commit: () -> Void) {
    // What nobody has asked for is not counted.
    var tree: TreeTotals?
    if totals.known != nil {
      tree = MainThreadExecutor().run { [totals] in await totals.totals(of: roots) }
    }
    commit()
    totals.replace(by: tree)
  }

  /// Tells all pages that all totals may be others than before.
  func announceAll() {
    live.tell(Array("event: totals\ndata: {\"version\":\(totals.version)}\n\n".utf8))
  }

  /// Tells all pages which totals are others than before.
  private func announce(_ change: WorldTotals.Change) {
    guard let known = change.known, let folders = change.folders else { return announceAll() }
    var json = JSONBuilder()
    json.object { json in
      json.member("version", Int64(known.version))
      json.member("from", Int64(change.from))
      json.key("folders")
      json.array { json in
        for folder in folders { Self.put(folder, of: known.tree, to: &json) }
      }
    }
    live.tell(Array("event: totals\ndata: ".utf8) + json.bytes + [10, 10])
  }

  /// What tiles tell of a folder's totals.
  private static func put(_ folder: Int, of tree: TreeTotals, to json: inout JSONBuilder) {
    json.object { json in
      json.member("path", path: tree.path(of: folder))
      guard let below = tree.below(folder) else { return }
      json.member("files", below.files)
      if let bytes = below.bytes { json.member("bytes", bytes) }
      if let newest = below.newest { json.member("newest", newest) }
      if let type = below.type { json.member("type", text: Array("\(type)".utf8)) }
    }
  }

  private static func line(known: WorldTotals.Known?) -> [UInt8] {
    var json = JSONBuilder()
    json.object { json in
      json.member("done", known != nil)
      guard let known else { return }
      json.member("folders", Int64(known.tree.count))
      json.member("version", Int64(known.version))
      json.member("age", (ThisProcess.nanoseconds - known.read) / 1_000_000_000)
    }
    return json.bytes + [10]
  }
}

/// What is answered beside the map, of a folder or of all.
package struct ServedAnswer: Sendable {
  /// Where it is asked for, such as `/samples`.
  package let path: String
  let make: @Sendable (_ folder: [UInt8]?) -> [UInt8]?

  /// An answer that is made each time.
  ///
  /// - Parameters:
  ///   - path: Where it is asked for.
  ///   - make: Gives the answer, as JSON, to what `path=` names, or to all without it; nil if there is none.
  ///     May block.
  package init(
    path: String, _ make: @escaping @Sendable (_ folder: [UInt8]?) -> [UInt8]?
  ) {
    self.path = path
    self.make = make
  }
}

/// A document beside the map that is replaced while it is served.
package final class ServedDocument: Sendable {
  /// Where it is, such as `/history`.
  package let path: String
  /// What listeners are told by, when it was replaced.
  let event: String
  private let current: Mutex<PageAsset>
  private let renew: @Sendable () -> Renewal?

  /// What takes the place of what is served.
  package struct Renewal: Sendable {
    let bytes: [UInt8]
    let roots: [ScanRoot]
    let commit: @Sendable () -> Void

    /// - Parameters:
    ///   - bytes: The document.
    ///   - roots: What will be served, to have its totals counted.
    ///   - commit: Has what is served replaced.
    package init(bytes: [UInt8], roots: [ScanRoot], commit: @escaping @Sendable () -> Void) {
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
  package init(
    path: String, event: String, bytes: [UInt8], renew: @escaping @Sendable () -> Renewal?
  ) {
    self.path = path
    self.event = event
    current = Mutex(PageAsset(path: path, type: FileFormat.jsonl.mediaType, bytes: bytes))
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
        live.tree.noteChange()
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
    let asset = PageAsset(path: path, type: FileFormat.jsonl.mediaType, bytes: renewal.bytes)
    totals.replace(countedOf: renewal.roots) {
      renewal.commit()
      current.withLock { $0 = asset }
    }
    return true
  }
}
