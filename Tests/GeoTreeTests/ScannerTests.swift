import Foundation
import GeoTree
import GeoSystem
import Synchronization
import TestSupport
import Testing

@Suite struct ScannerTests {
  private final class Counter: Sendable {
    let value = Atomic(0)
  }

  /// A tree with every kind of entry that can be made without privileges.
  private func makeTree() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    for name in ["b", "a.b", "a", "a/x", "a/y/deep", "Z", "empty"] {
      try folder.makeFolder(name)
    }
    try folder.makeFile("a/one", "1")
    try folder.makeFile("a/two", "22")
    try folder.makeFile("top", "333")
    try folder.makeFile("a.txt", "")
    try folder.makeFile("a/y/deep/inside", "4444")
    try folder.makeLink("link", to: "a")
    try folder.makeLink("broken", to: "nowhere")
    try folder.makePipe("pipe")
    return folder
  }

  private static let order = [
    "r", "r/a.txt", "r/broken", "r/link", "r/pipe", "r/top", "r/Z", "r/a", "r/a/one", "r/a/two",
    "r/a/x", "r/a/y", "r/a/y/deep", "r/a/y/deep/inside", "r/a.b", "r/b", "r/empty",
  ]

  @Test(arguments: [1, 2, 16], ReadingMethod.allCases)
  func foldersComeBeforeTheirContents(
    threads: Int, method: ReadingMethod
  ) async throws {
    let folder = try makeTree()
    var options = FileSystemScanner.Options.threads(threads)
    options.method = method
    let findings = try await scan(folder.path, options: options)
    #expect(findings.paths == Self.order)
    #expect(findings.faults.isEmpty)
    #expect(findings.openedFolders == 9)
    let sizes = Dictionary(uniqueKeysWithValues: findings.seen.map { ($0.path, $0.size) })
    #expect(sizes["r"] == 10)
    #expect(sizes["r/top"] == 3)
    // The size is the link's own, not its target's.
    #expect(sizes["r/link"] == 1)
  }

  @Test func aRootThatIsALinkIsFollowed() async throws {
    let folder = try makeTree()
    let findings = try await scan(folder("link"))
    #expect(findings.paths == ["r", "r/one", "r/two", "r/x", "r/y", "r/y/deep", "r/y/deep/inside"])
  }

  @Test(arguments: [1, 2, 7]) func anyNumberOfThreadsSeesTheSame(threads: Int) async throws {
    let folder = try TemporaryFolder()
    for outer in 0..<20 {
      for inner in 0..<outer {
        try folder.makeFolder("d\(outer)/e\(inner)")
        for file in 0..<(inner % 4) { try folder.makeFile("d\(outer)/e\(inner)/f\(file)") }
      }
    }
    for file in 0..<2500 { try folder.makeFile("d7/many\(file)") }
    let expected = try await scan(folder.path, options: .threads(1))
    // Heavy folders make the workers reach the limit for reading ahead.
    for weight in [1, 100, 100_000] {
      let script = RecordingVisitor.Script(weight: weight)
      let findings = try await scan(folder.path, script, options: .threads(threads))
      #expect(findings.seen == expected.seen)
    }
    #expect(expected.seen.count == 1 + 20 - 1 + 190 + expected.seen.count { $0.kind == .file })
  }

  /// Folders whose listings take long are divided: others read the sub-folders before the files.
  @Test func slowFoldersAreShared() async throws {
    let folder = try TemporaryFolder()
    for file in 0..<40 { try folder.makeFile("file \(file)") }
    for inner in 0..<2 { try folder.makeFile("inner \(inner)/file") }
    let (listings, largest, late) = (Counter(), Counter(), Counter())
    let disk = ObservedDisk { call in
      switch call {
      case .listing:
        listings.value.add(1, ordering: .relaxed)
        WorkerThread.pause(milliseconds: 100)
      case .files(let count, _):
        largest.value.max(count, ordering: .relaxed)
        let end = ThisProcess.nanoseconds + 10_000_000_000
        while listings.value.load(ordering: .relaxed) < 3, ThisProcess.nanoseconds < end {
          WorkerThread.pause(milliseconds: 1)
        }
        if listings.value.load(ordering: .relaxed) < 3 { late.value.add(1, ordering: .relaxed) }
      }
    }
    let root = ScanRoot(
      label: Array("r".utf8), directory: Array(folder.path.utf8), source: disk)
    let findings = try await scan([root], options: .threads(4))
    #expect(findings.seen == (try await scan(folder.path)).seen)
    #expect(late.value.load(ordering: .relaxed) == 0)
    #expect(largest.value.load(ordering: .relaxed) <= 8)
  }

  @Test func hiddenFoldersAreNotOpened() async throws {
    let folder = try makeTree()
    var script = RecordingVisitor.Script()
    script.admit = { path in
      switch path {
      case "r/a": .hidden
      case "r/b", "r/empty": .shown
      default: .entered
      }
    }
    script.wants = { !$0.hasSuffix("top") }
    let findings = try await scan(folder.path, script)
    #expect(
      findings.paths == [
        "r", "r/a.txt", "r/broken", "r/link", "r/pipe", "r/Z", "r/a.b", "r/b", "r/empty",
      ])
    #expect(findings.seen.filter { $0.kind == .passed }.map(\.path) == ["r/b", "r/empty"])
    // The root, Z and a.b were opened.
    #expect(findings.openedFolders == 3)
  }

  /// In the end all known folders are read, and never more than those.
  @Test func countsKnownFolders() async throws {
    let folder = try makeTree()
    let reach = Mutex(ScanReach())
    var options = FileSystemScanner.Options()
    options.listener = { part, _ in
      let all = reach.withLock { reach in
        reach += part
        return reach
      }
      #expect(all.known >= all.folders)
    }
    _ = try await scan(folder.path, options: options)
    #expect(reach.withLock { $0.known == 9 && $0.folders == 9 })
  }

  @Test func readsNoMetadataUnlessAsked() async throws {
    let folder = try makeTree()
    var options = FileSystemScanner.Options()
    options.readsMetadata = false
    let findings = try await scan(folder.path, options: options)
    #expect(findings.paths == Self.order)
    #expect(findings.seen.allSatisfy { $0.kind == .folder || $0.size == nil })
  }

  @Test func temporaryEntriesAreHidden() async throws {
    let folder = try makeTree()
    try folder.makeFile("a/.hidden.tmp", "x")
    let facts = try FileSystem.rootFacts(Array(folder("a").utf8))
    var options = FileSystemScanner.Options()
    options.temporary = TemporaryEntry(
      name: Array(".hidden.tmp".utf8), folder: facts.identity, folderModified: 5)
    let findings = try await scan(folder.path, options: options)
    #expect(findings.paths == Self.order)
    #expect(findings.seen.first { $0.path == "r/a" }?.size == 4)
  }

  @Test func rootsComeInTheOrderGiven() async throws {
    let folder = try makeTree()
    let findings = try await scan([
      ScanRoot(label: Array("z".utf8), directory: Array(folder("a/x").utf8)),
      ScanRoot(label: Array("a".utf8), directory: Array(folder("a/y").utf8)),
    ])
    #expect(findings.paths == ["z", "a", "a/deep", "a/deep/inside"])
  }

  @Test func pathsMayExceedTheSystemsLimit() async throws {
    let folder = try TemporaryFolder()
    let name = String(repeating: "n", count: 200)
    let depth = 60
    var directory = try #require(open(folder.path, O_RDONLY | O_DIRECTORY).descriptor)
    for _ in 0..<depth {
      #expect(mkdirat(directory, name, 0o755) == 0)
      let next = try #require(openat(directory, name, O_RDONLY | O_DIRECTORY).descriptor)
      close(directory)
      directory = next
    }
    close(try #require(openat(directory, "end", O_CREAT | O_WRONLY, 0o644).descriptor))
    close(directory)
    let findings = try await scan(folder.path)
    #expect(findings.faults.isEmpty)
    #expect(findings.seen.count == depth + 2)
    #expect(findings.paths.last?.utf8.count == 1 + depth * 201 + 4)
    let root = Array((folder.path + String(repeating: "/" + name, count: 40)).utf8)
    let lower = try await scan([ScanRoot(label: Array("r".utf8), directory: root)])
    #expect(lower.seen.count == depth - 40 + 2)
  }
}

extension Int32 {
  /// The descriptor that a call returned; nil if it failed.
  fileprivate var descriptor: Int32? { self < 0 ? nil : self }
}
