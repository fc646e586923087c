import GeoAtlas
import GeoTree
import GeoSystem
import Synchronization
import TestSupport
import Testing

@testable import GeoLive
@testable import GeoWeb

/// The totals that pages get, and when they are updated.
@Suite struct TotalsHubTests {
  private let folder: TemporaryFolder
  private let mailbox: Mailbox
  private let live: LiveHub
  private let totals: WorldTotals
  private let hub: TotalsHub
  private let isBusy = Flag(false)
  /// Whether the first count has ended.
  private let isCounted = Flag(false)

  private final class Flag: Sendable {
    private let value: Atomic<Bool>
    init(_ value: Bool) { self.value = Atomic(value) }
    var isSet: Bool { value.load(ordering: .acquiring) }
    func set(_ value: Bool) { self.value.store(value, ordering: .releasing) }
  }

  init() throws {
    folder = try TemporaryFolder()
    for index in 0..<4 { try folder.makeFile("w/d\(index)/file", "text") }
    try folder.makeFile("other/file", "t")
    let world = try World(
      roots: [ScanRoot(label: Array("w".utf8), directory: Array(folder("w").utf8))],
      layout: .settled, cacheLimit: 1 << 20)
    mailbox = Mailbox(waking: try Poller())
    totals = WorldTotals(of: world, pause: 0) { [isBusy] in isBusy.isSet }
    live = try LiveHub(LiveTree(world, totals: totals), maximumListeners: 4)
    hub = TotalsHub(live, expected: (9, "the state of yesterday")) { [isCounted] in
      #expect(!isCounted.isSet)
      isCounted.set(true)
    }
  }

  private func ask(_ query: String = "", by connection: UInt64) throws -> HTTPResponse {
    let text = Array("GET /totals\(query) HTTP/1.1\r\nHost: h\r\n\r\n".utf8)
    guard case .request(let request, _) = HTTPParser.parse(text) else { throw Errno.inputOutput }
    return hub.answer(request, Reply(to: connection, through: mailbox))
  }

  /// The events sent to a connection, up to its end or to the given text.
  private func received(_ connection: UInt64, upTo text: String? = nil) -> String? {
    var all = ""
    var isOver = false
    let isThere = waitUntil {
      for item in mailbox.takeAll() {
        switch item {
        case .piece(connection, let bytes): all += String(decoding: bytes, as: UTF8.self)
        case .end(connection): isOver = true
        default: continue
        }
      }
      return text.map { all.contains($0) } ?? isOver
    }
    return isThere ? all : nil
  }

  @Test func theFirstCountIsReported() throws {
    #expect(!isCounted.isSet)
    for connection in UInt64(1)...2 {
      _ = try ask(by: connection)
      _ = received(connection)
      #expect(isCounted.isSet)
    }
  }

  /// The exact number of files, once it is known, takes the place of what is expected.
  @Test func progressSaysHowMuchIsExpected() {
    let progress = WorldTotals.Progress(folders: 1, files: 2)
    let first = String(decoding: hub.line(progress: progress), as: UTF8.self)
    #expect(first.contains(#""entries":9,"basis":"the state of yesterday","done":false"#))
    var counted = progress
    counted.expected = 8
    let later = String(decoding: hub.line(progress: counted), as: UTF8.self)
    #expect(later.contains(#""expected":8,"done":false"#) && !later.contains("entries"))
  }

  @Test func returningPagesGetTotals() throws {
    isBusy.set(true)
    _ = try ask(by: 1)
    hub.remove(1)
    _ = try ask(by: 2)
    isBusy.set(false)
    let text = try #require(received(2))
    #expect(text.contains("\"done\":true") && !text.contains("{\"done\":false}"))
    // Known totals are sent at once.
    _ = try ask(by: 3)
    #expect(try #require(received(3)).hasPrefix("{\"done\":true,\"folders\":5,\"version\":1"))
  }

  @Test func changesCarryTheirSums() throws {
    _ = try ask(by: 1)
    _ = received(1)
    #expect(live.add(Reply(to: 2, through: mailbox)))
    try folder.makeFile("w/d1/more", "12345")
    totals.update(LiveTree.FolderChange(path: Array("w/d1".utf8), names: nil))
    let text = try #require(received(2, upTo: "\"from\":1"))
    #expect(text.contains("event: totals\ndata: {\"version\":2,\"from\":1,\"folders\":["))
    #expect(text.contains("{\"path\":\"w\",\"files\":5,\"bytes\":21,"))
    #expect(text.contains("{\"path\":\"w/d1\",\"files\":2,\"bytes\":9,"))
    #expect(!text.contains("w/d2"))
  }

  @Test func aDocumentAndTotalsAreReplacedTogether() throws {
    let other = ScanRoot(label: Array("w".utf8), directory: Array(folder("other").utf8))
    let filesThen = Mutex<Int64?>(nil)
    let document = ServedDocument(path: "/history", event: "history", bytes: []) { [totals] in
      ServedDocument.Renewal(bytes: [1], roots: [other]) {
        filesThen.withLock { $0 = totals.known?.tree[0]?.files }
      }
    }
    // Without a request, nothing is counted.
    #expect(document.refresh(hub))
    #expect(totals.known == nil && filesThen.withLock { $0 } == nil)
    _ = try ask(by: 1)
    _ = received(1)
    let version = totals.version
    #expect(document.refresh(hub))
    #expect(filesThen.withLock { $0 } == 4)
    #expect(totals.known?.tree[0]?.files == 1 && totals.version > version)
  }
}
