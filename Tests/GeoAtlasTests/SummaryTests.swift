import Foundation
import GeoCore
import GeoProjection
import GeoTree
import TestSupport
import Testing

@testable import GeoAtlas

/// Summaries of folders: sums, lands and files by size.
@Suite struct SummaryTests {
  /// The answer, as far as it is tested.
  private struct Answer: Decodable {
    struct Land: Decodable {
      struct Largest: Decodable { var name: String, bytes: Int64? }
      var path: String
      var rawPath: String?
      var bytes: Int64?
      var allocated: Int64?
      var files: Int64?
      var unreadable: Bool?
      var largest: Largest?
    }
    struct File: Decodable {
      var path: String?
      var rawPath: String?
      var rawName: String?
      var name: String
      var bytes: Int64?
      var allocated: Int64?
    }
    struct Disk: Decodable { var used: Int64, free: Int64 }
    var path: String?
    var roots: [String]
    var complete: Bool
    var measure: String
    var disk: Disk?
    var bytes: Int64?
    var allocated: Int64?
    var files: Int64?
    var folders: Int64?
    var lands: [Land]
    var own: [File]
    var largest: [File]?
  }

  private func world(
    _ folder: TemporaryFolder, _ labels: [String], selection: Selection = Selection()
  ) throws -> World {
    try World(
      roots: labels.map { label in
        ScanRoot(label: Array(label.utf8), directory: Array(folder(label).utf8))
      }, layout: .settled, selection: selection, cacheLimit: 1 << 24)
  }

  private func totals(_ world: World) async throws -> TreeTotals {
    try await TreeTotals.all(of: world.roots, options: FileSystemScanner.Options())
  }

