import GeoAtlas
import GeoChange
import GeoCore
import GeoFormats
import GeoLive
import GeoProjection
import GeoSystem
import Synchronization

/// Sends pages the changes on disk in the folders that they show.
final class LiveHub: Sendable {
  let tree: LiveTree
  private let replies = Mutex<[Reply]>([])
  private let mostListeners: Int

  /// The interval of checks for the roots, in milliseconds, and the number of checks between checks
  /// of listeners.
  private static let rootPause: UInt32 = 2000
  private static let looks = 7

  /// Makes a hub without listeners.
  init(_ tree: LiveTree, mostListeners: Int) throws(Errno) {
    self.tree = tree
    self.mostListeners = mostListeners
    tree.observeEvents { [weak self] events in
      self?.send(Array(events.map { Self.text(of: $0, tree.world) }.joined()))
    }
    try WorkerThread.start { [self] in
      while true {
        for _ in 0..<Self.looks {
          WorkerThread.pause(milliseconds: Self.rootPause)
          tree.lookForRoots()
        }
        // A closed connection is only noticed when something is sent.
        send(Array(":\n\n".utf8))
      }
    }
  }

  var listenerCount: Int { replies.withLock { $0.count } }

  /// Adds a listener; false if there are too many.
  func add(_ reply: Reply) -> Bool {
    let isTaken = replies.withLock { replies in
      replies.removeAll { $0.isCancelled }
      if replies.count >= mostListeners { return false }
      replies.append(reply)
      tree.begin()
      return true
    }
    // The mailbox sends it after the head of the stream.
    if isTaken { reply.send(piece: Array("retry: 2000\n\n".utf8)) }
    return isTaken
  }

  /// Removes a listener; without listeners nothing is watched.
  func remove(_ connection: UInt64) {
    replies.withLock { replies in
      replies.removeAll { $0.connection == connection }
      if replies.isEmpty { tree.end() }
    }
  }

  /// Sends a piece to all listeners.
  func send(_ piece: [UInt8]) {
    for reply in replies.withLock({ $0 }) { reply.send(piece: piece) }
  }

  private static func text(of event: LiveTree.Event, _ world: World) -> [UInt8] {
    var json = JSONBuilder()
    var writer = NodeWriter(world)
    json.object { json in
      json.member("path", path: event.folder.path)
      writer.putBox(of: event.folder.place, to: &json)
      json.member("what", text: Array(event.what.rawValue.utf8))
      json.member("name", text: event.name)
      if let city = event.city, !event.name.isEmpty {
        let place = world.engine.placeFile(event.name.span, in: city)
        json.put(place.coordinate, digits: city.digits)
        json.member("minzoom", Int64(city.minzoom))
      }
    }
    return Array("event: change\ndata: ".utf8) + json.bytes + [10, 10]
  }
}

/// Compares the two states of the world, keeps the comparison up to date, and notifies pages.
final class ChangesHub: Sendable {
  let changes: WorldChanges
  private let states: [MapState]
  private let live: LiveHub
  /// Requests that wait for the first comparison.
  private let waiting = Mutex<[@Sendable () -> Void]>([])
  /// The replies to all requests that wait for a comparison, and when they were last kept waiting.
  private let patient = Mutex<(replies: [Reply], time: Int64)>(([], 0))

  /// The minimum time between two notes of progress, in nanoseconds.
  private static let beat: Int64 = 1_000_000_000

  /// The default and maximum number of rows of a list.
  private static let usualRows = 500
  private static let mostRows = 20_000
  /// The maximum number of moves sent with their places, the largest first.
  private static let mostMoves = 1500

  /// - Parameter states: The names and times of the two states.
  init(_ comparison: Comparison, _ states: [MapState], live: LiveHub) {
    changes = WorldChanges(comparison)
    self.states = states
    self.live = live
    changes.observeProgress { [weak self] in self?.noteProgress() }
    live.tree.observe { [weak self] _ in self?.again() }
    again()
  }

  /// Keeps the requests waiting: the comparison goes on.
  private func noteProgress() {
    let now = ThisProcess.nanoseconds
    patient.withLock { patient in
      if now - patient.time < Self.beat { return }
      patient.time = now
      patient.replies.removeAll { $0.isCancelled }
      for reply in patient.replies { reply.noteProgress() }
    }
  }

  /// Compares again, and notifies all pages.
  func again() {
    changes.compare { [weak self] in
      guard let self else { return }
      for answer in waiting.withLock({ waiting in
        defer { waiting = [] }
        return waiting
      }) { answer() }
      live.send(Array("event: changes\ndata: {\"version\":\(changes.version)}\n\n".utf8))
    }
  }

