import GeoAtlas
import GeoChange
import GeoCore
import GeoFormats
import GeoProjection
import GeoSystem
import Synchronization

/// Compares the two states of the world, keeps the comparison up to date, and notifies pages.
final class ChangesHub: Sendable {
  let changes: LiveComparison
  private let states: [MapState]
  private let live: LiveHub
  private let waiting = Mutex<[@Sendable () -> Void]>([])
  /// The replies to all requests that wait for a comparison, and when they were last kept waiting.
  private let patient = Mutex<(replies: [Reply], time: Int64)>(([], 0))

  /// The minimum time between two notes of progress, in nanoseconds.
  private static let beat: Int64 = 1_000_000_000

  private static let defaultRows = 500
  private static let maximumRows = 20_000
  private static let maximumMoves = 1500

  init(_ comparison: Comparison, _ states: [MapState], live: LiveHub) {
    changes = LiveComparison(comparison)
    self.states = states
    self.live = live
    changes.observeProgress { [weak self] in self?.extendTime() }
    live.tree.observe { [weak self] _ in self?.again() }
    again()
  }

  /// Keeps the requests waiting: the comparison goes on.
  private func extendTime() {
    let now = ThisProcess.nanoseconds
    patient.withLock { patient in
      if now - patient.time < Self.beat { return }
      patient.time = now
      patient.replies.removeAll { $0.isCancelled }
      for reply in patient.replies { reply.extendTime() }
    }
  }

  func again() {
    changes.compare { [weak self] in
      guard let self else { return }
      for answer in waiting.withLock({ waiting in
        defer { waiting = [] }
        return waiting
      }) { answer() }
      live.send("changes", Array("{\"version\":\(changes.version)}".utf8))
    }
  }

  /// `/changes`: the differences in total and the first rows of a list of them; with `again`, after
  /// a new comparison.
  func answer(
    _ request: HTTPRequest, _ reply: Reply, in router: Router
  ) -> HTTPResponse? {
    let wanted: Wanted
    do throws(Failure) {
      wanted = try Wanted(request)
    } catch {
      return HTTPResponse(error: .badRequest, error.message)
    }
    if request.method == .head { return HTTPResponse(type: FileFormat.json.mediaType, []) }
    let answer: @Sendable () -> Void = { [weak router, weak self] in
      guard let router, let self else { return }
      self.patient.withLock { $0.replies.removeAll { $0 === reply } }
      let refused = router.later(request, reply) { router in
        guard let known = self.changes.known else {
          return HTTPResponse(error: .unavailable, "the states can't be compared")
        }
        let list = self.list(wanted, known, router.world.engine)
        // Check this comparison, because another may have replaced it meanwhile.
        return known.tree.failure == nil ? HTTPResponse(line: list) : router.lost()
      }
      if let refused { reply.send(refused) }
    }
    patient.withLock { $0.replies.append(reply) }
    if request.has(parameter: "again") {
      changes.compare(then: answer)
      return nil
    }
    let mustWait = waiting.withLock { waiting in
      if changes.known != nil { return false }
      waiting.append(answer)
      return true
    }
    if !mustWait { answer() }
    return nil
  }

  private func list(
    _ wanted: Wanted, _ known: LiveComparison.Known, _ engine: GeoProjectionEngine
  ) -> [UInt8] {
    let tree = known.tree
    let list = ChangeList(
      tree, by: wanted.order, kinds: wanted.kinds, limit: min(wanted.limit, Self.maximumRows))
    return JSONBuilder.object { json in
      json.member("version", Int64(known.version))
      json.member("age", (ThisProcess.nanoseconds - known.read) / 1_000_000_000)
      json.member("complete", known.isComplete)
      json.member(known.faults)
      tree.put(states, list, by: engine, moves: Self.maximumMoves, to: &json)
    }
  }

  private struct Wanted {
    var order = ChangeList.Order.size
    var kinds = ChangeList.allKinds
    var limit = ChangesHub.defaultRows

    init(_ request: HTTPRequest) throws(Failure) {
      let orders = ChangeList.Order.allCases.map(\.rawValue).joined(separator: ", ")
      let sort = try request.value("sort", orRefuse: "sort is one of \(orders)") {
        ChangeList.Order(rawValue: $0)
      }
      order = sort ?? order
      if let words = request.text("kind"), !words.isEmpty {
        kinds = []
        for word in words.split(separator: "|") {
          guard
            let kind = ChangeList.allKinds.first(where: { $0.text.map { "\($0)" } == String(word) })
          else { throw .usage("kind: '\(word)' is not one of added|removed|changed|moved") }
          kinds.insert(kind)
        }
      }
      if let limit = request.whole("limit") { self.limit = max(0, limit) }
    }
  }
}
