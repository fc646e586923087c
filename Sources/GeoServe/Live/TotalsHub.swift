import GeoAtlas
import GeoEmit
import GeoSystem
import Synchronization

/// Tells pages how far the totals of folders have come, and has them kept.
///
/// They are added up as long as any page listens: who doesn't want to wait closes the stream.
final class TotalsHub: Sendable {
  private let totals: WorldTotals
  private let live: LiveHub
  private let listeners = Mutex<[Reply]>([])

  /// Totals that are older than this, in nanoseconds, are added up again for the next page.
  private static let age: Int64 = 60_000_000_000
  /// How many pages may listen.
  private static let mostListeners = 64

  init(_ totals: WorldTotals, live: LiveHub) {
    self.totals = totals
    self.live = live
    live.observe { [weak self] path in self?.mend(path) }
  }

  /// `/totals`: lines that tell how far they have come; with `path`, has what is below a folder read
  /// again.
  func answer(_ request: HTTPRequest, _ reply: Reply) -> HTTPResponse {
    if let path = request.parameter("path") {
      mend(path)
      return HTTPResponse(type: MediaType.json, Self.line(known: totals.known))
    }
    var response = HTTPResponse(type: MediaType.lines, [])
    response.isStream = true
    if let known = totals.known, ThisProcess.nanoseconds - known.read < Self.age {
      reply.send(piece: Self.line(known: known))
      reply.finish()
      return response
    }
    // Who asks for the fields alone has nothing added up.
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

  private func mend(_ path: [UInt8]) {
    totals.mend(path) { [weak self] in self?.announce() }
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
    let last = Self.line(known: totals.known)
    let all = listeners.withLock { listeners in
      defer { listeners = [] }
      return listeners
    }
    for reply in all {
      reply.send(piece: last)
      reply.finish()
    }
    announce()
  }

  /// Tells all pages that there are other totals than before.
  private func announce() {
    live.tell(Array("event: totals\ndata: {\"version\":\(totals.version)}\n\n".utf8))
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
