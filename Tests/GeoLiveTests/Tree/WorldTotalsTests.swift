import Foundation
import GeoAtlas
import GeoCore
import GeoSources
import GeoSystem
import Synchronization
import TestSupport
import Testing

@testable import GeoLive
@testable import GeoTree

/// The totals of each folder of a world, and their updates.
@Suite struct WorldTotalsTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func world() throws -> World {
    try World(
      roots: [ScanRoot(label: Array("w".utf8), directory: Array(folder("w").utf8))],
      layout: .settled, cacheLimit: 1 << 20)
  }

  private func added(_ totals: WorldTotals) async throws -> TreeTotals {
    try #require(await totals.counted)
  }

  private func updated(
    _ totals: WorldTotals, _ path: String, others: [String] = [], isDeep: Bool = false
  ) async throws -> TreeTotals {
    await withCheckedContinuation { continuation in
      totals.update(
        LiveTree.FolderChange(
          path: Array(path.utf8), names: nil, others: Set(others.map { Array($0.utf8) }),
          isDeep: isDeep)
      ) { _ in continuation.resume() }
    }
    return try #require(totals.known).tree
  }

  private func number(_ path: String, in tree: TreeTotals) -> Int {
    tree.number(of: Array(path.utf8).split(separator: UInt8(ascii: "/")))
  }

  private func text(_ tree: TreeTotals) -> [String] { tree.lines() }

  @Test func countsFilesOncePerFolder() async throws {
    _ = try folder.makeFile("w/a/x.png", String(repeating: "x", count: 700))
    _ = try folder.makeFile("w/a/deep/y.txt", String(repeating: "y", count: 30))
    _ = try folder.makeFile("w/b/z.txt", String(repeating: "z", count: 5))
    #expect(link(folder("w/a/x.png"), folder("w/b/again.png")) == 0)
    let tree = try await added(WorldTotals(of: world()))
    func sums(_ path: String) -> [Int64] {
      tree[number(path, in: tree)].map { [$0.files, $0.bytes ?? -1] } ?? []
    }
    #expect(sums("w") == [3, 735])
    #expect(sums("w/a") == [2, 730])
    #expect(sums("w/a/deep") == [1, 30])
    #expect(sums("w/b") == [2, 705])
    #expect(number("w/c", in: tree) == TreeTotals.missing)
    for path in ["w", "w/a", "w/a/deep", "w/b"] {
      let details = try #require(tree.details(of: number(path, in: tree)))
      #expect(details.bytes.reduce(0, +) == sums(path)[1], "\(path)")
      #expect(details.newest != nil)
    }
    let b = try #require(tree.details(of: number("w/b", in: tree)))
    #expect(b.largestClass == 2 && b.bytes[2] == 700 && b.bytes[1] == 5)
  }

  /// After a change only its folder is read again, and the totals equal those of a new scan.
  @Test(arguments: [7, 8, 9]) func updatesWhatHasChanged(seed: UInt64) async throws {
    var random = SeededGenerator(seed: seed)
    var folders = ["w"]
    func someFolder() -> String { folders[random.number(in: 0...(folders.count - 1))] }
    for index in 0..<12 { folders.append(someFolder() + "/d\(index)") }
    for (index, path) in folders.enumerated() {
      _ = try folder.makeFile("\(path)/f\(index).c", String(repeating: "c", count: index * 11))
      try folder.setModified("\(path)/f\(index).c", 1_000_000_000 + index)
    }
    let totals = WorldTotals(of: try world(), pause: 0)
    _ = try await added(totals)
    for step in 0..<12 {
      let path = someFolder()
      var (place, others) = (path, [String]())
      switch random.number(in: 0...5) {
      case 0:
        let new = "new\(step)"
        _ = try folder.makeFile("\(path)/\(new)/in/n\(step).png", String(repeating: "n", count: 99))
        folders.append("\(path)/\(new)")
      case 1:
        _ = try folder.makeFile("\(path)/more\(step).txt", String(repeating: "m", count: step))
      case 2:
        for name in try folder.names(in: path) where name.contains(".") {
          #expect(unlink(folder("\(path)/\(name)")) == 0)
        }
      case 3 where path != "w":
        // Another folder replaces this one.
        #expect(rename(folder(path), folder("gone\(step)")) == 0)
        _ = try folder.makeFile("\(path)/other\(step)/x.mp3", String(repeating: "o", count: step))
        folders.removeAll { $0.hasPrefix("\(path)/") }
        let end = path.lastIndex(of: "/") ?? path.endIndex
        (place, others) = (String(path[..<end]), [String(path[end...].dropFirst())])
      case 4 where path != "w":
        #expect(rename(folder(path), folder("gone\(step)")) == 0)
        folders.removeAll { $0 == path || $0.hasPrefix("\(path)/") }
        place = String(path[..<(path.lastIndex(of: "/") ?? path.endIndex)])
      default:
        for name in try folder.names(in: path) where name.contains(".") {
          _ = try folder.makeFile("\(path)/\(name)", String(repeating: "z", count: 7 * step))
        }
      }
      let tree = try await updated(totals, place, others: others)
      let fresh = try await added(WorldTotals(of: try world()))
      #expect(text(tree) == text(fresh), "seed \(seed), step \(step), \(place)")
      #expect(tree.count == fresh.count)
    }
  }

  /// Some time after changes, folders say of layers what a new count makes them say.
  @Test(arguments: [false, true]) func sumsUpLayersAgain(isSelective: Bool) async throws {
    var rows = "path,score,team\n"
    for name in ["a/x", "a/b/y", "a/b/z", "new/w", "a/secret"] { rows += "w/\(name),5,\(name)\n" }
    let table = Array(try folder.makeFile("rows.csv", rows).utf8)
    for name in ["a/x", "a/b/y", "a/secret", "c/none"] { try folder.makeFile("w/\(name)", "xxx") }
    var selection = Selection()
    if isSelective { try selection.exclude(Array("secret".utf8)) }
    func world() throws -> World {
      let roots = [ScanRoot(label: Array("w".utf8), directory: Array(folder("w").utf8))]
      return try World(
        roots: roots, layout: .settled, selection: selection, cacheLimit: 1 << 20,
        layers: LayerSet.open([MapLayer(parsing: table)], over: roots))
    }
    let totals = WorldTotals(of: try world(), pause: 0, layersPause: 0)
    let first = try await added(totals)
    let score = first.cells(of: number("w/a", in: first))[0].integer
    #expect(score == (isSelective ? 10 : 15))
    let announced = Mutex(0)
    totals.observe { change in if change.folders == nil { announced.withLock { $0 += 1 } } }
    for (path, text) in [("a/b/z", "zzzzzz"), ("new/w", "w"), ("c/more", "c")] {
      try folder.makeFile("w/\(path)", text)
      _ = try await updated(totals, "w", isDeep: true)
      let fresh = self.text(try await added(WorldTotals(of: try world())))
      #expect(try await eventually { totals.known.map { self.text($0.tree) } == fresh }, "\(path)")
    }
    // The last change has no values.
    #expect(announced.withLock { $0 } == 2)
  }

  @Test func goneFoldersAreForgotten() async throws {
    _ = try folder.makeFile("w/a/b/c/x", "xxx")
    _ = try folder.makeFile("w/a/d/y", "yy")
    let totals = WorldTotals(of: try world(), pause: 0)
    _ = try await added(totals)
    #expect(rename(folder("w/a/b"), folder("w/e")) == 0)
    let tree = try await updated(totals, "w", isDeep: true)
    #expect(number("w/a/b", in: tree) == TreeTotals.missing)
    #expect(tree[number("w/e/c", in: tree)]?.bytes == 3)
    #expect(text(tree) == text(try await added(WorldTotals(of: try world()))))
  }

  /// A file with several names is counted once, and stays so after updates.
  @Test func filesWithSeveralNamesStayCountedOnce() async throws {
    _ = try folder.makeFile("w/a/x", "xxx")
    _ = try folder.makeFile("w/own", "12345")
    for (from, to) in [
      ("w/a/x", "w/a/again"), ("w/a/x", "w/b/x"), ("w/own", "w/b/own"),
    ] {
      try folder.makeFolder("w/b")
      #expect(link(folder(from), folder(to)) == 0)
    }
    let totals = WorldTotals(of: try world(), pause: 0)
    _ = try await added(totals)
    func check(_ path: String) async throws {
      let tree = try await updated(totals, path)
      #expect(text(tree) == text(try await added(WorldTotals(of: try world()))), "\(path)")
    }
    _ = try folder.makeFile("w/a/new", "n")
    try await check("w/a")
    _ = try folder.makeFile("w/top", "nn")
    try await check("w")
    #expect(unlink(folder("w/a/again")) == 0)
    try await check("w/a")
    #expect(unlink(folder("w/own")) == 0)
    try await check("w")
    #expect(rename(folder("w/b"), folder("elsewhere")) == 0)
    try await check("w")
  }

  /// A change reads one folder, however much is below it, and updates only the totals of its
  /// ancestors.
  @Test func aChangeReadsOneFolder() async throws {
    for index in 0..<30 { _ = try folder.makeFile("w/a/d\(index)/x", "xxx") }
    _ = try folder.makeFile("w/b/y", "y")
    let counts = Counts()
    let root = ScanRoot(
      label: Array("w".utf8), directory: Array(folder("w").utf8), source: counts.disk)
    let world = try World(roots: [root], layout: .settled, cacheLimit: 1 << 20)
    let totals = WorldTotals(of: world, pause: 0)
    let changes = Mutex<[[Int]?]>([])
    totals.observe { change in changes.withLock { $0.append(change.folders) } }
    _ = try await added(totals)
    #expect(counts.lists.exchange(0, ordering: .relaxed) == 33)
    _ = try folder.makeFile("w/a/file", "more")
    let tree = try await updated(totals, "w/a")
    #expect(counts.lists.exchange(0, ordering: .relaxed) == 1)
    #expect(tree[number("w", in: tree)]?.bytes == 95)
    #expect(
      changes.withLock { $0 } == [[number("w", in: tree), number("w/a", in: tree)].sorted()])
    // An update without a change doesn't increase the version.
    let version = totals.version
    _ = try await updated(totals, "w/b")
    #expect(totals.version == version && changes.withLock { $0.count } == 1)
    _ = try folder.makeFile("w/a/e/x", "xxx")
    counts.lists.store(0, ordering: .relaxed)
    _ = try await updated(totals, "w/a", others: ["e"])
    #expect(counts.lists.load(ordering: .relaxed) == 2)
  }

  /// Once a folder is known, and as long as it is watched, a change of a file examines only that
  /// file.
  @Test func changedFilesAreReadAlone() async throws {
    for index in 0..<30 { _ = try folder.makeFile("w/f\(index).txt", "xxx") }
    _ = try folder.makeFile("w/a/y.png", "yy")
    let counts = Counts()
    let root = ScanRoot(
      label: Array("w".utf8), directory: Array(folder("w").utf8), source: counts.disk)
    let totals = WorldTotals(
      of: try World(roots: [root], layout: .settled, cacheLimit: 1 << 20), pause: 0)
    _ = try await added(totals)
    var since = ThisProcess.nanoseconds
    func check(_ names: String..., looks: Int) async throws {
      counts.looks.store(0, ordering: .relaxed)
      var change = LiveTree.FolderChange(
        path: Array("w".utf8), names: Set(names.map { Array($0.utf8) }))
      change.since = since
      await withCheckedContinuation { continuation in
        totals.update(change) { _ in continuation.resume() }
      }
      #expect(counts.looks.load(ordering: .relaxed) == looks, "\(names)")
      let fresh = try await added(WorldTotals(of: try world()))
      #expect(try text(#require(totals.known).tree) == text(fresh), "\(names)")
    }
    _ = try folder.makeFile("w/f1.txt", "longer")
    try await check("f1.txt", looks: 30)
    try folder.setModified("w/f2.txt", 2_000_000_000)
    try await check("f2.txt", looks: 1)
    // A removed file, a new one, and the newest that isn't the newest any more.
    #expect(unlink(folder("w/f3.txt")) == 0)
    _ = try folder.makeFile("w/new.png", "1234567")
    try folder.setModified("w/f2.txt", 1_000_000_000)
    try await check("f3.txt", "new.png", "f2.txt", looks: 3)
    try await check(looks: 0)
    // After a gap in watching, or the removal of a sub-folder, the whole folder is read.
    _ = try folder.makeFile("w/f4.txt", "unseen")
    since = ThisProcess.nanoseconds
    try await check("f1.txt", looks: 30)
    #expect(rename(folder("w/a"), folder("a")) == 0)
    try await check("a", looks: 30)
    try await check("f1.txt", looks: 30)
    try await check("f1.txt", looks: 1)
    // Another folder replaces it unnoticed.
    #expect(rename(folder("w"), folder("old")) == 0)
    _ = try folder.makeFile("w/other.txt", "12")
    try await check("other.txt", looks: 1)
  }

  /// While folders are read again, the earlier totals are available, and a change during a count
  /// isn't lost.
  @Test func updatesDontBlockReaders() async throws {
    _ = try folder.makeFile("w/a/x", "xxx")
    let isBusy = Flag(false)
    let questions = Flag(false)
    let totals = WorldTotals(of: try world(), pause: 0) {
      questions.set(true)
      return isBusy.isSet
    }
    _ = try await added(totals)
    _ = try folder.makeFile("w/a/y", "yy")
    isBusy.set(true)
    questions.set(false)
    async let tree = updated(totals, "w/a")
    while !questions.isSet { try await Task.sleep(nanoseconds: 1_000_000) }
    #expect(totals.version == 1 && totals.known?.tree[0]?.bytes == 3)
    isBusy.set(false)
    #expect(try await tree[0]?.bytes == 5)
  }

  /// Totals carry the time at which their count ended.
  @Test func totalsHaveTheTimeOfTheirEnd() async throws {
    _ = try folder.makeFile("w/a/x", "xxx")
    let isBusy = Flag(true)
    let questions = Flag(false)
    let totals = WorldTotals(of: try world(), pause: 0) {
      questions.set(true)
      return isBusy.isSet
    }
    async let tree = added(totals)
    while !questions.isSet { try await Task.sleep(nanoseconds: 1_000_000) }
    let before = ThisProcess.nanoseconds
    // A change reported during the first count is read after it.
    _ = try folder.makeFile("w/a/y", "yy")
    async let later = updated(totals, "w/a")
    isBusy.set(false)
    _ = try await tree
    #expect(try #require(totals.known).read >= before)
    #expect(try await later[0]?.bytes == 5)
  }

  /// While more urgent work runs, counting pauses; afterwards it finishes, or is cancelled.
  @Test(arguments: [false, true])
  func pausesWhileTheServerIsBusy(isStopped: Bool) async throws {
    for index in 0..<40 { _ = try folder.makeFile("w/d\(index)/x", "xxx") }
    let isBusy = Flag(true)
    let questions = Flag(false)
    let totals = WorldTotals(of: try world()) {
      questions.set(true)
      return isBusy.isSet
    }
    async let end: Void = withCheckedContinuation { continuation in
      let isOver = Atomic(false)
      totals.begin { progress in
        if progress.isDone, !isOver.exchange(true, ordering: .relaxed) { continuation.resume() }
      }
    }
    #expect(try await eventually { questions.isSet })
    #expect(totals.known == nil)
    if isStopped { totals.stop() } else { isBusy.set(false) }
    await end
    #expect(totals.known?.tree[0]?.files == (isStopped ? nil : 40))
  }

  /// Counts what is read of the disk.
  private final class Counts: Sendable {
    let lists = Atomic(0)
    /// The number of files examined.
    let looks = Atomic(0)

    var disk: ObservedDisk {
      ObservedDisk { [self] call in
        switch call {
        case .listing: lists.add(1, ordering: .relaxed)
        case .files(let count, _): looks.add(count, ordering: .relaxed)
        }
      }
    }
  }

  private final class Flag: Sendable {
    private let value: Atomic<Bool>
    init(_ value: Bool) { self.value = Atomic(value) }
    var isSet: Bool { value.load(ordering: .relaxed) }
    func set(_ value: Bool) { self.value.store(value, ordering: .relaxed) }
  }
}

extension WorldTotals {
  /// The totals after a new count.
  var counted: TreeTotals? {
    get async {
      await withCheckedContinuation { continuation in
        let isOver = Atomic(false)
        begin { progress in
          if progress.isDone, !isOver.exchange(true, ordering: .relaxed) { continuation.resume() }
        }
      }
      return known?.tree
    }
  }
}

extension TreeTotals {
  /// All totals in the order of the tree, for comparisons.
  func lines(below folder: Int? = nil) -> [String] {
    folders(in: folder).numbers.flatMap { number in
      [
        "\(String(decoding: path(of: number), as: UTF8.self)) "
          + "\(String(describing: self[number])) \(String(describing: details(of: number))) "
          + "\(count(below: number)) \(peaks[number]) \(ownPeaks[number]) \(cells(of: number))"
      ] + lines(below: number)
    }
  }
}
