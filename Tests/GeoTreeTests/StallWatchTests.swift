import GeoSystem
import Synchronization
import Testing

@testable import GeoTree

/// Folders of a scan that don't answer.
@Suite struct StallWatchTests {
  private final class Log: Sendable {
    let reports = Mutex<[(path: [UInt8], seconds: Int64)]>([])
  }

  private let log = Log()
  @Test func theOldestFolderIsReportedOnceASecond() {
    let clock = Clock()
    let watch = StallWatch(clock: { clock.time }) { [log] path, seconds in
      log.reports.withLock { $0.append((path, seconds)) }
    }
    let posts = (0..<3).map { _ in watch.makePost() }
    posts[0].enter(Array("w/slow".utf8))
    clock.pass(seconds: 2)
    posts[1].enter(Array("w/later".utf8))
    posts[2].enter(Array("w/done".utf8))
    posts[2].leave()
    clock.pass(seconds: 2)
    #expect(!watch.isDue(at: clock.time))
    watch.check()
    #expect(seconds == [])
    clock.pass(seconds: 2)
    #expect(watch.isDue(at: clock.time))
    watch.check()
    watch.check()
    #expect(seconds == [6])
    clock.pass(seconds: 1)
    watch.check()
    #expect(seconds == [6, 7])
    #expect(log.reports.withLock { $0.allSatisfy { $0.path.elementsEqual("w/slow".utf8) } })
    // Another answer of the same folder begins the wait again.
    posts[0].enter(Array("w/slow".utf8))
    posts[1].leave()
    clock.pass(seconds: 4)
    watch.check()
    #expect(seconds == [6, 7])
  }

  private var seconds: [Int64] { log.reports.withLock { $0.map(\.seconds) } }

  private final class Clock: Sendable {
    private let now = Atomic<Int64>(1_000_000_000_000)
    var time: Int64 { now.load(ordering: .relaxed) }
    func pass(seconds: Int64) { now.add(seconds * 1_000_000_000, ordering: .relaxed) }
  }
}
