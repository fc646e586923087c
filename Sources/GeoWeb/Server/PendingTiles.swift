import GeoSystem
import Synchronization

/// The tiles that are being made for pages.
///
/// A page would rather have lands at once, without contents and sizes, than everything later. So if
/// a tile takes long, its page gets what is known so far, and requests it again until it has
/// everything. All these requests share one job.
final class PendingTiles: Sendable {
  struct Request: Sendable {
    let reply: Reply
    let request: HTTPRequest
  }

  private struct Pending {
    /// Requests that are still unanswered.
    var requests: [Request]
    /// When it was requested last, in nanoseconds.
    var requested: Int64
    /// Whether the next requests get what is known.
    var isLate = false
  }

  enum Step {
    case make
    case wait
    case answer
  }

  /// How long a tile is made without being requested again, in nanoseconds.
  private static let interest: Int64 = 40_000_000_000

  /// Tiles that were late, with the time of their end, until they are requested again.
  private let finished = Mutex<[TileKey: (tile: CachedTile, time: Int64)]>([:])
  private let tiles = Mutex<[TileKey: Pending]>([:])

  func add(_ key: TileKey, _ request: Request?) -> Step {
    tiles.withLock { tiles in
      let requests = request.map { [$0] } ?? []
      let now = ThisProcess.nanoseconds
      guard var tile = tiles[key] else {
        tiles[key] = Pending(requests: requests, requested: now)
        return .make
      }
      tile.requested = now
      if !tile.isLate { tile.requests += requests }
      tiles[key] = tile
      return tile.isLate ? .answer : .wait
    }
  }

  func isWanted(_ key: TileKey) -> Bool {
    tiles.withLock { tiles in
      guard let tile = tiles[key] else { return false }
      if !tile.isLate, !tile.requests.isEmpty {
        return tile.requests.contains { !$0.reply.isCancelled }
      }
      return ThisProcess.nanoseconds - tile.requested < Self.interest
    }
  }

  func takeLate(_ key: TileKey) -> [Request] {
    tiles.withLock { tiles in
      defer {
        tiles[key]?.isLate = true
        tiles[key]?.requests = []
      }
      return tiles[key]?.requests ?? []
    }
  }

  /// Ends a tile; returns its unanswered requests.
  ///
  /// - Parameter tile: What was made, for the next request if the tile was late: by then it may be
  ///   too old, and making it again would take as long.
  func end(_ key: TileKey, made tile: CachedTile? = nil) -> [Request] {
    let ended = tiles.withLock { $0.removeValue(forKey: key) }
    if let tile, ended?.isLate == true {
      let now = ThisProcess.nanoseconds
      finished.withLock { finished in
        finished = finished.filter { now - $0.value.time < Self.interest }
        finished[key] = (tile, now)
      }
    }
    return ended?.requests ?? []
  }

  func takeFinished(_ key: TileKey) -> CachedTile? {
    let found = finished.withLock { $0.removeValue(forKey: key) }
    guard let found, ThisProcess.nanoseconds - found.time < Self.interest else { return nil }
    return found.tile
  }
}

extension Router {
  /// Makes a tile for a page: the whole one, or if that takes long, what is known of it.
  func tileSoon(_ key: TileKey, _ request: HTTPRequest, _ reply: Reply) -> HTTPResponse? {
    if let tile = pending.takeFinished(key) {
      watchAside(tile)
      return response(tile, request)
    }
    let isTaken = make(key, for: PendingTiles.Request(reply: reply, request: request))
    return isTaken ? nil : HTTPResponse(error: .unavailable, "too much to do; try again")
  }

  /// Makes a tile for a page's request, or ahead of it; whether it will be made.
  @discardableResult
  func make(_ key: TileKey, for request: PendingTiles.Request?) -> Bool {
    switch pending.add(key, request) {
    case .wait: return true
    case .answer:
      return workers.add(for: request?.reply) { [self] in
        sendKnown(key, to: request.map { [$0] } ?? [])
      }
    case .make: break
    }
    let late: @Sendable () -> Void = { [self] in sendKnown(key, to: pending.takeLate(key)) }
    let isTaken = workers.add(for: nil, late: late) { [self] in
      make(key, isUnwanted: { [pending] in !pending.isWanted(key) }) {
        pending.end(key, made: $0)
      }
    }
    if !isTaken { _ = pending.end(key) }
    return isTaken
  }

  private func sendKnown(_ key: TileKey, to requests: [PendingTiles.Request]) {
    if requests.isEmpty { return }
    let (known, version) = knowledge
    guard let tile = world.tile(key.tile, known, readingNothing: true) else { return }
    let made = CachedTile(tile, key, knowledge: version, made: ThisProcess.nanoseconds, changes: 0)
    for request in requests {
      var response = response(made, request.request)
      response.fields.append(("Geomapper-Partial", "1"))
      send(response, for: request.request, to: request.reply)
    }
  }
}
