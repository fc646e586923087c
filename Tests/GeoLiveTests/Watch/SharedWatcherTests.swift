import GeoCore
import GeoSystem
import GeoTree
import Synchronization
import TestSupport
import Testing

@testable import GeoLive

#if os(Linux)
  /// One watcher shared by two parts of a program.
  @Suite struct SharedWatcherTests {
    private let folder: TemporaryFolder
    private let base: CountingNotifier
    private let parts: [any FolderNotifier]

    init() throws {
      folder = try TemporaryFolder()
      for name in ["a", "b"] { try folder.makeFolder(name) }
      base = try CountingNotifier()
      let shared = try SharedWatcher(base)
      parts = [shared.part(), shared.part()]
    }

    private func watch(_ name: String, by part: Int) throws -> Int32 {
      let descriptor = try FileSystem.openRoot(Array(folder(name).utf8))
      return try parts[part].watch(descriptor.rawValue)
    }

    /// The names reported to a part, up to the given one.
    private func reported(_ part: Int, upTo name: String) throws -> [String] {
      var all: [String] = []
      while !all.contains(name) {
        var records: [UInt8] = []
        try parts[part].nextRecords(appendingTo: &records)
        all += parts[part].changes(in: records[...]).map {
          String(decoding: $0.name, as: UTF8.self)
        }
      }
      return all
    }

    @Test func partsReceiveChangesInOrder() throws {
      let numbers = try [watch("a", by: 0), watch("a", by: 1)]
      #expect(numbers[0] == numbers[1])
      for name in ["1", "2", "last"] { try folder.makeFile("a/\(name)") }
      for part in 0..<2 {
        let names = try reported(part, upTo: "last")
        #expect(names.filter { $0 == "1" || $0 == "2" }.first == "1" && names.contains("2"))
      }
    }

    @Test func foldersAreWatchedWhileAnyPartNeedsThem() throws {
      let a = try watch("a", by: 0)
      _ = try watch("a", by: 1)
      let b = try watch("b", by: 1)
      parts[0].forget(a)
      #expect(base.forgotten.withLock { $0 } == [])
      try folder.makeFile("a/still")
      #expect(try reported(1, upTo: "still").contains("still"))
      // A part can't end the watching of a folder that only another part watches.
      parts[0].forget(b)
      #expect(base.forgotten.withLock { $0 } == [])
      parts[1].forget(a)
      #expect(base.forgotten.withLock { $0 } == [a])
      parts[1].forget(a)
      #expect(base.forgotten.withLock { $0 } == [a])
    }

    @Test func endingAPartKeepsTheOthers() throws {
      // One of its own, as a watcher can be shared only once.
      let base = try CountingNotifier()
      let shared = try SharedWatcher(base)
      let stays = shared.part()
      var goes: (any FolderNotifier)? = shared.part()
      let folders = try ["a", "b"].map { name in
        let descriptor = try FileSystem.openRoot(Array(folder(name).utf8))
        return try #require(goes).watch(descriptor.rawValue)
      }
      let descriptor = try FileSystem.openRoot(Array(folder("a").utf8))
      _ = try stays.watch(descriptor.rawValue)
      withExtendedLifetime(stays) {
        goes = nil
        #expect(base.forgotten.withLock { $0 } == [folders[1]])
      }
    }

    @Test func endsWithItsLastPart() throws {
      let base = try CountingNotifier()
      let shared = try SharedWatcher(base)
      let (one, other) = (shared.part(), shared.part())
      one.end()
      #expect(throws: Errno.cancelled) { try one.awaitRecords() }
      let hadEnded = base.hasEnded.load(ordering: .acquiring)
      #expect(!hadEnded)
      other.end()
      let hasEnded = base.hasEnded.load(ordering: .acquiring)
      #expect(hasEnded)
    }

    /// inotify, with a record of the folders no longer watched.
    private final class CountingNotifier: FolderNotifier {
      let base: FolderWatcher
      let forgotten = Mutex<[Int32]>([])
      let hasEnded = Atomic(false)

      init() throws { base = try FolderWatcher() }

      func watch(_ directory: Int32) throws(Errno) -> Int32 { try base.watch(directory) }
      func forget(_ folder: Int32) {
        forgotten.withLock { $0.append(folder) }
        base.forget(folder)
      }
      func end() {
        hasEnded.store(true, ordering: .releasing)
        base.end()
      }
      func awaitRecords() throws(Errno) { try base.awaitRecords() }
      var hasRecords: Bool { base.hasRecords }
      func nextRecords(appendingTo records: inout [UInt8]) throws(Errno) -> Bool {
        try base.nextRecords(appendingTo: &records)
      }
      func changes(in records: ArraySlice<UInt8>) -> [FolderWatcher.Change] {
        base.changes(in: records)
      }
    }
  }
#endif
