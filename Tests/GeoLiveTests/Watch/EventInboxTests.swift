import GeoSystem
import Synchronization
import Testing

@testable import GeoLive

/// Events that arrive while a thread is busy.
@Suite struct EventInboxTests {
  /// Reports a number of changes at once, and none later.
  private final class Flood: FolderNotifier {
    private let left: Mutex<Int>
    private let over = Atomic(false)

    init(_ count: Int) { left = Mutex(count) }

    /// Whether all reported changes have been received.
    var isOver: Bool { over.load(ordering: .acquiring) }

    func watch(_ directory: Int32) throws(Errno) -> Int32 { 1 }
    func forget(_ folder: Int32) {}
    func end() {}
    func changes(in records: ArraySlice<UInt8>) -> [FolderWatcher.Change] { [] }
    func awaitRecords() throws(Errno) {}
    var hasRecords: Bool { !isOver }

    func nextRecords(appendingTo records: inout [UInt8]) throws(Errno) -> Bool {
      let isLast = left.withLock { left in
        left -= 1
        return left < 0
      }
      if isLast {
        over.store(true, ordering: .releasing)
        throw .noEntry
      }
      records += [UInt8](repeating: 7, count: 64 << 10)
      return false
    }
  }

  private func pour(_ count: Int, into inbox: EventInbox) throws {
    let flood = Flood(count)
    try inbox.receive(from: flood)
    while !flood.isOver { WorkerThread.pause(milliseconds: 1) }
  }

  /// Changes are handed over in parts, and a request waits only for those received before it.
  @Test func requestsWaitForEarlierChanges() throws {
    let inbox = EventInbox()
    try pour(40, into: inbox)
    inbox.put(.end(15))
    try pour(60, into: inbox)
    var (pieces, before) = (0, -1)
    while true {
      let content = inbox.wait(until: ThisProcess.nanoseconds)
      #expect(content.pieces.count <= 8)
      if content.pieces.isEmpty { break }
      pieces += content.pieces.count
      if before < 0, !content.requests.isEmpty { before = pieces }
      #expect(!content.hasLost)
    }
    #expect(pieces == 100)
    #expect((40..<50).contains(before), "\(before)")
  }

  /// Reports only when polled; it never wakes a waiting thread.
  private final class Sleeper: FolderNotifier {
    private let left: Mutex<Int>

    init(_ count: Int) { left = Mutex(count) }

    func watch(_ directory: Int32) throws(Errno) -> Int32 { 1 }
    func forget(_ folder: Int32) {}
    func end() {}
    func changes(in records: ArraySlice<UInt8>) -> [FolderWatcher.Change] { [] }
    func awaitRecords() throws(Errno) { throw .noEntry }
    var hasRecords: Bool { left.withLock { $0 > 0 } }

    func nextRecords(appendingTo records: inout [UInt8]) throws(Errno) -> Bool {
      records += [7]
      return left.withLock { left in
        left -= 1
        return left == 0
      }
    }
  }

  /// Changes that the system reported before a request come before it, even if the thread hasn't
  /// read them yet.
  @Test func unreadChangesComeBeforeRequests() throws {
    let inbox = EventInbox()
    try inbox.receive(from: Sleeper(3))
    inbox.put(.end(2))
    let content = inbox.wait(until: ThisProcess.nanoseconds)
    #expect(content.pieces.count == 3)
    #expect(content.requests.count == 1)
  }

  /// Changes that exceed the queue are lost, and the loss is reported.
  @Test func lossesAreReported() throws {
    let inbox = EventInbox(maximumBytes: 1 << 20)
    try pour(60, into: inbox)
    var (pieces, hasLost) = (0, false)
    while true {
      let content = inbox.wait(until: ThisProcess.nanoseconds)
      pieces += content.pieces.count
      hasLost = hasLost || content.hasLost
      if content.pieces.isEmpty { break }
    }
    #expect(hasLost && (10...30).contains(pieces), "\(pieces)")
  }

  /// Without a reader short records take no more memory than long ones.
  @Test func shortRecordsTakeBoundedMemory() throws {
    let inbox = EventInbox(maximumBytes: 100_000)
    try inbox.receive(from: Sleeper(5000))
    inbox.gather()
    var (pieces, hasLost) = (0, false)
    while true {
      let content = inbox.wait(until: ThisProcess.nanoseconds)
      pieces += content.pieces.count
      hasLost = hasLost || content.hasLost
      if content.pieces.isEmpty { break }
    }
    #expect(hasLost && pieces < 2000, "\(pieces)")
  }
}
