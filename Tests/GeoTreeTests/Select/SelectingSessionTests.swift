import GeoCore
import GeoSystem
import GeoTree
import TestSupport
import Testing

/// What a reading session with a selection passes on.
@Suite struct SelectingSessionTests {
  /// A tree with rules of git in several folders.
  private static func makeTree(seed: UInt64) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    var generator = SeededGenerator(seed: seed)
    var folders = [""]
    for number in 0..<30 {
      let parent = folders[generator.number(in: 0...(folders.count - 1))]
      let name = ["a", "b", ".c", "log"][generator.number(in: 0...3)]
      if generator.number(in: 0...1) == 0 {
        folders.append("\(parent)\(name)\(number % 4)/")
        try folder.makeFile("\(parent)\(name)\(number % 4)/x", "x")
      } else {
        try folder.makeFile("\(parent)\(name)\(number).txt", String(repeating: "x", count: number))
      }
    }
    let rules = ["*.txt\n", "/a*\n!a1*\n", "log*/\n", "!*.txt\nx\n"]
    for rule in rules {
      let place = folders[generator.number(in: 0...(folders.count - 1))]
      try folder.makeFile("\(place).gitignore", rule)
    }
    // A work tree of its own, so that none around the temporary folder applies.
    try folder.makeFile(".git/HEAD", "ref: refs/heads/main\n")
    return folder
  }

  private static func selections() throws -> [(name: String, selection: Selection)] {
    func make(_ change: (inout Selection) throws -> Void) rethrows -> Selection {
      var selection = Selection()
      try change(&selection)
      return selection
    }
    return [
      ("gitignore", make { $0.excludeIgnored() }),
      (
        "gitignore, but texts",
        try make {
          $0.excludeIgnored()
          try $0.include(Array("**/*.txt".utf8), selectively: false)
          try $0.include(Array("**/a*".utf8), selectively: false)
        }
      ),
      ("exclude", try make { try $0.exclude(Array("b*".utf8)) }),
      (
        "size",
        try make {
          $0.requireSize(try #require(Selection.SizeCondition(parsing: Array("+9".utf8))))
        }
      ),
      ("depth", make { $0.maximumDepth = 2 }),
    ]
  }

  /// Lists a folder by its path, and those below it, the last one first.
  private func list(
    _ path: [UInt8], _ readers: OpenSources.Readers, into found: inout Set<String>
  ) {
    var listing = FolderListing()
    readers.list(path, root: 0, into: &listing)
    found.insert(String(decoding: path, as: UTF8.self))
    if listing.outcome != .listed { return }
    var facts: [EntryFacts] = []
    readers[0].prepareFacts(of: listing.files, 0..<listing.files.count, into: &facts)
    var storage: [FileStorage] = []
    var failures: [FactFailure] = []
    readers[0].readFacts(
      of: listing.files, 0..<facts.count, into: &facts, storage: &storage, failures: &failures)
    for (index, known) in facts.enumerated() where known.status != .hidden {
      found.insert(
        String(decoding: path.appending(component: listing.files.name(at: index)), as: UTF8.self))
    }
    let leftOut = Set(listing.leftOut.map(\.index))
    for index in (0..<listing.folders.count).reversed() where !leftOut.contains(index) {
      list(path.appending(component: listing.folders.name(at: index)), readers, into: &found)
    }
  }

  @Test(arguments: TestScale.seeds(8)) func pathsInAnyOrderEqualAScan(seed: UInt64)
    async throws
  {
    let folder = try Self.makeTree(seed: seed)
    let root = ScanRoot(label: Array("r".utf8), directory: Array(folder.path.utf8))
    for (name, selection) in try Self.selections() {
      var options = FileSystemScanner.Options()
      options.selection = selection
      let scanned = try await scan(folder.path, options: options)
      var found: Set<String> = []
      let readers = OpenSources([root], options, readers: 1).makeReaders()
      list(root.label, readers, into: &found)
      #expect(found == Set(scanned.paths), "seed \(seed), \(name)")
      let whole = try await scan(folder.path)
      #expect(found.isStrictSubset(of: Set(whole.paths)), "seed \(seed), \(name)")
    }
  }

  @Test func foldersAtTheMaximumDepthAreNotOpened() async throws {
    let folder = try TemporaryFolder()
    try folder.makeFile("a/b/c/file")
    try folder.makeFile("a/file")
    var options = FileSystemScanner.Options()
    options.selection.maximumDepth = 1
    let found = try await scan(folder.path, options: options)
    #expect(found.paths == ["r", "r/a"])
    #expect(found.seen.last?.kind == .passed)
    #expect(found.openedFolders == 1)
    options.selection.maximumDepth = 0
    #expect(try await scan(folder.path, options: options).openedFolders == 0)
  }

  @Test func unreadableRulesAreReported() async throws {
    let folder = try TemporaryFolder()
    try folder.makeFile("a/file")
    try folder.makeFile(".git/HEAD", "ref: refs/heads/main\n")
    try folder.makeFile("a/.gitignore", String(repeating: "#", count: (16 << 20) + 1))
    var options = FileSystemScanner.Options()
    options.selection.excludeIgnored()
    let found = try await scan(folder.path, options: options)
    #expect(found.faults.map(\.path) == ["r/a/.gitignore"])
    #expect(found.paths.contains("r/a/file"))
  }
}
