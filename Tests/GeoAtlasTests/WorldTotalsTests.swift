import Foundation
import GeoPath
import GeoScan
import GeoSystem
import Synchronization
import TestSupport
import Testing

@testable import GeoAtlas

/// What is below each folder of a world, and how it is kept.
@Suite struct WorldTotalsTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func world() throws -> World {
    try World(
      roots: [ScanRoot(label: Array("w".utf8), directory: Array(folder("w").utf8))],
      layout: .settled, cacheLimit: 1 << 20)
  }

  /// Adds up all, and waits for it.
  private func added(_ totals: WorldTotals) async throws -> TreeTotals {
    await withCheckedContinuation { continuation in
      let isOver = Atomic(false)
      totals.begin { progress in
        if progress.isDone, !isOver.exchange(true, ordering: .relaxed) { continuation.resume() }
      }
    }
    return try #require(totals.known).tree
  }

  private func mended(_ totals: WorldTotals, _ path: String) async throws -> TreeTotals {
    await withCheckedContinuation { continuation in
      let isOver = Atomic(false)
      totals.mend(Array(path.utf8)) {
        if !isOver.exchange(true, ordering: .relaxed) { continuation.resume() }
      }
    }
    return try #require(totals.known).tree
  }

  private func number(_ path: String, in tree: TreeTotals) -> Int {
    tree.number(of: Array(path.utf8).split(separator: UInt8(ascii: "/")))
  }

  /// All that is known, for comparisons.
  private func text(_ tree: TreeTotals) -> [String] {
    (0..<tree.count).map {
      "\(String(describing: tree[$0])) \(String(describing: tree.details(of: $0)))"
    }
  }

  @Test func countsWhatIsBelowOnce() async throws {
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

  /// After each change the folder that is named is read again: then all is as if it all were.
  @Test func mendsWhatHasChanged() async throws {
    var generator = SeededGenerator(seed: 7)
    var paths = ["w"]
    for index in 0..<12 {
      paths.append(paths[generator.number(in: 0...(paths.count - 1))] + "/d\(index)")
    }
    for (index, path) in paths.enumerated() {
      _ = try folder.makeFile("\(path)/f\(index).c", String(repeating: "c", count: index * 11))
    }
    let totals = WorldTotals(of: try world())
    _ = try await added(totals)
    for step in 0..<6 {
      let path = paths[generator.number(in: 0...(paths.count - 1))]
      _ = try folder.makeFile(
        "\(path)/new\(step)/n\(step).png", String(repeating: "n", count: 100 + step))
      _ = try folder.makeFile("\(path)/more\(step).txt", String(repeating: "m", count: step))
      let version = totals.version
      let tree = try await mended(totals, path)
      let fresh = try await added(WorldTotals(of: try world()))
      #expect(text(tree) == text(fresh), "step \(step), \(path)")
      #expect(number("\(path)/new\(step)", in: tree) >= 0)
      #expect(totals.version > version)
    }
  }

  @Test func goneFoldersAreForgotten() async throws {
    _ = try folder.makeFile("w/a/b/c/x", "xxx")
    _ = try folder.makeFile("w/a/d/y", "yy")
    let totals = WorldTotals(of: try world())
    _ = try await added(totals)
    #expect(rename(folder("w/a/b"), folder("w/e")) == 0)
    let tree = try await mended(totals, "w")
    #expect(number("w/a/b", in: tree) == TreeTotals.missing)
    #expect(tree[number("w/e/c", in: tree)]?.bytes == 3)
    #expect(text(tree) == text(try await added(WorldTotals(of: try world()))))
  }

  /// As long as something more urgent is being done nothing is added up; then all is, or it can be stopped.
  @Test(arguments: [false, true])
  func givesWay(isStopped: Bool) async throws {
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

  private final class Flag: Sendable {
    private let value: Atomic<Bool>
    init(_ value: Bool) { self.value = Atomic(value) }
    var isSet: Bool { value.load(ordering: .relaxed) }
    func set(_ value: Bool) { self.value.store(value, ordering: .relaxed) }
  }
}
