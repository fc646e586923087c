import Foundation
import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#endif

/// After a failed write, an older file is unchanged, and nothing else is left.
@Suite struct FailureTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.makeFolder("src")
  }

  /// The arguments arrive even if a preloaded library has moved the environment next to them.
  @Test(.enabled(if: Interposition.isPossible, Interposition.need))
  func argumentsSurviveAMovedEnvironment() throws {
    let outcome = try Interposition().with("MOVE", "1").run(["--version"], in: folder)
    #expect(outcome.status == 0 && outcome.text.hasPrefix("geomapper "), "\(outcome.errorText)")
  }

  @Test func fullOutputIsAnError() throws {
    let outcome = try Geomapper.shell("\"$T\" map src > /dev/full", in: folder.path)
    #expect(outcome.status == 3)
    #expect(outcome.errorText.contains("can't write to standard output: No space left on device"))
  }

  @Test func closedOutputIsAnError() throws {
    let outcome = try Geomapper.shell("\"$T\" map src >&-", in: folder.path)
    #expect(outcome.status == 3)
    #expect(outcome.errorText.contains("standard output is closed"))
  }

  @Test func readOnlyOutputIsAnError() throws {
    let outcome = try Geomapper.shell("\"$T\" map src 1< /dev/null", in: folder.path)
    #expect(outcome.status == 3)
    #expect(outcome.errorText.contains("standard output is closed"))
  }

  @Test func closedStandardDescriptorsDoNotEndUpInTheFile() throws {
    // With fewer open descriptors, the file would get the number of standard error.
    let expected = try Geomapper.run(["map", "src"], in: folder.path).output
    for closed in ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"] {
      let outcome = try Geomapper.shell(
        "\"$T\" map src -o out --progress always \(closed)", in: folder.path)
      #expect(outcome.status == 0)
      #expect(try folder.read("out") == expected)
    }
    let outcome = try Geomapper.shell("\"$T\" map nowhere -o out 2>&-", in: folder.path)
    #expect(outcome.status == 2)
    #expect(try folder.read("out") == expected)
  }

  @Test(.enabled(if: FileManager.default.fileExists(atPath: "/proc/self/fd"), "needs /proc"))
  func closedStandardDescriptorsAreOccupied() throws {
    let large = try #require(LargeTree.shared)
    try folder.makePipe("pipe")
    let script = "exec \"$T\" map '\(large.path)' -o pipe <&- >&- 2>&-"
    let process = try Subprocess(
      "/bin/sh", ["-c", script].map { Array($0.utf8) },
      environment: ["T=\(Geomapper.path)"], in: folder.path)
    // Once both sides of the pipe are open, the program runs until everything is read.
    let reader = open(folder("pipe"), O_RDONLY | O_CLOEXEC)
    var targets: [String?] = []
    for number in 0...2 {
      let link = "/proc/\(process.number)/fd/\(number)"
      targets.append(try? FileManager.default.destinationOfSymbolicLink(atPath: link))
    }
    let bytes = readAll(reader)
    close(reader)
    #expect(process.finish().status == 0)
    #expect(targets == ["/dev/null", "/dev/null", "/dev/null"])
    #expect(try WrittenMap(bytes).summary["files"] == 1600)
  }

  @Test func fullErrorOutputDoesNoHarm() throws {
    let script = "\"$T\" map src --progress always 2> /dev/full"
    let outcome = try Geomapper.shell(script, in: folder.path)
    #expect(outcome.status == 0)
    #expect(try WrittenMap(outcome.output).paths == ["src"])
  }

  @Test(.enabled(if: Geomapper.unprivileged != nil, "needs setpriv to give up privileges"))
  func unwritableFolderIsAnError() throws {
    try folder.makeFolder("locked")
    try folder.makeFile("locked/out", "old")
    try folder.setMode("locked", 0o555)
    for name in ["locked/out", "locked/new"] {
      let outcome = try Geomapper.run(
        ["map", "src", "-o", name], in: folder.path, launcher: Geomapper.unprivileged ?? [])
      #expect(outcome.status == 3)
      #expect(outcome.errorText.contains("'\(name)': Permission denied"))
    }
    #expect(try folder.text("locked/out") == "old")
    #expect(try folder.names(in: "locked") == ["out"])
  }

  @Test func fileSizeLimitIsAnError() throws {
    let large = try #require(LargeTree.shared)
    try folder.makeFile("out", "old")
    // 8 KiB or 4, depending on the shell's unit.
    let script = "\(Geomapper.limit(fileBlocks: 8)) exec \"$T\" map '\(large.path)' -o out"
    let outcome = try Geomapper.shell(script, in: folder.path)
    #expect(outcome.status == 3)
    #expect(outcome.errorText.contains("can't write 'out': File too large"))
    #expect(try folder.text("out") == "old")
    #expect(try folder.names() == ["out", "src"])
  }

  @Test(.enabled(if: SmallDisk.isPossible, "needs the right to mount a file system"))
  func fullDiskIsAnError() throws {
    let large = try #require(LargeTree.shared)
    try folder.makeFolder("disk")
    let disk = try SmallDisk(at: folder("disk"))
    try folder.makeFile("disk/out", "old")
    for name in ["out", "new"] {
      let outcome = try Geomapper.run(["map", large.path, "-o", "disk/\(name)"], in: folder.path)
      #expect(outcome.status == 3)
      #expect(outcome.errorText.contains("can't write 'disk/\(name)': No space left on device"))
    }
    #expect(try folder.text("disk/out") == "old")
    #expect(try folder.names(in: "disk") == ["out"])
    withExtendedLifetime(disk) {}
  }

  @Test func closedPipeIsAQuietEnd() throws {
    let large = try #require(LargeTree.shared)
    let pipe = try TestPipe()
    let process = try Geomapper.start(
      ["map", large.path, "--progress", "always"], output: .descriptor(pipe.writer))
    pipe.closeWriter()
    #expect(!readSome(pipe.reader).isEmpty)
    pipe.closeReader()
    let outcome = process.finish()
    #expect(outcome.status == 0)
    #expect(outcome.error.isEmpty)
  }

  @Test func initiallyClosedPipeEndsQuietly() throws {
    let pipe = try TestPipe()
    pipe.closeReader()
    for arguments in [["map", folder("src")], ["--version"], ["help", "map"]] {
      let outcome = try Geomapper.start(arguments, output: .descriptor(pipe.writer)).finish()
      #expect(outcome.status == 0)
      #expect(outcome.error.isEmpty)
    }
    pipe.closeWriter()
  }

  /// If the reader closes the pipe, a report ends successfully, even if parts of the input were
  /// unusable.
  @Test func closedPipeEndsAnIncompleteReportWell() throws {
    try folder.makeFile("list", "nonsense\u{0}")
    let arguments = ["stats", "-q", "--files-from", "list", "--list-format", "find", "src"]
    #expect(try Geomapper.run(arguments, in: folder.path).status == 1)
    let pipe = try TestPipe()
    pipe.closeReader()
    let outcome = try Geomapper.start(
      arguments, in: folder.path, output: .descriptor(pipe.writer)
    ).finish()
    #expect(outcome.status == 0)
    #expect(outcome.error.isEmpty)
    pipe.closeWriter()
  }

  @Test func headEndsItQuietly() throws {
    let large = try #require(LargeTree.shared)
    let script = "{ \"$T\" map '\(large.path)'; echo $? > status; } | head -1"
    let outcome = try Geomapper.shell(script, in: folder.path)
    #expect(outcome.text.split(separator: "\n").count == 1)
    #expect(outcome.error.isEmpty)
    #expect(try folder.text("status") == "0\n")
  }
}

/// A file system with room for a few pages.
final class SmallDisk {
  static let isPossible: Bool = {
    guard let folder = try? TemporaryFolder() else { return false }
    return (try? SmallDisk(at: folder.path)) != nil
  }()

  private let path: String

  init(at path: String) throws {
    self.path = path
    let outcome = try Subprocess.run(
      "/usr/bin/env", ["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", path])
    if outcome.status != 0 { throw CocoaError(.fileWriteUnknown) }
  }

  deinit { _ = try? Subprocess.run("/usr/bin/env", ["umount", path]) }
}
