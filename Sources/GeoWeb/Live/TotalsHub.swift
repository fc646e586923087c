import GeoCore
import GeoFormats
import GeoLive
import GeoPipeline
import GeoSystem
import GeoTree
import Synchronization

/// Counts the totals of folders for pages, and sends them progress and changes.
///
/// Counting goes on while any page listens; a page that doesn't want to wait closes the stream.
final class TotalsHub: Sendable {
  private let totals: WorldTotals
  private let live: LiveHub
  private let listeners = Mutex<[Reply]>([])
  private let expected: (entries: Int, basis: String)?
  private let counted: Mutex<(@Sendable () -> Void)?>

  /// The age in nanoseconds from which totals are counted again for the next page, and the age if
  /// they include all changes that the system reports. It reports none of other machines.
  private static let longest = (unwatched: Int64(60_000_000_000), watched: Int64(3_600_000_000_000))
  private static let maximumListeners = 64

  init(
    _ live: LiveHub, expected: (entries: Int, basis: String)? = nil,
    counted: (@Sendable () -> Void)? = nil
  ) {
    self.expected = expected
    self.counted = Mutex(counted)
    totals = live.tree.totals
    self.live = live
    totals.observe { [weak self] in self?.announce($0) }
  }

  /// `/totals`: lines with the progress of counting; with `path`, reads the tree of a folder again.
  func answer(_ request: HTTPRequest, _ reply: Reply) -> HTTPResponse {
    if let path = request.parameter("path") {
      totals.update(LiveTree.FolderChange(path: path, names: nil, isDeep: true))
      return HTTPResponse(type: FileFormat.json.mediaType, line(known: totals.complete))
    }
    var response = HTTPResponse(type: FileFormat.jsonl.mediaType, [])
    response.isStream = true
    let longest = totals.isCurrent ? Self.longest.watched : Self.longest.unwatched
    if let known = totals.complete, ThisProcess.nanoseconds - known.read < longest {
      totals.catchUp()
      reply.send(piece: line(known: known))
      reply.finish()
      return response
    }
    // A HEAD request doesn't start a count.
    if request.method == .head { return response }
    let isTaken = listeners.withLock { listeners in
      listeners.removeAll { $0.isCancelled }
      if listeners.count >= Self.maximumListeners { return false }
      listeners.append(reply)
      return true
    }
    if !isTaken { return HTTPResponse(error: .unavailable, "too many pages wait already") }
    totals.begin { [weak self] in self?.send($0) }
    return response
  }

  /// Removes a page; without pages the count stops.
  func remove(_ connection: UInt64) {
    let isLast = listeners.withLock { listeners in
      let before = listeners.count
      listeners.removeAll { $0.connection == connection }
      return listeners.isEmpty && before > 0
    }
    if isLast { totals.stop() }
  }

  func line(progress: WorldTotals.Progress) -> [UInt8] {
    var json = JSONBuilder()
    json.object { json in
      json.member("folders", Int64(progress.folders))
      json.member("files", Int64(progress.files))
      json.member("bytes", progress.bytes)
      json.member("allocated", progress.allocated)
      if let files = progress.expected {
        json.member("expected", Int64(files))
      } else if let expected {
        json.member("entries", Int64(expected.entries))
        json.member("basis", text: Array(expected.basis.utf8))
      }
      if let waiting = progress.waiting {
        json.member("waiting", path: waiting.path)
        json.member("seconds", waiting.seconds)
      }
      json.member("done", false)
    }
    return json.bytes + [10]
  }

  private func send(_ progress: WorldTotals.Progress) {
    if !progress.isDone {
      let line = line(progress: progress)
      for reply in listeners.withLock({ $0 }) { reply.send(piece: line) }
      return
    }
    // Pages added since a stop wait for the next count.
    if progress.isStopped { return }
    if totals.complete != nil {
      let counted = counted.withLock { counted in
        defer { counted = nil }
        return counted
      }
      counted?()
    }
    let last = line(known: totals.complete)
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

  /// Replaces the served roots, by `commit`, and their totals together; must be called on a thread
  /// that may block.
  func replace(countedOf roots: [ScanRoot], _ commit: () -> Void) {
    // Totals that no page has requested are not counted.
    var tree: TreeTotals?
    if totals.complete != nil {
      tree = MainThreadExecutor().run { [totals] in await totals.totals(of: roots) }
    }
    commit()
    totals.replace(by: tree)
  }

  func announceAll() {
    live.send(Array("event: totals\ndata: {\"version\":\(totals.version)}\n\n".utf8))
  }

  private func announce(_ change: WorldTotals.Change) {
    guard let known = change.known, let folders = change.folders else { return announceAll() }
    var json = JSONBuilder()
    json.object { json in
      json.member("version", Int64(known.version))
      json.member("from", Int64(change.from))
      json.member("folders", each: folders) { folder, json in
        Self.put(folder, of: known.tree, to: &json)
      }
    }
    live.send(Array("event: totals\ndata: ".utf8) + json.bytes + [10, 10])
  }

  private static func put(_ folder: Int, of tree: TreeTotals, to json: inout JSONBuilder) {
    json.object { json in
      json.member("path", path: tree.path(of: folder))
      var record = FeatureRecord(id: 0, kind: .district, depth: 0, minzoom: 0)
      tree.complete(&record, folder)
      json.put([.files, .bytes, .allocated, .newest, .type], of: record)
    }
  }

  private func line(known: WorldTotals.Known?) -> [UInt8] {
    var json = JSONBuilder()
    json.object { json in
      json.member("done", known != nil)
      guard let known else { return }
      json.member("folders", Int64(known.tree.count))
      json.member("version", Int64(known.version))
      let age = totals.isCurrent ? 0 : ThisProcess.nanoseconds - known.read
      json.member("age", age / 1_000_000_000)
      json.member(known.faults)
    }
    return json.bytes + [10]
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
    self.path = path
    self.isSlow = isSlow
    self.make = make
  }
}
