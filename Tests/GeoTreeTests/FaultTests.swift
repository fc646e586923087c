import Foundation
import GeoTree
import GeoSystem
import TestSupport
import Testing

/// Changes of a tree during a scan.
@Suite struct FaultTests {
  private func makeTree() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    for name in ["a", "b", "c"] {
      try folder.makeFolder("\(name)/in")
      try folder.makeFile("\(name)/file", name)
    }
    return folder
  }

  @Test func aFileThatIsGoneIsNotShown() async throws {
    let folder = try makeTree()
    var script = RecordingVisitor.Script()
    script.listed = { [path = folder.path] in
      if $0 == "r/b" { try? FileManager.default.removeItem(atPath: "\(path)/b/file") }
    }
    let findings = try await scan(folder.path, script)
    #expect(
      findings.paths == [
        "r", "r/a", "r/a/file", "r/a/in", "r/b", "r/b/in", "r/c", "r/c/file", "r/c/in",
      ])
    #expect(findings.faults == [ScanFault(path: "r/b/file", .vanished)])
    // The folder's size still counts it.
    #expect(findings.seen.first { $0.path == "r/b" }?.size == 2)
  }

  @Test func aFileThatBecameAFolderIsNotShown() async throws {
    let folder = try makeTree()
    var script = RecordingVisitor.Script()
    script.listed = { [path = folder.path] in
      guard $0 == "r/b" else { return }
      try? FileManager.default.removeItem(atPath: "\(path)/b/file")
      try? FileManager.default.createDirectory(
        atPath: "\(path)/b/file", withIntermediateDirectories: false)
    }
    let findings = try await scan(folder.path, script)
    #expect(findings.faults == [ScanFault(path: "r/b/file", .vanished)])
    #expect(!findings.paths.contains("r/b/file"))
  }

  @Test(arguments: ["gone", "file", "link", "link to a folder"])
  func replacedFoldersAreNotShown(becomes: String) async throws {
    let folder = try makeTree()
    let outside = try makeTree()
    var script = RecordingVisitor.Script()
    script.listed = { [path = folder.path, outside = outside.path] in
      guard $0 == "r" else { return }
      let files = FileManager.default
      try? files.removeItem(atPath: "\(path)/b")
      switch becomes {
      case "file": _ = files.createFile(atPath: "\(path)/b", contents: nil)
      case "link":
        try? files.createSymbolicLink(atPath: "\(path)/b", withDestinationPath: "c")
      case "link to a folder":
        try? files.createSymbolicLink(atPath: "\(path)/b", withDestinationPath: outside)
      default: break
      }
    }
    let findings = try await scan(folder.path, script)
    #expect(findings.paths == ["r", "r/a", "r/a/file", "r/a/in", "r/c", "r/c/file", "r/c/in"])
    #expect(findings.faults == [ScanFault(path: "r/b", .vanished)])
  }

  @Test func renamedParentsAreNotFollowed() async throws {
    let folder = try makeTree()
    let outside = try makeTree()
    try outside.makeFile("b/in/secret")
    var script = RecordingVisitor.Script()
    script.listed = { [path = folder.path, outside = outside.path] in
      guard $0 == "r/b" else { return }
      try? FileManager.default.moveItem(atPath: "\(path)/b", toPath: "\(path)/moved")
      try? FileManager.default.createSymbolicLink(
        atPath: "\(path)/b", withDestinationPath: "\(outside)/b")
    }
    let findings = try await scan(folder.path, script, options: .threads(1))
    // The folder opened as b is still read, under its former name.
    #expect(findings.paths.contains("r/b/in"))
    #expect(!findings.paths.contains { $0.hasSuffix("secret") })
    #expect(findings.faults.isEmpty)
  }

  @Test func aRootThatIsGoneIsAnUnreadableContinent() async throws {
    let folder = try makeTree()
    let findings = try await scan([
      ScanRoot(label: Array("a".utf8), directory: Array(folder("a").utf8)),
      ScanRoot(label: Array("x".utf8), directory: Array(folder("nowhere").utf8)),
    ])
    #expect(findings.paths == ["a", "a/file", "a/in", "x"])
    #expect(findings.seen.last?.isUnreadable == true)
    #expect(findings.faults == [ScanFault(path: "x", .unreadable(.noEntry))])
  }

  @Test func rootsAreCheckedBeforeAnythingIsRead() throws {
    let folder = try makeTree()
    func check(_ path: String) throws(Errno) {
      try ScanRoot(label: [1], directory: Array(path.utf8)).check()
    }
    try check(folder.path)
    try check(folder("a/"))
    #expect(throws: Errno.notDirectory) { try check(folder("a/file")) }
    #expect(throws: Errno.noEntry) { try check(folder("a/none")) }
    #expect(throws: Errno.noEntry) { try check("") }
  }

  @Test func aFolderWithoutPermissionIsShownAndMarked() async throws {
    let folder = try makeTree()
    try folder.setMode("b", 0)
    if (try? FileManager.default.contentsOfDirectory(atPath: folder("b"))) != nil {
      print("skipped: this user may read everything; the tool's own tests drop the privilege")
      return
    }
    let findings = try await scan(folder.path)
    #expect(findings.faults == [ScanFault(path: "r/b", .unreadable(.accessDenied))])
    #expect(findings.seen.first { $0.path == "r/b" }?.isUnreadable == true)
    #expect(findings.paths.last == "r/c/in")
  }
}

extension ScanFault {
  init(path: String, _ reason: Reason) { self.init(rawPath: Array(path.utf8), reason: reason) }
}
