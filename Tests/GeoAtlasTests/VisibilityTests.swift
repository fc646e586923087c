import GeoCore
import GeoPipeline
import GeoProjection
import GeoTree
import GeoAtlas
import TestSupport
import Testing

@testable import GeoAtlas

/// A world shows what a map of the same selection shows, at the same places.
@Suite struct VisibilityTests {
  private static func selections() throws -> [(name: String, selection: Selection)] {
    func make(_ change: (inout Selection) throws -> Void) rethrows -> Selection {
      var selection = Selection()
      try change(&selection)
      return selection
    }
    return [
      ("all", Selection()),
      ("exclude", try make { try $0.exclude(Array("**/b*".utf8)) }),
      ("include", try make { try $0.include(Array("*.txt".utf8)) }),
      ("hidden", make { $0.excludeHidden() }),
      ("gitignore", make { $0.excludeIgnored() }),
      (
        "gitignore, but logs",
        try make {
          $0.excludeIgnored()
          try $0.include(Array("**/*.log".utf8), selectively: false)
        }
      ),
      ("files", make { $0.requireKinds([.regular]) }),
      ("folders", make { $0.requireKinds([.directory]) }),
      ("name", try make { try $0.requireName(Array("*.txt".utf8)) }),
      (
        "size",
        try make {
          $0.requireSize(try #require(Selection.SizeCondition(parsing: Array("+2".utf8))))
        }
      ),
      ("newer", make { $0.newer = 1_500_000_000 }),
    ]
  }

  private static func makeTree(seed: UInt64) throws -> (folder: TemporaryFolder, paths: [String]) {
    let folder = try TemporaryFolder()
    var generator = SeededGenerator(seed: seed)
    var folders = ["w/"]
    var paths: Set<String> = []
    for number in 0..<40 {
      let parent = folders[generator.number(in: 0...(folders.count - 1))]
      let stem = ["a", "b", ".c", "log", "d"][generator.number(in: 0...4)]
      if generator.number(in: 0...2) == 0 {
        folders.append("\(parent)\(stem)\(number)/")
        try folder.makeFile("\(parent)\(stem)\(number)/x.txt", "x")
        paths.insert("\(parent)\(stem)\(number)/x.txt")
      } else {
        let ending = ["", ".txt", ".log"][generator.number(in: 0...2)]
        let path = "\(parent)\(stem)\(number)\(ending)"
        try folder.makeFile(path, String(repeating: "x", count: number % 5))
        if number % 3 == 0 { try folder.setModified(path, 1_000_000_000) }
        paths.insert(path)
      }
    }
    try folder.makeFile("w/.git/HEAD", "ref: refs/heads/main\n")
    try folder.makeFile("w/.gitignore", "*.log\n/a*/\n!a1*/\n")
    paths.formUnion(["w/.git/HEAD", "w/.gitignore"])
    for path in paths {
      var parent = Substring(path)
      while let slash = parent.lastIndex(of: "/") {
        parent = parent[..<slash]
        paths.insert(String(parent))
      }
    }
    return (folder, paths.sorted())
  }

  @Test(arguments: TestScale.seeds(6)) func equalsTheMap(seed: UInt64) async throws {
    let (folder, paths) = try Self.makeTree(seed: seed)
    let roots = [ScanRoot(label: Array("w".utf8), directory: Array(folder("w").utf8))]
    for (name, selection) in try Self.selections() {
      var request = MapRequest(roots: roots)
      request.selection = selection
      var mapped: [[UInt8]: UInt64] = [:]
      for try await batch in try await MapPipeline.openNodes(request) {
        for record in batch.records { mapped[batch.path(of: record)] = record.seed >> 11 }
      }
      let world = try World(
        roots: roots, layout: .settled, selection: selection, cacheLimit: 1 << 24)
      for path in paths {
        let node = world.node(at: Array(path.utf8))
        #expect(node?.id == mapped[Array(path.utf8)], "seed \(seed), \(name): \(path)")
        guard let node, case .file(let place, let city, _) = node.body else { continue }
        var query = PointQuery(ExactPoint(place.coordinate, digits: city.digits))
        query.limit = 1000
        let near = query.answer(in: world).files.map(\.path)
        #expect(near.contains(Array(path.utf8)), "seed \(seed), \(name): \(path)")
        #expect(near.allSatisfy { mapped[$0] != nil }, "seed \(seed), \(name): \(path)")
      }
      let match = try #require(NameMatch(Array("x".utf8)))
      var search = NameSearch(for: match, limit: 1000, in: world)
      while search.step() {}
      let hits = Set(search.takeNew().map(\.path))
      let expected = mapped.keys.filter { path in
        path[((path.lastIndex(of: UInt8(ascii: "/")) ?? -1) + 1)...].contains(UInt8(ascii: "x"))
      }
      #expect(hits == Set(expected), "seed \(seed), \(name)")
    }
  }

  @Test func changedIgnoreFilesAreReadAgain() throws {
    let folder = try TemporaryFolder()
    try folder.makeFile("w/.gitignore", "one\n")
    for name in ["one", "two"] {
      try folder.makeFile("w/\(name)")
      try folder.makeFile("w/below/\(name)")
    }
    for name in ["w/below", "w"] { try folder.setModified(name, 1_000_000_000) }
    var selection = Selection()
    selection.excludeIgnored()
    // A separate repository, so that none around the temporary folder applies.
    try folder.makeFile("w/.git/HEAD", "ref: refs/heads/main\n")
    try folder.setModified("w", 1_000_000_000)
    func world(trust: Int64) throws -> World {
      try World(
        roots: [ScanRoot(label: Array("w".utf8), directory: Array(folder("w").utf8))],
        layout: .settled, selection: selection, cacheLimit: 1 << 24, trust: trust)
    }
    let (trusting, world) = (try world(trust: World.trust), try world(trust: 0))
    func shows(_ path: String) -> Bool { world.node(at: Array(path.utf8)) != nil }
    #expect(!shows("w/one") && shows("w/two") && !shows("w/below/one") && shows("w/below/two"))
    let before = trusting.reader().root(0)
    try folder.makeFile("w/.gitignore", "two\n")
    try folder.setModified("w/.gitignore", 1_100_000_000)
    try folder.setModified("w", 1_000_000_000)
    #expect(trusting.isUnchanged(before.stamp), "believed for a moment")
    #expect(!trusting.isUnchangedNow(before.stamp))
    #expect(shows("w/one") && !shows("w/two") && shows("w/below/one") && !shows("w/below/two"))
  }
}
