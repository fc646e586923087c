import Foundation
import TestSupport
import Testing

/// `--one-file-system`, with mounted file systems.
@Suite struct MountTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.makeFile("src/a/file")
    try folder.makeFolder("src/mount")
    try folder.makeFile("src/z/file")
  }

  private func map(_ arguments: String..., roots: [String] = ["src"]) throws -> WrittenMap {
    let outcome = try Geomapper.run(["map"] + arguments + roots, in: folder.path)
    #expect(outcome.status == 0)
    #expect(outcome.error.isEmpty)
    return try WrittenMap(outcome.output)
  }

  @Test func withoutMountsNothingChanges() throws {
    let usual = try Geomapper.run(["map", "src"], in: folder.path)
    for option in ["-x", "--one-file-system"] {
      #expect(try Geomapper.run(["map", option, "src"], in: folder.path).output == usual.output)
    }
  }

  @Test(.enabled(if: SmallDisk.isPossible, "needs the right to mount a file system"))
  func aMountIsShownAndNotEntered() throws {
    let disk = try SmallDisk(at: folder("src/mount"))
    try folder.makeFile("src/mount/inner/file", "something")
    let usual = try map()
    #expect(usual["src/mount"]?["size"] as? Int == 1)
    #expect(usual["src/mount/inner/file"] != nil)
    let staying = try map("-x")
    #expect(staying.paths == usual.paths.filter { !$0.hasPrefix("src/mount/") })
    for path in staying.paths where path != "src/mount" {
      #expect(staying[path] as NSDictionary? == usual[path] as NSDictionary?)
    }
    // The same, except for facts that come from a listing.
    var mount = usual["src/mount"] ?? [:]
    mount["size"] = nil
    #expect(staying["src/mount"] as NSDictionary? == mount as NSDictionary)
    withExtendedLifetime(disk) {}
  }

  @Test(.enabled(if: SmallDisk.isPossible, "needs the right to mount a file system"))
  func eachRootHasItsOwnFileSystem() throws {
    let disk = try SmallDisk(at: folder("src/mount"))
    try folder.makeFile("src/mount/inner/file")
    #expect(
      try map("-x", roots: ["src/mount"]).paths == ["mount", "mount/inner", "mount/inner/file"])
    // Each of two roots has its own file system, and a link can lead from one to the other.
    try folder.makeLink("src/mount/back", to: "../a")
    let both = try map("-x", "-L", "--no-stat", roots: ["src", "src/mount"])
    #expect(both["src/mount"]?["size"] == nil)
    #expect(both["mount"]?["size"] as? Int == 2)
    #expect(both["mount/back"]?["kind"] as? String == "country")
    #expect(both["mount/back"]?["size"] == nil)
    withExtendedLifetime(disk) {}
  }

  @Test(.enabled(if: SmallDisk.isPossible, "needs the right to mount a file system"))
  func aBindMountOfAnAncestorEnds() throws {
    let bind = try Subprocess.run(
      "/usr/bin/env", ["mount", "--bind", folder("src"), folder("src/mount")])
    defer { _ = try? Subprocess.run("/usr/bin/env", ["umount", folder("src/mount")]) }
    #expect(bind.status == 0)
    let inner = ["mount", "mount/a", "mount/a/file", "mount/mount", "mount/z", "mount/z/file"]
    // A bind mount doesn't contain itself. It is on the same file system, so `-x` enters it.
    for options in [["-q"], ["-x"], ["-L"]] {
      let outcome = try Geomapper.run(["map"] + options + ["src"], in: folder.path)
      let paths = try WrittenMap(outcome.output).paths
      #expect(paths.filter { $0.hasPrefix("src/mount") } == inner.map { "src/\($0)" })
    }
  }

  /// File systems of the kernel: listings without kinds, wrong sizes, and entries that vanish.
  @Test(
    .enabled(if: FileManager.default.fileExists(atPath: "/proc/self/fd"), "needs /proc"),
    arguments: TestScale.factor < 1
      ? [["/proc/self"], ["-x", "/proc/self"], ["-x", "--links", "/sys/kernel"]]
      : [["/proc"], ["-x", "/proc"], ["-x", "--links", "/sys"]])
  func mapsSystemFolders(arguments: [String]) throws {
    let outcome = try Geomapper.run(["map", "-q"] + arguments)
    #expect([0, 1].contains(outcome.status))
    let written = try WrittenMap(outcome.output)
    #expect(written.summary["folders"] ?? 0 > 1)
    #expect(written.summary["files"] ?? 0 > 100)
  }
}
