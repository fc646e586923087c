import GeoAtlas
import GeoSystem
import Synchronization
import TestSupport
import Testing

@testable import GeoWeb

/// Threads for answers that take long.
@Suite struct WorkerPoolTests {
  /// A job that ends once it is released.
  private final class Gate: Sendable {
    let isOpen = Atomic(false)
    let ended = Atomic(0)

    func pass() {
      while !isOpen.load(ordering: .relaxed) { WorkerThread.pause(milliseconds: 1) }
      ended.add(1, ordering: .relaxed)
    }
  }

  @Test func lateJobsDontBlockOthers() throws {
    let pool = try WorkerPool(threads: 2, limit: 100)
    let (gate, late, done) = (Gate(), Counter(), Counter())
    for _ in 0..<6 { #expect(pool.add(for: nil, late: { late.add() }) { gate.pass() }) }
    #expect(pool.add(for: nil) { done.add() })
    // Six jobs hang, three times as many as there are threads.
    #expect(waitUntil { done.value == 1 && late.value == 6 })
    #expect(gate.ended.load(ordering: .relaxed) == 0)
    gate.isOpen.store(true, ordering: .relaxed)
    #expect(waitUntil { gate.ended.load(ordering: .relaxed) == 6 && !pool.isBusy })
    // Threads that took the place of others have ended, and those that are left do the work.
    for _ in 0..<20 { #expect(pool.add(for: nil) { done.add() }) }
    #expect(waitUntil { done.value == 21 })
    #expect(late.value == 6)
  }

  @Test func shortJobsAreNotLate() throws {
    let pool = try WorkerPool(threads: 1, limit: 1000)
    let (late, done) = (Counter(), Counter())
    for _ in 0..<500 { #expect(pool.add(for: nil, late: { late.add() }) { done.add() }) }
    #expect(waitUntil { done.value == 500 })
    #expect(late.value == 0)
  }

  private final class Counter: Sendable {
    private let count = Atomic(0)
    var value: Int { count.load(ordering: .relaxed) }
    func add() { count.add(1, ordering: .relaxed) }
  }
}

/// Requests of pages for tiles that take long.
@Suite struct PendingTilesTests {
  private let key: TileKey
  private let mailbox: Mailbox

  init() throws {
    key = TileKey(
      tile: try #require(TileAddress(zoom: 0, x: 0, y: 0)), format: .vector, isPacked: false)
    mailbox = Mailbox(waking: try Poller())
  }

  private func request() throws -> PendingTiles.Request {
    let text = Array("GET /tiles/0/0/0.mvt?soon HTTP/1.1\r\nHost: h\r\n\r\n".utf8)
    guard case .request(let request, _) = HTTPParser.parse(text) else {
      throw Errno.inputOutput
    }
    return PendingTiles.Request(reply: Reply(to: 1, through: mailbox), request: request)
  }

  @Test func oneJobAnswersAllRequests() throws {
    let tiles = PendingTiles()
    #expect(tiles.add(key, nil) == .make)
    #expect(try tiles.add(key, request()) == .wait)
    #expect(try tiles.add(key, request()) == .wait)
    #expect(tiles.isWanted(key))
    #expect(tiles.end(key).count == 2)
    #expect(!tiles.isWanted(key))
    #expect(try tiles.add(key, request()) == .make)
  }

  @Test func lateTilesAnswerAtOnce() throws {
    let tiles = PendingTiles()
    #expect(try tiles.add(key, request()) == .make)
    #expect(tiles.takeLate(key).count == 1)
    // The page is expected to request it again.
    #expect(tiles.isWanted(key))
    #expect(try tiles.add(key, request()) == .answer)
    #expect(tiles.end(key).isEmpty)
  }

  @Test func tilesWithoutClientsAreUnwanted() throws {
    let tiles = PendingTiles()
    let (first, second) = try (request(), request())
    #expect(tiles.add(key, first) == .make)
    #expect(tiles.add(key, second) == .wait)
    first.reply.cancel()
    #expect(tiles.isWanted(key))
    second.reply.cancel()
    #expect(!tiles.isWanted(key))
  }
}
