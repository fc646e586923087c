import GeoCore
import GeoPipeline
import GeoProjection
import GeoTree
import TestSupport
import Testing

@testable import GeoAtlas

/// A search by conditions finds the files of a map with the same selection.
@Suite struct MatchSearchTests {
  /// A file that the search reports.
  private struct Hit: Hashable {
    let path: String
    let size: Int64?
    let modified: Int64?
  }

  /// All results of a search, combined as the page does it.
  private struct Outcome {
    var folders: [String: (files: Int, bytes: Int64)] = [:]
    var found: [Hit] = []
    var last = MatchNews()
    var reports = 0
  }

  private func search(
    _ conditions: FileConditions, first order: MatchOrder = .size, limit: Int = 10_000,
    in world: World
  ) async throws -> Outcome {
    var outcome = Outcome()
    try await MatchSearch(for: conditions, first: order, limit: limit, in: world)
      .run(isUnwanted: { false }) { news in
        for folder in news.folders {
          let path = String(decoding: folder.path, as: UTF8.self)
          let before = outcome.folders[path] ?? (0, 0)
          outcome.folders[path] = (before.files + folder.files, before.bytes + folder.bytes)
        }
        outcome.found += news.found.map {
          Hit(
            path: String(decoding: $0.path, as: UTF8.self), size: $0.size, modified: $0.modified)
        }
        outcome.last = news
        outcome.reports += 1
      }
    return outcome
  }

