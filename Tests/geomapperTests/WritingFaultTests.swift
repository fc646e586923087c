import Foundation
import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#endif

/// Calls that fail and signals that arrive while a map is written.
@Suite(.enabled(if: Interposition.isPossible, Interposition.need))
struct WritingFaultTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    for name in ["a", "b", "c"] { try folder.makeFile("src/\(name)/file", "text") }
    try folder.makeFile("out", "old")
  }

  private func expectOlderFile() throws {
    #expect(try folder.text("out") == "old")
    #expect(try folder.names() == ["out", "src"])
  }

  @Test(arguments: [ENOSPC, EIO, EDQUOT, EFBIG], ["write", "renameat"])
  func anOutputThatFailsLeavesTheOlderFile(reason: Int32, call: String) throws {
    for _ in 0..<2 {
      let outcome = try Interposition(call).failing(reason)
        .run(["map", "src", "-o", "out", "--progress", "never"], in: folder)
      #expect(outcome.status == 3)
      try expectOlderFile()
    }
  }

  @Test(arguments: [ENOSPC, EIO, EACCES, EROFS, EMFILE])
  func anOutputThatCannotBeMadeIsNamed(reason: Int32) throws {
    let outcome = try Interposition("openat", on: ".tmp").failing(reason)
      .run(["map", "src", "-o", "out"], in: folder)
    #expect(outcome.status == 3)
    #expect(outcome.errorText.contains("'out': \(String(cString: strerror(reason)))"))
    try expectOlderFile()
  }

  @Test func anOutputThatIsRemovedMeanwhileIsAnError() throws {
    let outcome = try Interposition("renameat").running("rm -f .out.geomapper-*")
      .run(["map", "src", "-o", "out"], in: folder)
    #expect(outcome.status == 3)
    #expect(outcome.errorText.contains("'out': No such file or directory"), "\(outcome.errorText)")
    try expectOlderFile()
  }

  @Test func aFolderOfTheOutputThatIsRemovedMeanwhileIsAnError() throws {
    try folder.makeFolder("to")
    let outcome = try Interposition("renameat").running("rm -rf to")
      .run(["map", "src", "-o", "to/new"], in: folder)
    #expect(outcome.status == 3)
    #expect(outcome.errorText.contains("'to/new'"))
    try expectOlderFile()
  }

  @Test(
    arguments: [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGXCPU],
    ["openat .tmp", "openat /src", "getdents64 /src/b", "statx /src/b/file", "write", "renameat"])
  func aSignalInAnyStageLeavesTheOlderFile(signal: Int32, stage: String) throws {
    let parts = stage.split(separator: " ").map(String.init)
    let fault = Interposition(parts[0], on: parts.count > 1 ? parts[1] : nil).sending(signal)
    let outcome = try fault.run(["map", "src", "-o", "out"], in: folder)
    #expect(outcome.signal == signal)
    try expectOlderFile()
  }

  @Test(.enabled(if: FileManager.default.fileExists(atPath: "/bin/bash"), "needs bash"))
  func stoppedAndContinuedItGoesOn() throws {
    let usual = try Geomapper.run(["map", "src"], in: folder.path).output
    for stage in ["openat", "getdents64", "write", "renameat"] {
      // This signal stops only a process group with a parent process in its session.
      let script = """
        set -m
        "$T" map src -o out & number=$!
        for try in {1..\(100 * Patience.seconds)}; do
          if grep -q '^State:.T' /proc/$number/status; then break; fi
          sleep 0.01
        done
        grep -q '^State:.T' /proc/$number/status && echo stopped
        kill -CONT $number
        status=148 # what a shell says of one that was stopped by this signal
        while [ $status = 148 ]; do wait $number; status=$?; done
        echo $status
        """
      let outcome = try Subprocess(
        "/bin/bash", ["-c", script].map { Array($0.utf8) },
        environment: ["T=\(Geomapper.path)"]
          + Interposition(stage, times: 1).sending(SIGTSTP).environment,
        in: folder.path
      ).finish()
      #expect(outcome.text == "stopped\n0\n", "\(stage): \(outcome.errorText)")
      #expect(try folder.read("out") == usual)
    }
  }
}
