import Testing

@testable import GeoTrack

/// Parsing lines of logs.
@Suite struct TimedPathTests {
  private func path(_ time: Int64, _ text: String) -> TimedPath.Line {
    .path(TimedPath(time: time, path: Array(text.utf8)))
  }

  @Test func parsesTimeAndPath() {
    #expect(
      TimedPath.parse(Array("1716600000.25 /a b".utf8)[...]) == path(1_716_600_000_250, "/a b"))
    #expect(TimedPath.parse(Array("1716600000\tx".utf8)[...]) == path(1_716_600_000_000, "x"))
    #expect(
      TimedPath.parse(Array("2024-05-25T01:20:00.5Z  /a".utf8)[...])
        == path(1_716_600_000_500, " /a"))
    #expect(TimedPath.parse(Array("  ".utf8)[...]) == .nothing)
    for text in ["x", "/a /b", "1716600000", "99999999999999999999 a", "1.2.3 a", "1.x a"] {
      #expect(TimedPath.parse(Array(text.utf8)[...]) == .malformed, "\(text)")
    }
  }

  @Test(arguments: ["", "1234 ", "[pid 12] ", "[pid   99] "]) func parsesStrace(process: String) {
    func line(_ text: String) -> TimedPath.Line {
      TimedPath.parse(strace: Array("\(process)1716600000.123456 \(text)".utf8)[...])
    }
    let time: Int64 = 1_716_600_000_123
    #expect(
      line("openat(AT_FDCWD, \"/a\\303\\244\\n\\\"\", O_RDONLY) = 3") == path(time, "/aä\n\""))
    #expect(line("stat(\"/x\", 0x7ffd) = -1 ENOENT (No such file or directory)") == .nothing)
    #expect(line("execve(\"/bin/ls\", [\"ls\"], 0x7) = 0") == path(time, "/bin/ls"))
    #expect(line("open(\"/cut\"..., O_RDONLY) = 3") == .nothing)
    #expect(line("+++ exited with 0 +++") == .nothing)
    #expect(line("open(\"/never closed") == .nothing)
  }
}