  /// A tree of files with distinct sizes and times.
  private func makeTree(seed: UInt64) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    var generator = SeededGenerator(seed: seed)
    var folders = ["w"]
    for number in 0..<120 {
      let parent = folders[generator.number(in: 0...(folders.count - 1))]
      let stem = ["a", "B", ".c", "log", "é"][generator.number(in: 0...4)]
      if generator.number(in: 0...4) == 0 {
        folders.append("\(parent)/\(stem)\(number)")
        try folder.makeFile("\(parent)/\(stem)\(number)/x\(number).txt", "")
      } else {
        let ending = ["", ".txt", ".LOG", ".log", ".c"][generator.number(in: 0...4)]
        let path = "\(parent)/\(stem)\(number)\(ending)"
        try folder.makeFile(path, String(repeating: "x", count: number * 7))
        try folder.setModified(path, 1_000_000_000 + (number * 7919) % 1000)
      }
    }
    try folder.makeLink("w/link.c", to: "nowhere")
    try folder.makeFile("w/.git/HEAD", "ref: refs/heads/main\n")
    try folder.makeFile("w/.gitignore", "*.log\n/a*/\n")
    return folder
  }

  private func roots(_ folder: TemporaryFolder) -> [ScanRoot] {
    [ScanRoot(label: Array("w".utf8), directory: Array(folder("w").utf8))]
  }

  /// The files of a map with the given selection.
  private func mapped(_ folder: TemporaryFolder, _ selection: Selection) async throws -> Set<Hit> {
    var request = MapRequest(roots: roots(folder))
    request.selection = selection
    request.selection.requireKinds([.regular, .symlink])
    var files: Set<Hit> = []
    for try await batch in try await MapPipeline.openNodes(request) {
      for record in batch.records {
        files.insert(
          Hit(
            path: String(decoding: batch.path(of: record), as: UTF8.self), size: record.facts.size,
            modified: record.facts.modified))
      }
    }
    return files
  }

  @Test(arguments: TestScale.seeds(6)) func matchesEqualTheMap(seed: UInt64) async throws {
    let folder = try makeTree(seed: seed)
    var conditions: [(String, FileConditions)] = []
    func add(_ name: String, _ change: (inout FileConditions) throws -> Void) rethrows {
      var one = FileConditions()
      try change(&one)
      conditions.append((name, one))
    }
    try add("part") { try $0.selection.requireName(partOrGlob: Array("LOG".utf8)) }
    try add("glob") { try $0.selection.requireName(partOrGlob: Array("[ab]*.c".utf8)) }
    try add("size") {
      $0.selection.requireSize(try #require(Selection.SizeCondition(parsing: Array("+300".utf8))))
    }
    add("old") { $0.selection.older = 1_000_000_500 }
    try add("all of them") {
      try $0.selection.requireName(partOrGlob: Array("*.*".utf8))
      $0.selection.requireSize(.below(700))
      $0.selection.newer = 1_000_000_100
    }
    var shown: [(String, Selection)] = [("all", Selection())]
    var hidden = Selection()
    hidden.excludeHidden()
    shown.append(("hidden", hidden))
    var ignored = Selection()
    ignored.excludeIgnored()
    shown.append(("gitignore", ignored))
    for (shownName, world) in shown {
      let served = try World(
        roots: roots(folder), layout: .settled, selection: world, cacheLimit: 1 << 20)
      for (name, wanted) in conditions {
        let outcome = try await search(wanted, in: served)
        // The same conditions as one selection.
        var both = world
        if name == "part" { try both.requireName(partOrGlob: Array("LOG".utf8)) }
        if name == "glob" { try both.requireName(partOrGlob: Array("[ab]*.c".utf8)) }
        if name == "all of them" { try both.requireName(partOrGlob: Array("*.*".utf8)) }
        if name == "size" { both.requireSize(.above(300)) }
        if name == "all of them" { both.requireSize(.below(700)) }
        both.newer = wanted.selection.newer
        both.older = wanted.selection.older
        let expected = try await mapped(folder, both)
        let label = "seed \(seed), \(shownName), \(name)"
        #expect(Set(outcome.found) == expected, "\(label)")
        #expect(outcome.found.count == expected.count, "\(label)")
        #expect(outcome.last.isDone && outcome.last.isComplete, "\(label)")
        #expect(outcome.last.files == expected.count, "\(label)")
        #expect(outcome.last.bytes == expected.reduce(0) { $0 + ($1.size ?? 0) }, "\(label)")
        var sums: [String: Int] = [:]
        for hit in expected { sums[hit.path.parent, default: 0] += 1 }
        #expect(outcome.folders.mapValues(\.files) == sums, "\(label)")
      }
    }
  }

  @Test func sortsAreThoseOfTheLegend() async throws {
    let folder = try makeTree(seed: 3)
    let world = try World(roots: roots(folder), layout: .settled, cacheLimit: 1 << 20)
    var conditions = FileConditions()
    conditions.sorts = [.link]
    #expect(try await search(conditions, in: world).found.map(\.path) == ["w/link.c"])
    conditions.sorts = [.type(.code)]
    let code = try await search(conditions, in: world)
    #expect(code.last.files > 3)
    #expect(code.found.allSatisfy { $0.path.hasSuffix(".c") && $0.path != "w/link.c" })
    #expect(FileSort(word: "sound, film") == .type(.soundOrFilm))
    #expect(FileSort(word: "link") == .link && FileSort(word: "nothing") == nil)
  }

  @Test(arguments: MatchOrder.allCases) func limitKeepsTheFirst(order: MatchOrder) async throws {
    let folder = try makeTree(seed: 9)
    let world = try World(roots: roots(folder), layout: .settled, cacheLimit: 1 << 20)
    var conditions = FileConditions()
    conditions.selection.requireSize(.above(-1))
    let all = try await search(conditions, in: world).found
    #expect(all.count > 60)
    func key(_ hit: Hit) -> (Int64, String) {
      let name = String(hit.path.split(separator: "/").last ?? "")
      return switch order {
      case .size: (-(hit.size ?? -1), "")
      case .newest: (-(hit.modified ?? 0), "")
      case .oldest: (hit.modified ?? 0, "")
      case .name: (0, name)
      }
    }
    let keys = all.map(key).sorted { $0 < $1 }
    for limit in [1, 2, 7, 30] {
      let first = try await search(conditions, first: order, limit: limit, in: world)
      // A match that a better one displaced later was reported, too; the page drops it.
      let best = Array(first.found.map(key).sorted { $0 < $1 }.prefix(limit))
      #expect(best.map(\.0) == keys.prefix(limit).map(\.0), "\(order) \(limit)")
      #expect(best.map(\.1) == keys.prefix(limit).map(\.1), "\(order) \(limit)")
      #expect(first.last.files == all.count)
    }
  }

  /// A short list of the best matches considers every file of a long stream.
  @Test func keepsTheBestOfALongStream() {
    var generator = SeededGenerator(seed: 5)
    var best = BestMatches(.size, limit: 10)
    var sizes: [Int64] = []
    var reported: [Int64] = []
    for number in 0..<5000 {
      let size = Int64(generator.number(in: 0...100_000))
      sizes.append(size)
      if best.mayAdd(size: size, modified: nil) {
        best.add(
          MatchedFile(
            path: Array("w/\(number)".utf8), size: size, modified: nil, kind: .regular))
      }
      if number % 700 == 0 { reported += best.takeNew().compactMap(\.size) }
    }
    reported += best.takeNew().compactMap(\.size)
    #expect(reported.sorted(by: >).prefix(10).elementsEqual(sizes.sorted(by: >).prefix(10)))
    #expect(best.takeNew().isEmpty)
    #expect(reported.count < 120)
  }

  @Test func stopsWhenUnwanted() async throws {
    let folder = try makeTree(seed: 4)
    let world = try World(roots: roots(folder), layout: .settled, cacheLimit: 1 << 20)
    var conditions = FileConditions()
    conditions.selection.requireSize(.above(-1))
    var reports = 0
    try await MatchSearch(for: conditions, first: .size, limit: 10, in: world)
      .run(isUnwanted: { true }) { _ in reports += 1 }
    #expect(reports == 0)
  }

  @Test func unreadableFoldersMakeItIncomplete() async throws {
    let folder = try TemporaryFolder()
    try folder.makeFile("w/a/x.c", "x")
    let world = try World(
      roots: roots(folder)
        + [ScanRoot(label: Array("x".utf8), directory: Array(folder("gone").utf8))],
      layout: .settled, cacheLimit: 1 << 20, readsDisk: false)
    var conditions = FileConditions()
    try conditions.selection.requireName(partOrGlob: [0x78])
    let outcome = try await search(conditions, in: world)
    #expect(outcome.found.map(\.path) == ["w/a/x.c"])
    #expect(outcome.last.isDone && !outcome.last.isComplete)
    #expect(outcome.last.faults.first.map(\.path) == ["x"])
  }
}

extension StringProtocol {
  /// The path of the parent folder.
  fileprivate var parent: String {
    lastIndex(of: "/").map { String(self[..<$0]) } ?? ""
  }
}
