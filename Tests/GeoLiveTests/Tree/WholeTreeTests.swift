import GeoAtlas
import GeoCore
import GeoSystem
import TestSupport
import Testing

@testable import GeoLive
@testable import GeoTree

#if canImport(Glibc)
  import Glibc
#endif

#if os(Linux)
  /// Totals that a watcher of whole trees keeps up to date, as it does with `--sample`.
  @Suite struct WholeTreeTests {
    private let folder: TemporaryFolder
    private let root: ScanRoot
    private let inbox = EventInbox()
    private let watcher: TreeWatcher
    private let shared: SharedWatcher
    private let totals: WorldTotals

    init() throws {
      folder = try TemporaryFolder()
      _ = try folder.makeFile("w/a/x", "xxx")
      root = ScanRoot(label: Array("w".utf8), directory: Array(folder("w").utf8))
      let notifier: TreeWatcher.Notifier
      (notifier, shared) = try TreeWatcher.Notifier().sharing()
      watcher = TreeWatcher([root], by: notifier)
      totals = WorldTotals(of: try Self.world(root), pause: 0)
      try watcher.deliver(to: inbox)
    }

    private static func world(_ root: ScanRoot) throws -> World {
      try World(roots: [root], layout: .settled, cacheLimit: 1 << 20)
    }

    /// The totals of a new count.
    private func fresh() async throws -> [String] {
      try #require(await WorldTotals(of: Self.world(root)).counted).lines()
    }

    private func connect() throws -> LiveTree {
      try LiveTree(Self.world(root), totals: totals, sharing: shared)
    }

    /// Processes all changes so far.
    private func settle() {
      inbox.gather()
      while true {
        let content = inbox.wait(until: 0)
        if content.hasLost { watcher.reportLoss() }
        if content.pieces.isEmpty { break }
        watcher.process(content.pieces)
      }
      watcher.finish(at: ThisProcess.nanoseconds)
    }

    /// Changes in any folder update the totals: at once while there are pages, else later.
    @Test(arguments: [(1, true), (2, true), (3, false), (4, false)] as [(UInt64, Bool)])
    func totalsFollowAllFolders(seed: UInt64, hasPages: Bool) async throws {
      var random = SeededGenerator(seed: seed)
      let tree = try connect()
      watcher.start()
      if hasPages { tree.begin() }
      #expect(!totals.isCurrent)
      _ = await totals.counted
      for step in 0..<40 {
        try change(step, &random)
        if random.number(in: 0...3) > 0 { continue }
        settle()
        if !hasPages { totals.catchUp() }
        let wanted = try await fresh()
        #expect(
          try await eventually { totals.known?.tree.lines() == wanted }, "seed \(seed), \(step)")
      }
      #expect(totals.isCurrent && tree.watchedCount == 0)
    }

    private func change(_ step: Int, _ random: inout SeededGenerator) throws {
      let folders = try self.folders()
      let place = folders[random.number(in: 0...(folders.count - 1))]
      let files = try folder.names(in: place).filter { $0.hasPrefix("f") }
      switch random.number(in: 0...6) {
      case 0: _ = try folder.makeFile("\(place)/d\(step)/e/f", String(repeating: "n", count: step))
      case 1 where place != "w":
        // A folder moves, with what is in it.
        let target = folders.last { !"\($0)/".hasPrefix("\(place)/") } ?? "w"
        #expect(rename(folder(place), folder("\(target)/m\(step)")) == 0)
      case 2 where place != "w":
        // Another folder replaces this one.
        #expect(rename(folder(place), folder("gone\(step)")) == 0)
        _ = try folder.makeFile("\(place)/f\(step)", "other")
      case 3:
        if let file = files.first { #expect(unlink(folder("\(place)/\(file)")) == 0) }
      case 4:
        if let file = files.last {
          #expect(rename(folder("\(place)/\(file)"), folder("w/f\(step)")) == 0)
        }
      case 5:
        if let file = files.first { try folder.setModified("\(place)/\(file)", 1_000_000 + step) }
      default:
        _ = try folder.makeFile("\(place)/f\(step % 5).png", String(repeating: "c", count: step))
      }
    }

    private func folders(below path: String = "w") throws -> [String] {
      [path]
        + (try folder.names(in: path).filter { !$0.hasPrefix("f") && $0 != "x" }.flatMap {
          try folders(below: "\(path)/\($0)")
        })
    }

    /// Totals that may miss something are counted again.
    @Test func countsAgainAfterLosses() async throws {
      watcher.start()
      let tree = try connect()
      _ = await totals.counted
      #expect(totals.isCurrent && totals.known?.tree[0]?.bytes == 3)
      // A file with several names.
      #expect(link(folder("w/a/x"), folder("w/y")) == 0)
      #expect(
        try await eventually {
          settle()
          totals.catchUp()
          return !totals.isCurrent
        })
      #expect(unlink(folder("w/y")) == 0)
      _ = await totals.counted
      #expect(totals.isCurrent)
      // Another tree than that of the totals, or only a part of it.
      for labels in [["v"], ["w", "v"], []] {
        totals.follow(
          SharedWatcher.WholeTrees(labels: Set(labels.map { Array($0.utf8) }), since: 0))
        #expect(!totals.isCurrent)
      }
      shared.beginWhole([root.label])
      #expect(!totals.isCurrent)
      _ = await totals.counted
      #expect(totals.isCurrent)
      // The root disappears.
      #expect(unlink(folder("w/a/x")) == 0)
      for name in ["w/a", "w"] { #expect(rmdir(folder(name)) == 0) }
      #expect(
        try await eventually {
          settle()
          return !totals.isCurrent
        })
      withExtendedLifetime(tree) {}
    }
  }
#endif