  /// `/changes`: the differences in total and the first rows of a list of them; with `again`, after
  /// a new comparison.
  func answer(
    _ request: HTTPRequest, _ reply: Reply, in site: Site
  ) -> HTTPResponse? {
    let wanted: Wanted
    switch Wanted.read(request) {
    case .success(let read): wanted = read
    case .failure(let mistake): return HTTPResponse(error: .badRequest, mistake.reason)
    }
    if request.method == .head { return HTTPResponse(type: FileFormat.json.mediaType, []) }
    let answer: @Sendable () -> Void = { [weak site, weak self] in
      guard let site, let self else { return }
      self.patient.withLock { $0.replies.removeAll { $0 === reply } }
      let refused = site.later(request, reply) { site in
        guard let known = self.changes.known else {
          return HTTPResponse(error: .unavailable, "the states can't be compared")
        }
        let list = self.list(wanted, known, site.world.engine)
        // Check this comparison, because another may have replaced it meanwhile.
        if known.tree.failure != nil { return site.lost() }
        return HTTPResponse(type: FileFormat.json.mediaType, list)
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
    _ wanted: Wanted, _ known: WorldChanges.Known, _ engine: GeoProjectionEngine
  ) -> [UInt8] {
    let tree = known.tree
    let list = ChangeList(
      tree, by: wanted.order, kinds: wanted.kinds, limit: min(wanted.limit, Self.mostRows))
    var json = JSONBuilder()
    json.object { json in
      json.member("version", Int64(known.version))
      json.member("age", (ThisProcess.nanoseconds - known.read) / 1_000_000_000)
      json.member("complete", known.isComplete)
      tree.put(states, list, by: engine, moves: Self.mostMoves, to: &json)
    }
    return json.bytes + [10]
  }

  /// The list that a client requests.
  private struct Wanted {
    var order = ChangeList.Order.size
    var kinds = ChangeList.allKinds
    var limit = ChangesHub.usualRows

    static func read(_ request: HTTPRequest) -> Result<Wanted, Malformed> {
      var wanted = Wanted()
      if let word = request.text("sort") {
        guard let order = ChangeList.Order(rawValue: word) else {
          let words = ChangeList.Order.allCases.map(\.rawValue).joined(separator: ", ")
          return .failure(Malformed(reason: "sort is one of \(words)"))
        }
        wanted.order = order
      }
      if let words = request.text("kind"), !words.isEmpty {
        let all = wanted.kinds
        wanted.kinds = []
        for word in words.split(separator: "|") {
          guard let kind = all.first(where: { $0.text.map { "\($0)" } == String(word) }) else {
            return .failure(
              Malformed(reason: "kind: '\(word)' is not one of added|removed|changed|moved"))
          }
          wanted.kinds.insert(kind)
        }
      }
      if let limit = request.text("limit").flatMap({ Int($0) }) { wanted.limit = max(0, limit) }
      return .success(wanted)
    }
  }
}

/// Searches files that meet conditions, and sends matches as they are found.
final class MatchHub: Sendable {
  private let world: World
  private let running = Atomic(0)

  /// The maximum number of searches at once: each has its own threads.
  private static let mostSearches = 4
  /// The number of unsent bytes at which a search waits for its client.
  private static let mostWaiting = 512 << 10
  /// The default and maximum number of files of a list.
  private static let usualFiles = 500
  private static let mostFiles = 5000

  init(_ world: World) { self.world = world }

  /// Whether any search is running.
  var isBusy: Bool { running.load(ordering: .relaxed) > 0 }

  /// `/matches`: the matches, as lines that each update the result.
  func answer(_ request: HTTPRequest, _ reply: Reply) -> HTTPResponse {
    let conditions: FileConditions
    do throws(Malformed) {
      conditions = try FileConditions(request)
    } catch {
      return HTTPResponse(error: .badRequest, error.reason)
    }
    let word = request.text("sort") ?? MatchOrder.size.rawValue
    guard let order = MatchOrder(rawValue: word) else {
      let words = MatchOrder.allCases.map(\.rawValue).joined(separator: ", ")
      return HTTPResponse(error: .badRequest, "sort is one of \(words)")
    }
    let response = HTTPResponse(streamOf: FileFormat.jsonl.mediaType)
    if request.method == .head { return response }
    if running.wrappingAdd(1, ordering: .relaxed).newValue > Self.mostSearches {
      running.wrappingSubtract(1, ordering: .relaxed)
      return HTTPResponse(error: .unavailable, "too many searches; try again")
    }
    let limit = request.text("limit").flatMap { Int($0) } ?? Self.usualFiles
    let search = MatchSearch(
      for: conditions, first: order, limit: min(max(limit, 1), Self.mostFiles), in: world)
    do throws(Errno) {
      // `run` sorts the matches.
      try WorkerThread.run { [self] _ in
        await send(search, to: reply)
        running.wrappingSubtract(1, ordering: .relaxed)
        reply.finish()
      }
    } catch {
      running.wrappingSubtract(1, ordering: .relaxed)
      return HTTPResponse(error: .unavailable, "there is no thread to search with; try again")
    }
    return response
  }

  private func send(_ search: MatchSearch, to reply: Reply) async {
    do {
      try await search.run(isUnwanted: { reply.isCancelled }) { news in
        reply.send(piece: Self.line(of: news))
        // A slow client slows the search, so that unsent bytes stay bounded.
        while reply.waiting > Self.mostWaiting, !reply.isCancelled {
          try? await Task.sleep(nanoseconds: 5_000_000)
        }
      }
    } catch {
      // No thread could be started: the stream ends without its last line, which marks it as
      // incomplete.
    }
  }

  private static func line(of news: MatchNews) -> [UInt8] {
    var json = JSONBuilder()
    json.object { json in
      json.member("files", Int64(news.files))
      json.member("bytes", news.bytes)
      json.member("lookedAt", Int64(news.lookedAt))
      json.member("folders", each: news.folders) { folder, json in
        json.array { json in
          json.value(text: folder.path)
          json.value(Int64(folder.files))
          json.value(folder.bytes)
        }
      }
      json.member("found", each: news.found) { file, json in
        json.object { json in
          json.member("path", path: file.path)
          json.member("name", text: Array(file.name))
          if let size = file.size { json.member("size", size) }
          if let modified = file.modified { json.member("modified", modified) }
          if let special = file.kind.special { json.member("special", text: special.bytes) }
        }
      }
      json.member("done", news.isDone)
      if news.isDone { json.member("complete", news.isComplete) }
    }
    return json.bytes + [10]
  }
}
