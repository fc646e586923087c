import Foundation
import GeoCore
import GeoTree
import GeoSystem
import TestSupport
import Testing

@testable import GeoLive

#if canImport(Glibc)
  import Glibc
#endif

#if os(Linux)
  extension TreeWatcherTests {
    /// What is moved to a folder right after that is made, before it can be watched, has moved; and
    /// nothing else is reported of it.
    @Test(arguments: [false, true]) func movesToNewFoldersAreMoves(isFiltered: Bool) throws {
      for name in ["m", "n", "sub/in/x", "d/own"] { try folder.makeFile("root/\(name)", name) }
      let watcher = try makeWatcher()
      let log = Log()
      let filter = Everything(watcher)
      if isFiltered { watcher.filter = filter }
      watcher.observer = log
      watcher.start()
      try folder.makeFolder("root/new/deep")
      try folder.makeFile("root/m", "changed before")
      #expect(rename(folder("root/m"), folder("root/new/m")) == 0)
      #expect(rename(folder("root/n"), folder("root/new/deep/other")) == 0)
      #expect(rename(folder("root/sub"), folder("root/new/deep/sub")) == 0)
      try folder.makeFile("root/n", "another")
      try folder.makeFile("root/new/deep/sub/in/y")
      try settle(watcher, 1)
      #expect(log.has(.moved, "r/new/m", from: "r/m"))
      #expect(log.has(.moved, "r/new/deep/other", from: "r/n"))
      #expect(log.has(.moved, "r/new/deep/sub", from: "r/sub"))
      #expect(log.has(.created, "r/new/deep") && log.has(.created, "r/n"))
      #expect(!log.changes.contains { $0.what == .deleted })
      for path in ["r/new/m", "r/new/deep/other", "r/new/deep/sub", "r/new/deep/sub/in/x"] {
        #expect(!log.has(.created, path), "\(path)")
      }
      #expect(try known(watcher.tree) == there())
      #expect(watcher.pending.departures.isEmpty)
    }

    private final class Everything: TreeFilter {
      private unowned let watcher: TreeWatcher
      init(_ watcher: TreeWatcher) { self.watcher = watcher }
      func enters(_ path: [UInt8]) -> Bool { true }
      func shownFiles(of path: [UInt8]) -> NameTable? { nil }
    }

    /// The growths of all changes add up to that of the tree, also where one file takes the place of
    /// another.
    @Test func replacedFilesCount() throws {
      for (name, size) in [("a", 30), ("b", 10), ("x", 5), ("y", 7)] {
        try folder.makeFile("root/\(name)", size: size)
      }
      let watcher = try makeWatcher()
      let log = Log()
      watcher.observer = log
      watcher.start()
      let before = try bytes()
      #expect(rename(folder("root/a"), folder("root/b")) == 0)
      _ = queue(AT_FDCWD, folder("root/x"), AT_FDCWD, folder("root/y"), 2)
      // Away before it can be read, so it is reported without a size at first.
      try folder.makeFile("root/new", size: 3)
      #expect(rename(folder("root/new"), folder("root/kept")) == 0)
      try folder.makeFile("root/kept", size: 4)
      try settle(watcher, 1)
      watcher.finish(at: ThisProcess.nanoseconds)
      let move = try #require(log.changes.first { $0.path.elementsEqual("r/b".utf8) })
      #expect(move.what == .moved && move.size == 30 && move.was == 40)
      #expect(
        !log.changes.contains { [.modified, .moved].contains($0.what) && $0.was == nil })
      let growth = log.changes.reduce(Int64(0)) { sum, change in
        switch change.what {
        case .created: sum + (change.size ?? 0)
        case .deleted: sum - (change.size ?? 0)
        default: sum + (change.size ?? 0) - (change.was ?? 0)
        }
      }
      #expect(try growth == bytes() - before)
      #expect(try known(watcher.tree) == there())
    }

    @Test(arguments: [false, true]) func lostRootsAreReported(isMoved: Bool) throws {
      try folder.makeFile("root/in/file")
      try folder.makeFile("root/file")
      let watcher = try makeWatcher()
      let log = Log()
      watcher.observer = log
      watcher.start()
      if isMoved {
        #expect(rename(folder("root"), folder("elsewhere")) == 0)
      } else {
        try FileManager.default.removeItem(atPath: folder("root"))
      }
      #expect(
        waitUntil {
          watcher.process(inbox.wait(until: ThisProcess.nanoseconds + 10_000_000).pieces)
          watcher.tick(at: ThisProcess.nanoseconds)
          return !watcher.lostRoots.isEmpty
        })
      watcher.finish(at: ThisProcess.nanoseconds)
      let gone = log.changes.filter { $0.what == .deleted }.map {
        String(decoding: $0.path, as: UTF8.self)
      }
      #expect(gone.sorted() == ["r", "r/file", "r/in", "r/in/file"])
      #expect(watcher.tree.sums(at: [0x72])?.files == 0)
    }
  }
#endif
