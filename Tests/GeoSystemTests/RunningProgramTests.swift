import Foundation
import GeoSystem
import TestSupport
import Testing

/// Starting programs, asking them, and reading their answers.
@Suite struct RunningProgramTests {
  private func read(_ program: RunningProgram, atLeast count: Int) throws -> [UInt8] {
    var bytes: [UInt8] = []
    while bytes.count < count, try program.read(upTo: 4096, appendingTo: &bytes) > 0 {}
    return bytes
  }

  @Test func answersOneQuestionAtATime() throws {
    let program = try RunningProgram("cat", [], input: .questions, messages: ScratchFile())
    for size in [1, 4096, 7] {
      let question = [UInt8](repeating: UInt8(size & 0xFF), count: size)
      try program.ask(question.span)
      #expect(try read(program, atLeast: size) == question)
    }
    // It ends when its input ends.
    #expect(program.finish() == 0)
    #expect(throws: Errno.self) { try program.ask([1].span) }
  }

  @Test func askingWhatHasEndedIsAnError() throws {
    let program = try RunningProgram("true", [], input: .questions, messages: ScratchFile())
    #expect(try read(program, atLeast: 1) == [])
    // Its input and output are closed one after the other.
    #expect(throws: Errno.self) {
      _ = try waitUntil {
        try program.ask([1, 2].span)
        return false
      }
    }
    #expect(program.finish() == 0)
  }

  @Test func itReadsAFileOrNothing() throws {
    let file = try ScratchFile()
    try file.append([65, 66].span)
    for _ in 0..<2 {
      #expect(
        try read(RunningProgram("cat", [], input: .file(file), messages: ScratchFile()), atLeast: 9)
          == [65, 66])
    }
    #expect(try read(RunningProgram("cat", [], messages: ScratchFile()), atLeast: 9) == [])
  }

  /// A program that keeps running doesn't hold the output of another one, started at the same
  /// moment.
  @Test func programsDontWaitForEachOther() throws {
    for round in 0..<TestScale.cases(300) {
      let ended = DispatchSemaphore(value: 0)
      Thread.detachNewThread {
        if let program = try? RunningProgram("true", [], messages: ScratchFile()),
          (try? read(program, atLeast: 1)) == []
        {
          ended.signal()
        }
      }
      let running = try RunningProgram("cat", [], input: .questions, messages: ScratchFile())
      let result = ended.wait(timeout: .now() + .seconds(Patience.seconds))
      try #require(running.finish() == 0)
      try #require(result == .success, "round \(round)")
    }
  }
}
