import Foundation
import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#endif

/// Data that exceeds the memory limit goes into scratch files. Tests the results and messages when
/// there is no room for them, and when a signal ends the program.
@Suite struct ScratchTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.makeFile("out", "old")
    try folder.makeFile("src/file", "text")
    try folder.makeFolder("tmp")
    try folder.makeFile("no folder")
    for (name, list) in zip(["old", "new"], Self.lists) { try folder.makeFile(name, list) }
  }

  /// Two lists in the form of `find -printf '%s %T@ %y %p\0'`; even compressed, they exceed a small disk.
  private static let lists: [String] = {
    var random = SeededGenerator(seed: 16)
    return (0..<2).map { _ in
      let lines = (0..<2500).map { _ in
        "\(random.number(in: 1...9999)) 1700000000.5 f /r/\(random.next())\(random.next())\0"
      }
      return "0 1700000000.5 d /r\0" + lines.joined()
    }
  }()

  /// Runs the tool with another folder for scratch files.
  private func run(
    _ arguments: [String], scratch: String, launcher: [String] = [], _ faults: [String] = []
  ) throws -> Subprocess.Outcome {
    try Geomapper.start(
      arguments, in: folder.path, launcher: launcher,
      environment: ["TMPDIR=\(folder(scratch))"] + faults
    ).finish()
  }

  private let lists = ["diff", "--format", "csv", "-o", "out", "old", "new"]

  /// Expects no output, and a message that says what to do.
  private func expectNothing(_ outcome: Subprocess.Outcome, _ reason: String) throws {
    let text = outcome.errorText
    #expect(outcome.status == 3, "\(text)")
    #expect(text.contains(reason) && text.contains("TMPDIR"), "\(text)")
    #expect(!text.contains("install") && !text.contains("--help"), "\(text)")
    #expect(outcome.output.isEmpty)
    #expect(try folder.text("out") == "old")
  }

  @Test(arguments: [
    ["diff", "old", "new"], ["diff", "--format", "csv", "-o", "out", "old", "new"],
    ["map", "--format", "pmtiles", "--max-zoom", "1", "-o", "out", "src"],
    ["publish", "-q", "-o", "site", "src"], ["history", "--git", "repo", "-o", "out"],
    ["map", "--git", "repo", "-o", "out"],
    ["diff", "--git", "repo", "HEAD~1", "HEAD"], ["diff", "git:HEAD", "src"],
    ["draw", "--format", "png", "-o", "out.png", "src"],
  ])
  func missingScratchFolderIsReported(arguments: [String]) throws {
    let made = try Geomapper.shell(
      """
      export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1
      git init -q . && git init -q repo && cd repo && git config user.name a && git config user.email a@b
      echo 1 > f && git add f && git commit -q -m 1 && echo 2 > g && git add g && git commit -q -m 2
      """, in: folder.path)
    try #require(made.status == 0, "\(made.errorText)")
    let names = try folder.names()
    for (scratch, reason) in [
      ("nowhere", "No such file or directory"), ("no folder", "Not a directory"),
    ] {
      try expectNothing(try run(arguments, scratch: scratch), reason)
      #expect(try folder.names() == names)
    }
  }

  @Test(.enabled(if: Geomapper.unprivileged != nil, "needs setpriv to give up privileges"))
  func unwritableScratchFolderIsReported() throws {
    try folder.setMode("tmp", 0o555)
    let outcome = try run(lists, scratch: "tmp", launcher: Geomapper.unprivileged ?? [])
    try expectNothing(outcome, "Permission denied")
  }

  @Test(.enabled(if: SmallDisk.isPossible, "needs the right to mount a file system"))
  func fullScratchDiskIsReported() throws {
    let disk = try SmallDisk(at: folder("tmp"))
    try expectNothing(try run(lists, scratch: "tmp"), "No space left on device")
    #expect(try folder.names(in: "tmp") == [])
    // All room is free again.
    try folder.makeFile("tmp/full", String(repeating: "x", count: 60 << 10))
    withExtendedLifetime(disk) {}
  }

  /// Limits of scratch files from small to sufficient: the output is complete, or missing.
  @Test func fileSizeLimitIsReported() throws {
    let usual = try run(Array(lists.prefix(3)) + ["old", "new"], scratch: "tmp").output
    for step in 0... {
      let outcome = try Geomapper.shell(
        "\(Geomapper.limit(fileBlocks: 8 << (2 * step))) TMPDIR=tmp exec \"$T\" \(lists.joined(separator: " "))",
        in: folder.path)
      #expect(try folder.names(in: "tmp") == [])
      if outcome.status == 0 {
        #expect(try folder.read("out") == usual)
        #expect(step > 1, "so little room can't be enough")
        return
      }
      let text = outcome.errorText
      #expect(outcome.status == 3 && text.contains("File too large"), "\(text)")
      #expect(text.contains("TMPDIR") || text.contains("can't write"), "\(text)")
      #expect(try folder.text("out") == "old")
    }
  }

  /// A signal that comes after one write to a scratch file, or more.
  @Test(
    .enabled(if: Interposition.isPossible, Interposition.need),
    arguments: [SIGINT, SIGTERM, SIGHUP, SIGKILL], [0, 1, 2])
  func signalLeavesNoScratchFiles(signal: Int32, writes: Int) throws {
    let fault = Interposition("write", on: " (deleted)", after: writes).sending(signal)
    let outcome = try run(lists, scratch: "tmp", fault.environment)
    #expect(outcome.signal == signal, "\(outcome.errorText)")
    #expect(outcome.error.isEmpty)
    #expect(try folder.text("out") == "old")
    // Scratch files never have a name, so not even an uncatchable signal leaves one.
    #expect(try folder.names(in: "tmp") == [])
    #expect(try folder.names().filter { $0.hasSuffix(".tmp") } == [])
  }

  /// A scratch file can't be read again, or not completely.
  @Test(.enabled(if: Interposition.isPossible, Interposition.need), arguments: [EIO, ESTALE])
  func failedReadsAreReported(reason: Int32) throws {
    let usual = try run(Array(lists.prefix(3)) + ["old", "new"], scratch: "tmp").output
    #expect(usual.count > 100_000)
    var number = 0
    while true {
      let fault = Interposition("pread", on: " (deleted)", after: number, times: 1).failing(reason)
      let outcome = try run(lists, scratch: "tmp", fault.environment)
      if outcome.status == 0 {
        #expect(try folder.read("out") == usual)
        break
      }
      try expectNothing(outcome, String(cString: strerror(reason)))
      number += 1
    }
    #expect(number > 2, "so few calls can't be all")
  }
}
