import Foundation
import GeoSystem
import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#endif

/// Programs with a time limit.
@Suite struct BoundedProgramTests {
  private func shell(_ script: String, for milliseconds: Int64 = Int64(Patience.milliseconds))
    -> BoundedProgram
  {
    BoundedProgram(["/bin/sh", "-c", script].map { Array($0.utf8) }, for: milliseconds)
  }

  @Test func reportsHowAProgramEnds() throws {
    #expect(try shell("exit 3").run() == .ended(3))
    #expect(try shell("kill -9 $$").run() == .killed(9))
    #expect(try shell("sleep 1000", for: 50).run() == .late)
    #expect(try shell("trap '' TERM; while :; do sleep 0.1; done", for: 50).run() == .late)
    #expect(throws: Errno.noEntry) { try BoundedProgram([Array("/nowhere/x".utf8)], for: 1).run() }
  }

  @Test func unwantedProgramsEndWithTheirChildren() throws {
    let folder = try TemporaryFolder()
    var program = shell(
      "exec 9> '\(folder("lock"))'; flock 9; sleep 1000 & : > '\(folder("begun"))'; wait")
    program.endsWithThis = true
    let end = try program.run { (try? folder.names().contains("begun")) != true }
    #expect(end == .late)
    #expect(waitUntil { !folder.isLocked("lock") })
  }

  @Test func outputIsKept() throws {
    let messages = try ScratchFile()
    var program = shell("echo $A$B; echo two >&2")
    program.messages = messages
    program.variables = [Array("A=one".utf8)]
    program.removed = [Array("B*".utf8)]
    #expect(try program.run() == .ended(0))
    #expect(messages.beginning(7) == Array("one\ntwo".utf8))
  }
}
