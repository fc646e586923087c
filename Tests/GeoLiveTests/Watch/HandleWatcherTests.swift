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
  /// Changes reported of trees that are not kept in memory.
  @Suite struct HandleWatcherTests {
    let folder: TemporaryFolder
    let inbox = EventInbox()

    init() throws {
      folder = try TemporaryFolder()
      try folder.makeFolder("root")
    }

    private static var mayWatch: Bool { (try? FileSystemWatcher()) != nil }

    private final class Log: TreeObserver {
      var changes: [String] = []
      var losses = 0
      var marks = 0

      func note(_ change: TreeChange) {
        let from = change.from.map { " from " + String(decoding: $0, as: UTF8.self) } ?? ""
        let path = String(decoding: change.path, as: UTF8.self)
        changes.append("\(change.what) \(path)\(change.isFolder ? "/" : "")\(from)")
      }
      func noteLoss(since time: Int64) { losses += 1 }
    }

    private func root(_ label: String, _ name: String) -> ScanRoot {
      ScanRoot(label: Array(label.utf8), directory: Array(folder(name).utf8))
    }

    /// Receives events until a new marker file is reported.
    private func settle(_ watcher: HandleWatcher, _ log: Log) throws {
      log.marks += 1
      let mark = "mark-\(log.marks)"
      try folder.makeFile("root/\(mark)")
      #expect(
        waitUntil {
          for piece in inbox.wait(until: ThisProcess.nanoseconds + 10_000_000).pieces {
            watcher.process(piece)
          }
          return log.changes.contains("created r/\(mark)")
        })
      log.changes.removeAll { $0.contains("mark-") }
    }

    @Test(.enabled(if: mayWatch, "only who may watch file systems"))
    func reportsWhatHappens() throws {
      try folder.makeFile("root/a/old", "1")
      try folder.makeFolder("root/own")
      try folder.makeFile("elsewhere/e/deep/brought", "12")
      let watcher = try HandleWatcher([root("r", "root")])
      watcher.ignored.insert(try FileSystem.rootFacts(Array(folder("root/own").utf8)).identity)
      let log = Log()
      watcher.observer = log
      try watcher.deliver(to: inbox)
      watcher.start()
      func expect(_ expected: [String]) throws {
        try settle(watcher, log)
        #expect(log.changes == expected)
        log.changes = []
      }
      try folder.makeFile("root/a/new", "text")
      try expect(["created r/a/new"])
      #expect(mkdir(folder("root/b"), 0o755) == 0)
      #expect(rename(folder("root/a/new"), folder("root/b/moved")) == 0)
      try expect(["created r/b/", "moved r/b/moved from r/a/new"])
      #expect(rename(folder("root/b"), folder("root/a/c")) == 0)
      try expect(["moved r/a/c/ from r/b"])
      // By its handle, the folder is found under its new name.
      try folder.makeFile("root/a/c/later")
      try expect(["created r/a/c/later"])
      #expect(rename(folder("elsewhere/e"), folder("root/e")) == 0)
      try expect(["created r/e/", "created r/e/deep/", "created r/e/deep/brought"])
      #expect(rename(folder("root/e"), folder("elsewhere/back")) == 0)
      try expect(["deleted r/e/deep/", "deleted r/e/deep/brought", "deleted r/e/"])
      #expect(unlink(folder("root/a/old")) == 0)
      #expect(unlink(folder("root/a/c/later")) == 0)
      #expect(unlink(folder("root/a/c/moved")) == 0)
      #expect(rmdir(folder("root/a/c")) == 0)
      try expect([
        "deleted r/a/old", "deleted r/a/c/later", "deleted r/a/c/moved", "deleted r/a/c/",
      ])
      try folder.makeFile("root/own/silent")
      try folder.makeFile("elsewhere/silent")
      try expect([])
      #expect(log.losses == 0)
      watcher.noteLostPieces()
      #expect(log.losses == 1)
    }

    /// A file that is written repeatedly is reported at once, and again at the end of a second.
    @Test(.enabled(if: mayWatch, "only who may watch file systems"))
    func changesOfContentAreTold() throws {
      try folder.makeFile("root/log", "1")
      let watcher = try HandleWatcher([root("r", "root"), root("s", "root")])
      let log = Log()
      watcher.observer = log
      try watcher.deliver(to: inbox)
      let start = ThisProcess.nanoseconds
      for count in 1...5 {
        try folder.makeFile("root/log", String(repeating: "x", count: count))
        var records: [UInt8] = []
        while records.isEmpty {
          for piece in inbox.wait(until: ThisProcess.nanoseconds + 10_000_000).pieces
          where piece.names("log") { records += piece.records }
        }
        // Even if processing takes long, it is reported within a second.
        watcher.process(.init(records: records, time: start + Int64(count) * 1000, since: start))
      }
      #expect(log.changes == ["modified r/log", "modified s/log"])
      watcher.finish(at: start + 2_000_000_000)
      #expect(log.changes.sorted().suffix(2) == ["modified s/log", "modified s/log"])
      #expect(log.changes.count == 4)
    }

    /// The map knows where a removed folder was.
    @Test func recallsWhatIsGone() throws {
      try folder.makeFile("root/a/x")
      try folder.makeFolder("root/a/c")
      let source = CachingSource()
      var options = FileSystemScanner.Options()
      options.hasStamp = true
      let session = source.session(options, readers: 1)
      let reference = FolderReference.path(
        root: root("r", "root"), path: Array("r/a".utf8), mark: nil)
      func folders() -> [String] {
        var listing = FolderListing()
        session.makeReader().list(reference, into: &listing)
        return (0..<listing.folders.count).map {
          String(decoding: listing.folders.name(at: $0), as: UTF8.self)
        }
      }
      #expect(folders() == ["c"])
      source.recall(Array("r/a/b".utf8))
      #expect(folders() == ["b", "c"])
      #expect(session.stamp(of: reference) == nil)
      source.recall(nil)
      #expect(folders() == ["c"])
      #expect(session.stamp(of: reference) != nil)
      // Its parent may be removed, too.
      #expect(rmdir(folder("root/a/c")) == 0 && unlink(folder("root/a/x")) == 0)
      #expect(rmdir(folder("root/a")) == 0)
      source.recall(Array("r/a/b/d".utf8))
      #expect(folders() == ["b"])
      source.recall(nil)
      #expect(folders().isEmpty)
    }
  }

  extension EventInbox.Piece {
    /// Whether an event is about an entry with this name.
    fileprivate func names(_ name: String) -> Bool {
      FileSystemEvent.all(in: records[...]).contains {
        $0.place?.name.elementsEqual(name.utf8) == true
      }
    }
  }
#endif
