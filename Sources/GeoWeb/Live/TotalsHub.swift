import GeoCore
import GeoFormats
import GeoLive
import GeoSystem
import GeoTree
import Synchronization

/// Counts the totals of folders for pages, and sends them progress and changes.
///
/// Counting goes on while any page listens; a page that doesn't want to wait closes the stream.
final class TotalsHub: Sendable {
  private let totals: WorldTotals
  private let live: LiveHub
  private let listeners = Listeners(maximum: 64)
  private let expected: (entries: Int, basis: String)?
  private let counted: Mutex<(@Sendable () -> Void)?>

  /// The age in nanoseconds from which totals are counted again for the next page, and the age if
  /// they include all changes that the system reports. It reports none of other machines.
  private static let longest = (unwatched: Int64(60_000_000_000), watched: Int64(3_600_000_000_000))

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
    let response = HTTPResponse(streamOf: FileFormat.jsonl.mediaType)
    let longest = totals.isCurrent ? Self.longest.watched : Self.longest.unwatched
    if let known = totals.complete, ThisProcess.nanoseconds - known.read < longest {
      totals.catchUp()
      reply.send(piece: line(known: known))
      reply.finish()
      return response
    }
    // A HEAD request doesn't start a count.
    if request.method == .head { return response }
    if !listeners.add(reply) {
      return HTTPResponse(error: .unavailable, "too many pages wait already")
    }
    totals.begin { [weak self] in self?.send($0) }
    return response
  }

  /// Removes a page; without pages the count stops.
  func remove(_ connection: UInt64) { if listeners.remove(connection) { totals.stop() } }

  func line(progress: WorldTotals.Progress) -> [UInt8] {
    JSONBuilder.object { json in
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
    } + [10]
  }

  private func send(_ progress: WorldTotals.Progress) {
    if !progress.isDone { return listeners.send(line(progress: progress)) }
    // Pages added since a stop wait for the next count.
    if progress.isStopped { return }
    if totals.complete != nil {
      let counted = counted.withLock { counted in
        defer { counted = nil }
        return counted
      }
      counted?()
    }
    listeners.finish(with: line(known: totals.complete))
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
    live.send("totals", Array("{\"version\":\(totals.version)}".utf8))
  }

  private func announce(_ change: WorldTotals.Change) {
    guard let known = change.known, let folders = change.folders else { return announceAll() }
    let data = JSONBuilder.object { json in
      json.member("version", Int64(known.version))
      json.member("from", Int64(change.from))
      json.member("folders", objects: folders) { folder, json in
        json.member("path", path: known.tree.path(of: folder))
        // As in tiles.
        var record = FeatureRecord(id: 0, kind: .district, depth: 0, minzoom: 0)
        known.tree.complete(&record, folder)
        json.put([.files, .bytes, .allocated, .newest, .type], of: record)
      }
    }
    live.send("totals", data)
  }

  private func line(known: WorldTotals.Known?) -> [UInt8] {
    JSONBuilder.object { json in
      json.member("done", known != nil)
      guard let known else { return }
      json.member("folders", Int64(known.tree.count))
      json.member("version", Int64(known.version))
      let age = totals.isCurrent ? 0 : ThisProcess.nanoseconds - known.read
      json.member("age", age / 1_000_000_000)
      json.member(known.faults)
    } + [10]
  }
}
