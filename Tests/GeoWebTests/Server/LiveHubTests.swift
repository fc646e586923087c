import Dispatch
import GeoAtlas
import GeoFormats
import GeoLive
import GeoProjection
import GeoTree
import GeoSystem
import Synchronization
import TestSupport
import Testing

@testable import GeoWeb

#if canImport(Glibc)
  import Glibc
#endif

#if os(Linux)
  /// Events that listeners get about the folders on view.
  @Suite struct LiveHubTests {
    private let folder: TemporaryFolder
    private let world: World
    private let mailbox: Mailbox
    private let hub: LiveHub

    init() throws {
      folder = try TemporaryFolder()
      for name in ["a", "b"] { try folder.makeFile("w/\(name)/file") }
      for name in ["w/a", "w/b", "w"] { try folder.setModified(name, 1_000_000_000) }
      world = try World(
        roots: [ScanRoot(label: Array("w".utf8), directory: Array(folder("w").utf8))],
        layout: .settled, cacheLimit: 1 << 20)
      mailbox = Mailbox(waking: try Poller())
      hub = try LiveHub(
        LiveTree(world, totals: WorldTotals(of: world)), maximumListeners: 2)
    }

    /// The version stamps of the root and of one folder in it.
    private func stamps() throws -> [FolderStamp] {
      try ["w", "w/a"].map { path in
        try #require(world.find(Array(path.utf8))).folder.stamp
      }
    }

    /// The events sent to a connection since the last call, once they contain the given text.
    private func received(_ connection: UInt64, upTo text: String) -> String? {
      var all = ""
      let isThere = waitUntil {
        let messages = mailbox.takeAll()
        for case .piece(connection, let bytes) in messages {
          all += String(decoding: bytes, as: UTF8.self)
        }
        return !messages.isEmpty && all.contains(text)
      }
      return isThere ? all : nil
    }

    @Test func watchesNothingWithoutListeners() throws {
      hub.tree.watch(try stamps())
      #expect(hub.tree.watchedCount == 0)
      #expect(!hub.tree.saw(nothingIn: try stamps(), since: ThisProcess.nanoseconds))
    }

    @Test func changesAreSentToAllListeners() throws {
      let reply = Reply(to: 1, through: mailbox)
      #expect(hub.add(reply))
      hub.tree.watch(try stamps())
      #expect(hub.tree.watchedCount == 2)
      hub.tree.watch(try stamps())
      #expect(hub.tree.watchedCount == 2)
      let before = hub.tree.changeCount
      try folder.makeFile("w/a/one \"more\"")
      let text = try #require(received(1, upTo: "\"what\":\"added\""))
      #expect(text.hasPrefix("retry: 2000\n\n"))
      #expect(text.contains("event: change\ndata: {\"path\":\"w/a\",\"bbox\":["))
      #expect(text.contains("\"name\":\"one \\\"more\\\"\",\"lon\":"))
      #expect(hub.tree.changeCount > before)
    }

    @Test func changesCarryPlacesAndNewFolders() throws {
      let seen = Mutex<[LiveTree.FolderChange]>([])
      hub.tree.observe { change in seen.withLock { $0.append(change) } }
      #expect(hub.add(Reply(to: 1, through: mailbox)))
      hub.tree.watch(try stamps())
      try folder.makeFile("w/a/file", "more")
      let text = try #require(received(1, upTo: "\"name\":\"file\""))
      let found = try #require(world.find(Array("w/a/file".utf8)))
      let city = try #require(world.city(of: found.folder.stamp))
      let place = world.engine.placeFile(Array("file".utf8).span, in: city)
      var json = JSONBuilder()
      json.put(place.coordinate, digits: city.digits)
      json.member("minzoom", Int64(city.minzoom))
      #expect(text.contains(String(decoding: json.bytes, as: UTF8.self)))
      #expect(
        seen.withLock { $0 }.allSatisfy { $0.path == Array("w/a".utf8) && $0.others.isEmpty })
      // A new folder takes land from others, so entries can be anywhere in the parent.
      #expect(mkdir(folder("w/c"), 0o777) == 0)
      let more = try #require(received(1, upTo: "\"name\":\"c\""))
      // Events about the file may still come before it.
      let last = more.split(separator: "event: ").filter { $0.contains("\"name\":\"c\"") }
      #expect(!last.isEmpty && last.allSatisfy { !$0.contains("minzoom") })
      #expect(waitUntil { seen.withLock { $0.contains { $0.others == [Array("c".utf8)] } } })
    }

    @Test func knowsWhetherFoldersAreUnchanged() throws {
      #expect(hub.add(Reply(to: 1, through: mailbox)))
      let folders = try stamps()
      hub.tree.watch([folders[1]])
      let watched = ThisProcess.nanoseconds
      #expect(hub.tree.saw(nothingIn: [folders[1]], since: watched))
      // Not before watching began, and not for other folders.
      #expect(!hub.tree.saw(nothingIn: [folders[1]], since: 0))
      #expect(!hub.tree.saw(nothingIn: folders, since: watched))
      try folder.makeFile("w/a/new")
      #expect(waitUntil { !hub.tree.saw(nothingIn: [folders[1]], since: watched) })
      #expect(waitUntil { hub.tree.saw(nothingIn: [folders[1]], since: ThisProcess.nanoseconds) })
    }

    @Test func earlierChangesAreReported() throws {
      #expect(hub.add(Reply(to: 1, through: mailbox)))
      let folders = try stamps()
      try folder.makeFile("w/a/between")
      hub.tree.watch(folders)
      let text = try #require(received(1, upTo: "\"what\":\"modified\""))
      #expect(text.contains("\"path\":\"w/a\"") && text.contains("\"name\":\"\""))
    }

    @Test func manyChangesOfAFolderBecomeOne() throws {
      // It reports nothing until all changes are made.
      let made = DispatchSemaphore(value: 0)
      let tree = try LiveTree(world, totals: WorldTotals(of: world)) {
        made.wait()
        made.signal()
      }
      let hub = try LiveHub(tree, maximumListeners: 2)
      #expect(hub.add(Reply(to: 1, through: mailbox)))
      hub.tree.watch(try stamps())
      for index in 0..<500 { try folder.makeFile("w/a/\(index)") }
      made.signal()
      let text = try #require(received(1, upTo: "\"what\":\"modified\",\"name\":\"\""))
      #expect(text.split(separator: "event: change").count < 500)
    }

    @Test func aFolderThatIsGoneIsForgotten() throws {
      #expect(hub.add(Reply(to: 1, through: mailbox)))
      hub.tree.watch(try stamps())
      #expect(unlink(folder("w/a/file")) == 0 && rmdir(folder("w/a")) == 0)
      #expect(waitUntil { hub.tree.watchedCount == 1 })
      let text = try #require(received(1, upTo: "\"what\":\"removed\",\"name\":\"a\""))
      #expect(text.contains("\"path\":\"w\""))
    }

    @Test func rootsThatReturnAreReported() throws {
      #expect(hub.add(Reply(to: 1, through: mailbox)))
      hub.tree.watch(try stamps())
      // Entries that didn't move aren't reported.
      hub.tree.checkRoots()
      _ = received(1, upTo: "retry")
      #expect(rename(folder("w"), folder("elsewhere")) == 0)
      hub.tree.checkRoots()
      #expect(hub.tree.watchedCount == 0)
      #expect(try #require(received(1, upTo: "event: change")).contains("\"path\":\"w\""))
      try folder.makeFile("w/c/file")
      hub.tree.checkRoots()
      #expect(hub.tree.watchedCount == 1)
      #expect(try #require(received(1, upTo: "event: change")).contains("\"path\":\"w\""))
      try folder.makeFile("w/new")
      #expect(received(1, upTo: "\"what\":\"added\",\"name\":\"new\"") != nil)
      // The folder that replaced it at once is another one.
      #expect(rename(folder("w"), folder("w.old")) == 0)
      try folder.makeFile("w/a/file")
      hub.tree.checkRoots()
      #expect(received(1, upTo: "\"path\":\"w\"") != nil)
      hub.tree.watch(try stamps())
      try folder.makeFile("w/a/newer")
      #expect(received(1, upTo: "\"what\":\"added\",\"name\":\"newer\"") != nil)
    }

    @Test func replacedFoldersAreWatched() throws {
      #expect(hub.add(Reply(to: 1, through: mailbox)))
      hub.tree.watch(try stamps())
      #expect(rename(folder("w/a"), folder("a")) == 0)
      try folder.makeFile("fresh/file")
      #expect(rename(folder("fresh"), folder("w/a")) == 0)
      #expect(received(1, upTo: "\"what\":\"added\",\"name\":\"a\"") != nil)
      #expect(hub.tree.watchedCount == 1)
      hub.tree.watch(try stamps())
      #expect(hub.tree.watchedCount == 2)
      try folder.makeFile("w/a/new")
      #expect(try #require(received(1, upTo: "\"name\":\"new\"")).contains("\"path\":\"w/a\""))
    }

    @Test func listenersAreLimited() throws {
      let replies = (1...3).map { Reply(to: $0, through: mailbox) }
      #expect(hub.add(replies[0]) && hub.add(replies[1]))
      #expect(!hub.add(replies[2]))
      // A cancelled request doesn't take up a slot.
      replies[0].cancel()
      #expect(hub.add(replies[2]))
      #expect(hub.listenerCount == 2)
    }

    @Test func lastListenerEndsWatching() throws {
      #expect(hub.add(Reply(to: 1, through: mailbox)))
      #expect(hub.add(Reply(to: 2, through: mailbox)))
      hub.tree.watch(try stamps())
      hub.remove(1)
      #expect(hub.tree.watchedCount == 2)
      hub.remove(2)
      #expect(hub.tree.watchedCount == 0 && hub.listenerCount == 0)
      // It may start again.
      #expect(hub.add(Reply(to: 3, through: mailbox)))
      hub.tree.watch(try stamps())
      #expect(hub.tree.watchedCount == 2)
    }
  }
#endif