  /// The summary of a path, by apparent size unless another measure is given.
  private func answer(
    _ world: World, _ totals: TreeTotals?, _ path: String? = nil, measure: SizeMeasure? = .bytes
  ) throws -> Answer {
    let writer = SummaryWriter(world, totals: totals, measure: measure, hasDisk: true)
    let bytes =
      try path.map { try writer.answer(about: #require(world.find(Array($0.utf8)))) }
      ?? writer.answer()
    return try JSONDecoder().decode(Answer.self, from: Data(try #require(bytes)))
  }

  private func text(_ count: Int) -> String { String(repeating: "x", count: count) }

  @Test func listsLandsAndFilesBySize() async throws {
    let folder = try TemporaryFolder()
    _ = try folder.makeFile("w/a/deep/most", text(900))
    _ = try folder.makeFile("w/a/other/less", text(30))
    _ = try folder.makeFile("w/b/half", text(400))
    _ = try folder.makeFile("w/own", text(50))
    _ = try folder.makeFile("w/empty")
    let world = try world(folder, ["w"])
    let answer = try answer(world, try await totals(world))
    #expect(answer.path == "w" && answer.roots == ["w"] && answer.complete)
    #expect(answer.bytes == 1380 && answer.files == 5 && answer.folders == 4)
    #expect(answer.lands.map(\.path) == ["w/a", "w/b"])
    #expect(answer.lands.map(\.bytes) == [930, 400])
    #expect(answer.lands[0].largest?.name == "deep" && answer.lands[0].largest?.bytes == 900)
    #expect(answer.lands[1].largest == nil)
    #expect(answer.own.map(\.name) == ["own", "empty"])
    #expect(answer.own.allSatisfy { $0.path == nil && $0.allocated != nil })
    #expect(
      answer.largest?.map(\.path) == ["w/a/deep/most", "w/b/half", "w/own", "w/a/other/less"])
    let below = try self.answer(world, try await totals(world), "w/a")
    #expect(below.path == "w/a" && below.bytes == 930 && below.folders == 2 && below.own.isEmpty)
    #expect(try #require(answer.disk).used > 0)
  }

  @Test func joinsSeveralRoots() async throws {
    let folder = try TemporaryFolder()
    _ = try folder.makeFile("a/x/big", text(70))
    _ = try folder.makeFile("a/mine", text(7))
    _ = try folder.makeFile("b/y/bigger", text(80))
    _ = try folder.makeFile("b/mine", text(8))
    try folder.makeFolder("c")
    let world = try world(folder, ["a", "b", "c"])
    let answer = try answer(world, try await totals(world))
    #expect(answer.path == nil && answer.roots == ["a", "b", "c"])
    #expect(answer.bytes == 165 && answer.files == 4 && answer.folders == 2)
    #expect(answer.lands.map(\.path) == ["b/y", "a/x"])
    #expect(answer.own.map(\.path) == ["b/mine", "a/mine"])
    #expect(answer.largest?.count == 4)
  }

  @Test func anEmptyRootHasNothing() async throws {
    let folder = try TemporaryFolder()
    try folder.makeFolder("w")
    let world = try world(folder, ["w"])
    let answer = try answer(world, try await totals(world), measure: nil)
    #expect(answer.bytes == 0 && answer.files == 0 && answer.measure == "allocated")
    #expect(answer.lands.isEmpty && answer.own.isEmpty && answer.largest?.isEmpty == true)
  }

  @Test func withoutTotalsItIsIncomplete() throws {
    let folder = try TemporaryFolder()
    _ = try folder.makeFile("w/a/x", text(9))
    _ = try folder.makeFile("w/y", text(9))
    let answer = try answer(try world(folder, ["w"]), nil)
    #expect(!answer.complete && answer.bytes == nil && answer.largest == nil)
    #expect(answer.lands.map(\.bytes) == [nil] && answer.own.map(\.bytes) == [9])
  }

  @Test func aFileWithSeveralNamesIsListedOnce() async throws {
    let folder = try TemporaryFolder()
    _ = try folder.makeFile("w/b/x", text(500))
    try folder.makeFolder("w/a")
    #expect(link(folder("w/b/x"), folder("w/a/same")) == 0)
    #expect(link(folder("w/b/x"), folder("w/b/again")) == 0)
    _ = try folder.makeFile("w/c", text(5))
    let world = try world(folder, ["w"])
    let answer = try answer(world, try await totals(world))
    #expect(answer.bytes == 505)
    #expect(answer.largest?.map(\.path) == ["w/a/same", "w/c"])
  }

  @Test(.enabled(if: getuid() != 0, "root reads everything"))
  func unreadableFoldersAreMarked() async throws {
    let folder = try TemporaryFolder()
    _ = try folder.makeFile("w/closed/x", text(9))
    _ = try folder.makeFile("w/open/y", text(4))
    try folder.setMode("w/closed", 0)
    defer { try? folder.setMode("w/closed", 0o755) }
    let world = try world(folder, ["w"])
    let answer = try answer(world, try await totals(world))
    #expect(answer.lands.map(\.path) == ["w/open", "w/closed"])
    #expect(answer.lands.map(\.unreadable) == [nil, true])
    #expect(answer.bytes == 4 && answer.largest?.count == 1)
  }

  @Test func namesNeedNotBeUTF8() async throws {
    let folder = try TemporaryFolder()
    try folder.makeFolder("w")
    try folder.makeFolder(bytes: Array("w/".utf8) + [0xFF])
    try folder.makeFile(bytes: Array("w/".utf8) + [0xFF, 0x2F, 0xFE], [1, 2, 3])
    let world = try world(folder, ["w"])
    let totals = try await totals(world)
    let answer = try answer(world, totals)
    #expect(answer.lands.map(\.rawPath) == ["w/%FF"])
    #expect(answer.largest?.map(\.rawPath) == ["w/%FF/%FE"])
    let found = try #require(world.find(Array("w/".utf8) + [0xFF]))
    let writer = SummaryWriter(world, totals: totals, measure: .bytes)
    let bytes = try #require(writer.answer(about: found))
    let below = try JSONDecoder().decode(Answer.self, from: Data(bytes))
    #expect(below.own.map(\.rawName) == ["%FE"] && below.bytes == 3)
  }

  @Test func hiddenEntriesAreNotNamed() async throws {
    let folder = try TemporaryFolder()
    _ = try folder.makeFile("w/a/secret/most", text(900))
    _ = try folder.makeFile("w/a/open/less", text(30))
    var selection = Selection()
    try selection.exclude(Array("secret".utf8))
    let world = try world(folder, ["w"], selection: selection)
    let answer = try answer(world, try await totals(world))
    #expect(answer.lands[0].largest?.name == "open")
    #expect(answer.largest?.map(\.path) == ["w/a/open/less"])
  }

  /// The largest files by a walk of the whole tree.
  private func walked(_ world: World, below path: String, _ measure: SizeMeasure) -> [Int64] {
    var amounts: [Int64] = []
    let files = LargestFiles(in: world, by: measure, Knowledge())
    world.forEachFolder { found in
      let own = String(decoding: found.folder.path, as: UTF8.self)
      guard own == path || own.hasPrefix(path + "/") else { return }
      amounts += files.own(of: found.folder).map(\.amount).filter { $0 > 0 }
    }
    return Array(amounts.sorted(by: >).prefix(LargestFiles.maximum))
  }

  @Test(arguments: TestScale.seeds(20)) func largestFilesEqualThoseOfAWalk(seed: UInt64)
    async throws
  {
    var generator = SeededGenerator(seed: seed)
    let folder = try TemporaryFolder()
    var paths: Set<String> = ["w"]
    try folder.makeFolder("w")
    for number in 0..<generator.number(in: 1...120) {
      var path = "w"
      for _ in 0..<generator.number(in: 0...5) {
        path += "/d\(generator.number(in: 0...3))"
        paths.insert(path)
      }
      let most = generator.chance(0.2) ? 20_000 : 60
      _ = try folder.makeFile("\(path)/f\(number)", text(generator.number(in: 0...most)))
    }
    let world = try world(folder, ["w"])
    let totals = try await totals(world)
    for path in paths.sorted() {
      for measure in [SizeMeasure.bytes, .allocated] {
        let answer = try answer(world, totals, path, measure: measure)
        let amounts = answer.largest?.map { measure == .bytes ? $0.bytes : $0.allocated }
        #expect(amounts == walked(world, below: path, measure), "seed \(seed): \(path)")
      }
    }
  }
}
