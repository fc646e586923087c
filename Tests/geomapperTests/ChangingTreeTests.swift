import Foundation
import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#endif

/// Trees that other programs change at one exact moment of a scan.
@Suite(.enabled(if: Interposition.isPossible, Interposition.need))
struct ChangingTreeTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    for name in ["a", "b", "c"] { try folder.makeFile("src/\(name)/in/file", "text") }
    try folder.makeFile("src/b/one", "text")
    try folder.makeFile("outside/secret/file", "text")
  }

  @Test(
    arguments: ["map", "map -L", "map --totals", "map -x"],
    [
      "true", "touch src/b", "ln -s ../outside src/b", "ln -s a src/b", "mkfifo src/b",
    ])
  func replacedFoldersAreNotFollowed(
    command: String, replacement: String
  ) throws {
    let arguments = command.split(separator: " ").map(String.init)
    // With totals, the map is made in a second pass.
    let passes = arguments.contains("--totals") ? 1 : 0
    let fault = Interposition("openat", on: "/src/b", after: passes, times: 1)
      .running("mv src/b moved; \(replacement)")
    let outcome = try fault.run(arguments + ["src", "--threads", "1"], in: folder)
    let map = try WrittenMap(outcome.output)
    if arguments.contains("-L"), replacement.hasPrefix("ln") {
      // Links are followed: the result depends on what it was when it was examined.
      #expect(outcome.status == 0 || outcome.status == 1)
    } else {
      #expect(outcome.status == 1)
      #expect(outcome.errorText.contains("src/b"), "\(outcome.errorText)")
      #expect(map["src/b"] == nil)
      #expect(!outcome.text.contains("secret"))
    }
    #expect(
      map.paths.filter { !$0.hasPrefix("src/b") } == [
        "src", "src/a", "src/a/in", "src/a/in/file", "src/c", "src/c/in", "src/c/in/file",
      ])
  }

  @Test func removedFilesAreReportedAsVanished() throws {
    let outcome = try Interposition("statx", on: "/src/b/one", times: 1)
      .running("rm src/b/one").run(["map", "src"], in: folder)
    #expect(outcome.status == 1)
    #expect(outcome.errorText.contains("src/b/one: vanished"), "\(outcome.errorText)")
    let map = try WrittenMap(outcome.output)
    #expect(map["src/b/one"] == nil)
    #expect(map["src/b"]?["size"] as? Int == 2)
    #expect(map.summary == ["folders": 7, "files": 3, "unreadable": 0])
  }

  @Test(arguments: ["getdents64", "openat"]) func rootRemovedDuringTheScan(call: String) throws {
    let outcome = try Interposition(call, on: "/src/b", times: 1)
      .running("rm -rf src").run(["map", "src", "--threads", "1"], in: folder)
    #expect(outcome.status == 1)
    #expect(outcome.errorText.contains("vanished"), "\(outcome.errorText)")
    let map = try WrittenMap(outcome.output)
    #expect(map.paths.first == "src")
    #expect(map["src"]?["size"] as? Int == 3)
  }

  @Test(.enabled(if: SmallDisk.isPossible, "needs the right to mount a file system"))
  func rootUnmountedDuringTheScan() throws {
    try folder.makeFolder("disk")
    let disk = try SmallDisk(at: folder("disk"))
    for name in ["a", "b", "c"] { try folder.makeFile("disk/\(name)/file", "text") }
    let usual = try Geomapper.run(["map", "disk"], in: folder.path)
    let outcome = try Interposition("openat", on: "/disk/b", times: 1)
      .running("umount -l disk").run(["map", "disk"], in: folder)
    // The folder is open already, so its contents are read to the end.
    #expect(outcome.status == 0)
    #expect(outcome.output == usual.output)
    withExtendedLifetime(disk) {}
  }

  @Test(arguments: [-1, -9_000_000_000, 4_294_967_297, 9_999_999_999])
  func extremeTimesAreMapped(seconds: Int) throws {
    try folder.setModified("src/b/one", seconds)
    // A file system may not be able to store the time.
    let kept = try Subprocess.run("/usr/bin/env", ["stat", "-c", "%Y", folder("src/b/one")]).text
    let map = try WrittenMap(Geomapper.run(["map", "src"], in: folder.path).output)
    let modified = try #require(map["src/b/one"]?["modified"] as? Int)
    #expect("\(modified)\n" == kept)
  }

  @Test func sparseFilesHaveTheirSize() throws {
    #expect(truncate(folder("src/b/one"), 1 << 40) == 0)
    let map = try WrittenMap(Geomapper.run(["map", "--totals", "src"], in: folder.path).output)
    #expect(map["src/b/one"]?["size"] as? Int == 1 << 40)
  }
}
