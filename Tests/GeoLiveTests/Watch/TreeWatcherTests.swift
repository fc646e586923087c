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
  /// `renameat2`, which the importer hides; flag 2 exchanges two entries.
  @_silgen_name("renameat2")
  func queue(
    _ folder: Int32, _ name: UnsafePointer<CChar>, _ other: Int32,
    _ otherName: UnsafePointer<CChar>, _ flags: UInt32
  ) -> Int32

  /// The tree in memory, compared with the changing one on disk.
  @Suite struct TreeWatcherTests {
    let folder: TemporaryFolder
    let inbox = EventInbox()

    init() throws {
      folder = try TemporaryFolder()
      try folder.makeFolder("root")
    }

    func makeWatcher() throws -> TreeWatcher {
      let root = ScanRoot(label: Array("r".utf8), directory: Array(folder("root").utf8))
      let watcher = TreeWatcher([root], by: try TreeWatcher.Notifier())
      try watcher.deliver(to: inbox)
      return watcher
    }

    /// Receives events until a file with the given name is reported, and a moment longer.
    func settle(_ watcher: TreeWatcher, _ number: Int) throws {
      let mark = "mark-\(number)"
      try folder.makeFile("root/\(mark)")
      #expect(
        waitUntil {
          inbox.gather()
          let content = inbox.wait(until: ThisProcess.nanoseconds + 10_000_000)
          watcher.process(content.pieces)
          if content.hasLost { watcher.reportLoss() }
          watcher.tick(at: ThisProcess.nanoseconds)
          return content.pieces.isEmpty && watcher.held.isEmpty && watcher.suspects.isEmpty
            && watcher.tree[0].files.find(Array(mark.utf8)) != nil
        })
    }

    func known(_ tree: KnownTree) -> Set<String> {
      var paths: Set<String> = []
      var rest: [Int32] = [0]
      while let next = rest.popLast() {
        let path = String(decoding: tree.path(of: next), as: UTF8.self)
        paths.insert(path + "/")
        tree[next].files.forEach { name, _ in
          paths.insert(path + "/" + String(decoding: name, as: UTF8.self))
        }
        rest += tree[next].folders
      }
      return paths
    }

    func there() throws -> Set<String> {
      let outcome = try Subprocess.run(
        "/usr/bin/find", [folder("root"), "-printf", #"r/%P|%y\n"#])
      return Set(
        outcome.text.split(separator: "\n").map { line in
          let parts = line.split(separator: "|")
          let path = parts[0] == "r/" ? "r" : String(parts[0])
          return parts[1] == "d" ? path + "/" : path
        })
    }

    func bytes() throws -> Int64 {
      let outcome = try Subprocess.run(
        "/usr/bin/find", [folder("root"), "!", "-type", "d", "-printf", #"%s\n"#])
      return outcome.text.split(separator: "\n").reduce(0) { $0 + (Int64($1) ?? 0) }
    }

    final class Log: TreeObserver {
      var changes: [TreeChange] = []
      var losses = 0
      func handle(_ change: TreeChange) { changes.append(change) }
      func handleLoss(since time: Int64) { losses += 1 }

      func has(_ what: TreeChange.What, _ path: String, from: String? = nil) -> Bool {
        changes.contains {
          $0.what == what && $0.path.elementsEqual(path.utf8)
            && $0.from == from.map { Array($0.utf8) }
        }
      }
    }

    @Test func reportsWhatHappens() throws {
      try folder.makeFile("root/old", "1")
      try folder.makeFolder("root/from/inner")
      try folder.makeFile("root/from/inner/x", "12345")
      try folder.makeFolder("elsewhere/e")
      try folder.makeFile("elsewhere/e/brought", "12")
      let watcher = try makeWatcher()
      let log = Log()
      watcher.observer = log
      watcher.start()
      #expect(log.changes.isEmpty)
      #expect(watcher.tree.sums(at: [0x72])?.bytes == 6)

      try folder.makeFile("root/new", "text")
      try folder.makeFolder("root/a/b/c")
      try folder.makeFile("root/a/b/c/deep", "1")
      try settle(watcher, 1)
      #expect(rename(folder("root/old"), folder("root/a/renamed")) == 0)
      #expect(rename(folder("root/from"), folder("root/to")) == 0)
      try folder.makeFile("root/to/inner/y", "123")
      #expect(rename(folder("elsewhere/e"), folder("root/e")) == 0)
      #expect(rename(folder("root/a/b"), folder("elsewhere/b")) == 0)
      #expect(unlink(folder("root/to/inner/x")) == 0)
      try settle(watcher, 2)

      #expect(log.has(.created, "r/new"))
      #expect(log.has(.created, "r/a/b/c"))
      #expect(log.has(.created, "r/a/b/c/deep"))
      #expect(log.has(.moved, "r/a/renamed", from: "r/old"))
      #expect(log.has(.moved, "r/to", from: "r/from"))
      #expect(log.has(.created, "r/to/inner/y"))
      #expect(log.has(.created, "r/e") && log.has(.created, "r/e/brought"))
      #expect(log.has(.deleted, "r/a/b") && log.has(.deleted, "r/a/b/c/deep"))
      #expect(log.has(.deleted, "r/to/inner/x"))
      #expect(!log.has(.deleted, "r/old") && !log.has(.created, "r/a/renamed"))
      #expect(try known(watcher.tree) == there())
      let sums = try #require(watcher.tree.sums(at: [0x72]))
      // new, renamed, y, brought, and two marks
      #expect(sums.files == 6 && sums.bytes == 4 + 1 + 3 + 2)

      // Renaming something no longer watched is ignored.
      try folder.makeFile("elsewhere/b/c/silent")
      log.changes = []
      try settle(watcher, 3)
      #expect(log.changes.allSatisfy { $0.path.elementsEqual("r/mark-3".utf8) })
    }

    @Test func sizesAreThoseAtTheEnd() throws {
      try folder.makeFile("root/log", "1")
      let watcher = try makeWatcher()
      let log = Log()
      watcher.observer = log
      watcher.start()
      try folder.makeFile("root/log", "123")
      try settle(watcher, 1)
      try folder.makeFile("root/log", "12345")
      try settle(watcher, 2)
      // The changes right after it are reported a second later.
      #expect(
        waitUntil {
          watcher.tick(at: ThisProcess.nanoseconds)
          return watcher.tree.sums(at: [0x72])?.bytes == 5
        })
      #expect(log.has(.modified, "r/log"))
      #expect(log.changes.last { $0.path.elementsEqual("r/log".utf8) }?.size == 5)
    }

    /// As the article on recordings says, the system reports a change by the name through which it
    /// was made.
    @Test func hardLinksUpdateTheWrittenName() throws {
      let file = try folder.makeFile("root/a", "1")
      try folder.makeFolder("root/in")
      #expect(link(file, folder("root/in/b")) == 0)
      let watcher = try makeWatcher()
      watcher.start()
      func expect(_ bytes: Int64) {
        #expect(
          waitUntil {
            watcher.tick(at: ThisProcess.nanoseconds)
            return watcher.tree.sums(at: [0x72])?.bytes == Int128(bytes)
          })
      }
      expect(1 + 1)
      let writer = try #require(FileHandle(forWritingAtPath: file))
      try writer.write(contentsOf: Data("12345".utf8))
      try writer.close()
      try settle(watcher, 1)
      #expect(try bytes() == 5 + 5)
      expect(5 + 1)
      #expect(chmod(folder("root/in/b"), 0o600) == 0)
      try settle(watcher, 2)
      expect(5 + 5)
    }

    @Test func ignoresItsOwnFile() throws {
      try folder.makeFolder("root/own")
      let own = try folder.makeFile("root/own.json")
      let watcher = try makeWatcher()
      for path in [own, folder("root/own")] {
        watcher.ignored.insert(try FileSystem.rootFacts(Array(path.utf8)).identity)
      }
      let log = Log()
      watcher.observer = log
      watcher.start()
      try folder.makeFile("root/own.json", "more")
      try folder.makeFile("root/own/x", "more")
      try settle(watcher, 1)
      #expect(log.changes.allSatisfy { $0.path.elementsEqual("r/mark-1".utf8) })
      #expect(watcher.tree.sums(at: [0x72])?.files == 1)
      #expect(watcher.tree.sums(at: [0x72])?.folders == 0)
    }

    /// After any changes, the tree in memory equals the one on disk, and the reported changes lead
    /// from the first state to the last.
    @Test(arguments: TestScale.seeds(6))
    func equalsTheDiskAfterAnyChanges(seed: UInt64) throws {
      var generator = SeededGenerator(seed: seed)
      for number in 0..<20 { try folder.makeFile("root/d\(number % 3)/f\(number)") }
      let watcher = try makeWatcher()
      let log = Log()
      watcher.observer = log
      watcher.start()
      var reported = known(watcher.tree)
      for round in 1...3 {
        try storm(300, using: &generator)
        // Some events are processed while changes go on.
        watcher.process(inbox.wait(until: 0).pieces)
        try storm(300, using: &generator)
        try settle(watcher, round)
        try expectAll(of: watcher.tree, log, &reported, "seed \(seed)")
      }
      #expect(log.losses == 0)
    }

    /// Two entries of any kind are exchanged; the result is the state on disk.
    @Test func exchangedEntriesAreFollowed() throws {
      for name in ["a/x", "a/in/y", "b/z", "e/f/g"] { try folder.makeFile("root/\(name)", name) }
      try folder.makeFile("root/file", "1")
      for name in ["none", "empty"] { try folder.makeFolder("root/\(name)") }
      let watcher = try makeWatcher()
      watcher.start()
      let pairs = [("a", "b"), ("file", "e"), ("none", "empty"), ("b/in", "file/f"), ("a", "e")]
      for (number, (one, other)) in pairs.enumerated() {
        guard queue(AT_FDCWD, folder("root/\(one)"), AT_FDCWD, folder("root/\(other)"), 2) == 0
        else { return }
        try settle(watcher, number)
        watcher.finish(at: ThisProcess.nanoseconds)
        let (known, there) = (known(watcher.tree), try there())
        #expect(known == there, "\(one), \(other): \(known.symmetricDifference(there).sorted())")
        let sums = try #require(watcher.tree.sums(at: [0x72]))
        #expect(sums.files == there.count { !$0.hasSuffix("/") })
        #expect(sums.folders == there.count { $0.hasSuffix("/") } - 1)
      }
    }

    /// The same if the system's queue is read late, as by a delayed thread: its events are then
    /// older than they seem, and the tree has changed since.
    @Test(arguments: TestScale.seeds(20))
    func equalsTheDiskAfterLateEvents(seed: UInt64) throws {
      var generator = SeededGenerator(seed: seed)
      for number in 0..<20 { try folder.makeFile("root/d\(number % 3)/f\(number)", "1") }
      let root = ScanRoot(label: Array("r".utf8), directory: Array(folder("root").utf8))
      let watcher = TreeWatcher([root], by: try TreeWatcher.Notifier())
      let log = Log()
      watcher.observer = log
      watcher.start()
      var reported = known(watcher.tree)
      for round in 1...3 {
        try storm(generator.number(in: 1...300), using: &generator)
        let first = try read(watcher, upTo: "first-\(round)")
        try storm(generator.number(in: 1...300), using: &generator)
        watcher.process(first)
        // The watcher learns that all events have come, but there are more.
        if generator.chance(0.5) { watcher.finish(at: ThisProcess.nanoseconds) }
        watcher.process(try read(watcher, upTo: "second-\(round)"))
        // Wait until no events are left.
        var turns = 0
        repeat {
          watcher.finish(at: ThisProcess.nanoseconds)
          turns += 1
        } while turns < 100 && !(watcher.suspects.isEmpty && watcher.recent.isEmpty)
        #expect(turns < 100, "seed \(seed): \(watcher.suspects)")
        let all = try there()
        let sums = try #require(watcher.tree.sums(at: [0x72]))
        #expect(try sums.bytes == bytes(), "seed \(seed)")
        #expect(sums.files == all.count { !$0.hasSuffix("/") }, "seed \(seed)")
        #expect(sums.folders == all.count { $0.hasSuffix("/") } - 1, "seed \(seed)")
        try expectAll(of: watcher.tree, log, &reported, "seed \(seed)")
      }
      #expect(log.losses == 0)
    }

    /// Expects that the tree in memory, and one built from the reported changes, equal the tree on
    /// disk.
    private func expectAll(
      of tree: KnownTree, _ log: Log, _ reported: inout Set<String>, _ what: String
    ) throws {
      let there = try there()
      let known = known(tree)
      #expect(known == there, "\(what): \(known.symmetricDifference(there).sorted())")
      for change in log.changes { apply(change, to: &reported) }
      log.changes = []
      #expect(
        reported == there, "\(what), reported: \(reported.symmetricDifference(there).sorted())")
    }

    /// Takes all events out of the system's queue, up to a file made now.
    private func read(_ watcher: TreeWatcher, upTo mark: String) throws -> [EventInbox.Piece] {
      try folder.makeFile("root/\(mark)")
      var pieces: [EventInbox.Piece] = []
      repeat {
        var piece = EventInbox.Piece(records: [], time: 0, since: pieces.last?.since ?? 0)
        let start = ThisProcess.nanoseconds
        if try watcher.watcher.nextRecords(appendingTo: &piece.records) { piece.since = start }
        piece.time = ThisProcess.nanoseconds
        pieces.append(piece)
      } while !String(decoding: pieces.last?.records ?? [], as: UTF8.self).contains(mark)
      return pieces
    }

    /// Applies a change as a reader of the events would.
    private func apply(_ change: TreeChange, to paths: inout Set<String>) {
      let path = String(decoding: change.path, as: UTF8.self) + (change.isFolder ? "/" : "")
      switch change.what {
      case .created, .modified, .attributes: paths.insert(path)
      case .deleted: paths.remove(path)
      case .moved:
        let from =
          String(decoding: change.from ?? [], as: UTF8.self) + (change.isFolder ? "/" : "")
        for old in paths where old == from || change.isFolder && old.hasPrefix(from) {
          paths.remove(old)
          paths.insert(path + old.dropFirst(from.count))
        }
      }
    }

    /// Makes, renames and removes random entries.
    private func storm(_ steps: Int, using generator: inout SeededGenerator) throws {
      func name() -> String {
        var path = "root"
        for _ in 0..<generator.number(in: 0...3) { path += "/d\(generator.number(in: 0...2))" }
        return path
      }
      func leaf() -> String {
        name()
          + (generator.chance(0.5)
            ? "/d\(generator.number(in: 0...2))" : "/f\(generator.number(in: 0...9))")
      }
      for _ in 0..<steps {
        switch generator.number(in: 0...12) {
        // A file is replaced by a folder of the same name, or a folder by a file.
        case 10:
          let path = folder(leaf())
          if unlink(path) == 0 { _ = mkdir(path, 0o755) }
        case 11:
          let path = folder(leaf())
          if rmdir(path) == 0 { close(open(path, O_WRONLY | O_CREAT, 0o644)) }
        case 12:
          // A link is never written to; the system reports a write for only one of a file's names.
          let (path, other) = (folder(leaf()), folder(leaf()))
          if symlink(".", path) == 0 { _ = link(path, other) }
        case 0...3:
          let path = leaf()
          let file = open(folder(path), O_WRONLY | O_CREAT | O_NOFOLLOW | O_APPEND, 0o644)
          _ = write(file, "some text", generator.number(in: 0...9))
          close(file)
        case 4...5: _ = mkdir(folder(leaf()), 0o755)
        case 6...8: _ = rename(folder(leaf()), folder(leaf()))
        default:
          let path = leaf()
          if unlink(folder(path)) != 0 { _ = rmdir(folder(path)) }
        }
      }
    }

    /// A rescan finds changes whose events were lost.
    @Test func repairsWhatWasLost() throws {
      for number in 0..<10 { try folder.makeFile("root/d\(number % 3)/f\(number)", "1") }
      let watcher = try makeWatcher()
      let log = Log()
      watcher.observer = log
      watcher.start()
      try folder.makeFile("root/d0/new")
      try folder.makeFile("root/d1/f1", "more than before")
      #expect(unlink(folder("root/d2/f2")) == 0)
      #expect(rename(folder("root/d0"), folder("root/other")) == 0)
      _ = inbox.wait(until: ThisProcess.nanoseconds + 50_000_000)
      watcher.reportLoss()
      #expect(log.losses == 1 && watcher.lossTime != nil)
      watcher.repair(at: ThisProcess.nanoseconds)
      #expect(watcher.lossTime == nil)
      #expect(log.has(.modified, "r/d1/f1") && log.has(.deleted, "r/d2/f2"))
      #expect(log.has(.deleted, "r/d0/f0") && log.has(.created, "r/other/f0"))
      #expect(try known(watcher.tree) == there())
      // The moved folder is watched at its new path.
      try folder.makeFile("root/other/later")
      try settle(watcher, 1)
      #expect(log.has(.created, "r/other/later"))
      #expect(try known(watcher.tree) == there())
    }
  }
#endif
