import GeoAtlas
import GeoCore
import GeoSystem
import GeoTree
import Synchronization
import TestSupport
import Testing

@testable import GeoLive

#if canImport(Glibc)
  import Glibc
#endif

#if os(Linux)
  /// A tree whose watcher also watches other folders, as it does with `--sample`.
  @Suite struct LiveTreeTests {
    private let folder: TemporaryFolder
    private let tree: LiveTree
    private let notifier: CountingNotifier
    /// The reported changes, as in `added x`.
    private let events = Reports()

    private final class Reports: Sendable {
      let all = Mutex<[String]>([])
    }

    init() throws {
      folder = try TemporaryFolder()
      for name in ["w/a/file", "w/b/file"] { try folder.makeFile(name) }
      let world = try World(
        roots: [ScanRoot(label: Array("w".utf8), directory: Array(folder("w").utf8))],
        layout: .settled, cacheLimit: 1 << 20)
      notifier = try CountingNotifier()
      tree = try LiveTree(world, totals: WorldTotals(of: world), by: notifier, gather: {})
      tree.observeEvents { [events] new in
        events.all.withLock { all in
          all += new.map { "\($0.what.rawValue) \(String(decoding: $0.name, as: UTF8.self))" }
        }
      }
      tree.begin()
      tree.watch([try #require(world.find(Array("w/a".utf8))).folder.stamp])
    }

    private func reported(_ text: String) -> Bool {
      waitUntil { events.all.withLock { $0.contains(text) } }
    }

    @Test func changesInOtherFoldersInvalidateNothing() throws {
      let other = try FileSystem.openRoot(Array(folder("w/b").utf8))
      _ = try notifier.watch(other.rawValue)
      let before = tree.changeCount
      // The first change is handled before the second one is taken.
      for name in ["x", "y"] {
        let taken = notifier.taken.load(ordering: .acquiring)
        try folder.makeFile("w/b/\(name)")
        #expect(waitUntil { notifier.taken.load(ordering: .acquiring) > taken })
      }
      #expect(tree.changeCount == before)
      try folder.makeFile("w/a/x")
      #expect(reported("added x"))
      #expect(tree.changeCount > before)
    }

    /// inotify, with the number of changes taken.
    private final class CountingNotifier: FolderNotifier {
      let base: FolderWatcher
      /// The number of changes taken.
      let taken = Atomic(0)

      init() throws { base = try FolderWatcher() }

      func watch(_ directory: Int32) throws(Errno) -> Int32 { try base.watch(directory) }
      func forget(_ folder: Int32) { base.forget(folder) }
      func end() { base.end() }
      func awaitRecords() throws(Errno) { try base.awaitRecords() }
      var hasRecords: Bool { base.hasRecords }
      func nextRecords(appendingTo records: inout [UInt8]) throws(Errno) -> Bool {
        try base.nextRecords(appendingTo: &records)
      }
      func changes(in records: ArraySlice<UInt8>) -> [FolderWatcher.Change] {
        let changes = base.changes(in: records)
        taken.wrappingAdd(changes.count, ordering: .releasing)
        return changes
      }
    }
  }
#endif
