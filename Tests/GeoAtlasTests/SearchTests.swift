import GeoCore
import GeoTree
import TestSupport
import Testing

@testable import GeoAtlas

/// Which names a search finds, and in which order.
@Suite struct SearchTests {
  private func world(_ folder: TemporaryFolder) throws -> World {
    try World(
      roots: [ScanRoot(label: Array("world".utf8), directory: Array(folder("world").utf8))],
      layout: .settled, cacheLimit: 1 << 24)
  }

  private func search(_ query: String, limit: Int = 1000, in world: World) throws -> NameSearch {
    NameSearch(
      for: try #require(NameMatch(Array(query.utf8))), limit: limit, in: world)
  }

  /// All hits, taken only when their rank is final.
  private func ranked(_ search: NameSearch) -> [NameHit] {
    var search = search
    var hits: [NameHit] = []
    while search.step() { hits += search.takeRanked() }
    return hits + search.takeRanked()
  }

  private func text(_ hit: NameHit) -> String { String(decoding: hit.path, as: UTF8.self) }

  /// A tree whose names use few letters, and all its paths.
  private func makeTree(seed: UInt64) throws -> (folder: TemporaryFolder, paths: Set<String>) {
    var generator = SeededGenerator(seed: seed)
    let folder = try TemporaryFolder()
    var paths: Set<String> = ["world"]
    func name() -> String {
      let letters = ["a", "b", "A", ".", "-", "é"]
      return "n"
        + (0..<generator.number(in: 0...4)).map { _ in letters[generator.number(in: 0...5)] }
        .joined()
    }
    for _ in 0..<generator.number(in: 5...60) {
      var path = "world"
      for _ in 0..<generator.number(in: 0...4) {
        path += "/d" + name()
        paths.insert(path)
      }
      path += "/" + name()
      paths.insert(path)
      try folder.makeFile(path, "x")
    }
    return (folder, paths)
  }

  @Test(arguments: TestScale.seeds(12))
  func settledHitsAreInFinalOrder(seed: UInt64) throws {
    let (folder, paths) = try makeTree(seed: seed)
    let world = try world(folder)
    for query in ["a", "na", "A.b", "w", "d", "b na"] {
      let all = ranked(try search(query, in: world))
      #expect(zip(all, all.dropFirst()).allSatisfy { $0.score >= $1.score }, "seed \(seed)")
      let words = query.lowercased().split(separator: " ").map { Array($0.utf8) }
      let expected = paths.filter { path in
        let small = Array(path.utf8).lowercased
        let name = small.suffix(from: (small.lastIndex(of: 0x2F) ?? -1) + 1)
        return NameMatch.occurs(words[words.count - 1], in: Array(name))
          && words.allSatisfy { NameMatch.occurs($0, in: small) }
      }
      #expect(Set(all.map(text)) == expected, "seed \(seed), \(query)")
      #expect(all.count == expected.count, "seed \(seed), \(query)")

      // Whenever hits are taken, each comes once.
      var hasty = try search(query, in: world)
      var taken: [NameHit] = []
      while hasty.step() { taken += hasty.takeNew() }
      #expect(taken.count == all.count && Set(taken.map(text)) == expected, "seed \(seed)")
      #expect(hasty.takeNew().isEmpty)

      // A lower limit keeps the best.
      for limit in [1, 3, 10] {
        let best = ranked(try search(query, limit: limit, in: world))
        #expect(best.map(text) == all.prefix(limit).map(text), "seed \(seed), \(query), \(limit)")
        var counted = try search(query, limit: limit, in: world)
        while counted.step() {}
        #expect(counted.matches == all.count, "seed \(seed), \(query), \(limit)")
      }
    }
  }

  @Test func settlesOnceNoBetterHitIsPossible() throws {
    let folder = try TemporaryFolder()
    try folder.makeFile("world/wanted/x", "x")
    try folder.makeFile("world/a/b/c/d/wanted", "x")
    let world = try world(folder)
    var search = try search("wanted", limit: 1, in: world)
    while !search.isSettled, search.step() {}
    #expect(search.folders == 1)
    #expect(search.isComplete)
    #expect(search.takeNew().map(text) == ["world/wanted"])
    while search.step() {}
    #expect(search.folders == 6 && search.matches == 2 && search.takeNew().isEmpty)
  }

  @Test func hitsHaveTheirPlacesOnTheMap() throws {
    let (folder, _) = try makeTree(seed: 7)
    let world = try world(folder)
    for hit in ranked(try search("n", in: world)) {
      let node = try #require(world.node(at: hit.path, asksFacts: false))
      #expect(node.id == hit.id && node.kind == hit.kind && node.digits == hit.digits)
      #expect(node.coordinate(by: world.engine) == hit.coordinate)
      #expect(node.minzoom == hit.minzoom)
    }
  }

  @Test(arguments: ["", " ", "/ /", String(repeating: "a", count: 257)])
  func queriesNeedWordsOfLimitedLength(query: String) {
    #expect(NameMatch(Array(query.utf8)) == nil)
  }

  @Test(arguments: TestScale.seeds(8), [0, 1000, 3000])
  func limitedQueueFindsEverything(seed: UInt64, waitingLimit: Int) throws {
    let (folder, _) = try makeTree(seed: seed)
    let world = try world(folder)
    for query in ["a", "n", "d", "b na"] {
      for limit in [3, 1000] {
        let match = try #require(NameMatch(Array(query.utf8)))
        let roomy = NameSearch(for: match, limit: limit, in: world)
        let narrow = NameSearch(
          for: match, limit: limit, in: world, waitingLimit: waitingLimit)
        let (expected, found) = (ranked(roomy), ranked(narrow))
        // Of hits with the same score, others may be found first.
        #expect(found.map(\.score) == expected.map(\.score), "seed \(seed): \(query)")
        if limit == 1000 { #expect(Set(found.map(text)) == Set(expected.map(text))) }
      }
    }
  }

  @Test func waitingFoldersAreBounded() throws {
    let folder = try TemporaryFolder()
    for outer in 0..<30 {
      for inner in 0..<30 { try folder.makeFolder("world/\(outer)/\(inner)/x") }
    }
    let world = try world(folder)
    func most(waitingLimit: Int) throws -> (bytes: Int, folders: Int) {
      var search = NameSearch(
        for: try #require(NameMatch(Array("x".utf8))), limit: 10_000, in: world,
        waitingLimit: waitingLimit)
      var most = 0
      while search.step() { most = max(most, search.waitingBytes) }
      #expect(search.isComplete)
      return (most, search.folders)
    }
    let (roomy, narrow) = (try most(waitingLimit: .max), try most(waitingLimit: 10_000))
    #expect(roomy.folders == 1 + 30 + 900 + 900 && narrow.folders == roomy.folders)
    // Beyond the limit are only the listings along one path: four of at most 30 folders.
    #expect(narrow.bytes < 10_000 + 4 * 30 * 200)
    #expect(roomy.bytes > 100_000)
  }
}
