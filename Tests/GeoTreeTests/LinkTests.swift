import Foundation
import GeoTree
import GeoSystem
import TestSupport
import Testing

/// How a scan follows links, by all methods, and while the links change.
@Suite struct LinkTests {
  let folder: TemporaryFolder
  let outside: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    outside = try TemporaryFolder()
    try folder.makeFile("a/file", "1")
    try outside.makeFile("in/other", "22")
  }

  private func following(_ threads: Int? = nil) -> FileSystemScanner.Options {
    var options = FileSystemScanner.Options()
    options.threads = threads
    options.followsLinks = true
    return options
  }

  @Test(arguments: ReadingMethod.allCases) func linksAreFollowed(method: ReadingMethod) async throws
  {
    try folder.makeLink("b", to: outside.path)
    try folder.makeLink("c", to: "a/file")
    try folder.makeLink("d", to: "nowhere")
    try folder.makeLink("a/up", to: "..")
    var options = following()
    options.method = method
    let findings = try await scan(folder.path, options: options)
    #expect(
      findings.paths == [
        "r", "r/c", "r/d", "r/a", "r/a/file", "r/a/up", "r/b", "r/b/in", "r/b/in/other",
      ])
    #expect(findings.seen.first { $0.path == "r/c" }?.size == 1)
    #expect(findings.seen.first { $0.path == "r/d" }?.size == 7)
    #expect(findings.seen.first { $0.path == "r/a/up" }?.kind == .passed)
    #expect(findings.faults.isEmpty)
    // The root, `a`, the loop, `b` and `b/in` were opened.
    #expect(findings.openedFolders == 5)
  }

  @Test func aFolderThatBecameALinkIsNotFollowed() async throws {
    try folder.makeFolder("b")
    var script = RecordingVisitor.Script()
    script.listed = { [path = folder.path, outside = outside.path] in
      guard $0 == "r" else { return }
      try? FileManager.default.removeItem(atPath: "\(path)/b")
      try? FileManager.default.createSymbolicLink(
        atPath: "\(path)/b", withDestinationPath: outside)
    }
    let findings = try await scan(folder.path, script, options: following())
    #expect(findings.paths == ["r", "r/a", "r/a/file"])
    #expect(findings.faults == [ScanFault(path: "r/b", .vanished)])
  }

  @Test(arguments: ["folder", "file", "nothing"])
  func retargetedLinksAreFollowedOrVanish(leads: String) async throws {
    try folder.makeLink("b", to: outside.path)
    try outside.makeFile("plain")
    var script = RecordingVisitor.Script()
    script.listed = { [path = folder.path, outside = outside.path] in
      guard $0 == "r" else { return }
      let targets = ["folder": "\(path)/a", "file": "\(outside)/plain", "nothing": "nowhere"]
      try? FileManager.default.removeItem(atPath: "\(path)/b")
      try? FileManager.default.createSymbolicLink(
        atPath: "\(path)/b", withDestinationPath: targets[leads] ?? "")
    }
    let findings = try await scan(folder.path, script, options: following())
    if leads == "folder" {
      #expect(findings.paths == ["r", "r/a", "r/a/file", "r/b", "r/b/file"])
      #expect(findings.faults.isEmpty)
    } else {
      #expect(findings.paths == ["r", "r/a", "r/a/file"])
      #expect(findings.faults == [ScanFault(path: "r/b", .vanished)])
    }
  }

  @Test func aFileThatBecameALinkIsFollowed() async throws {
    try folder.makeFile("b")
    var script = RecordingVisitor.Script()
    script.listed = { [path = folder.path, outside = outside.path] in
      guard $0 == "r" else { return }
      try? FileManager.default.removeItem(atPath: "\(path)/b")
      try? FileManager.default.createSymbolicLink(
        atPath: "\(path)/b", withDestinationPath: "\(outside)/in/other")
    }
    let followed = try await scan(folder.path, script, options: following())
    #expect(followed.seen.first { $0.path == "r/b" }?.size == 2)
    // If links aren't followed, the size is the link's own.
    let other = try TemporaryFolder()
    try other.makeFile("b")
    let usual = try await scan(other.path)
    #expect(usual.seen.first { $0.path == "r/b" }?.size == 0)
  }
}
