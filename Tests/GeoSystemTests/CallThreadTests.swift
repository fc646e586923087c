import Synchronization
import TestSupport
import Testing

@testable import GeoSystem

/// Calls that are made on another thread, and given up when they take too long.
@Suite struct CallThreadTests {
  private final class Flag: Sendable {
    let value = Atomic(false)
    var isSet: Bool { value.load(ordering: .relaxed) }
    func set() { value.store(true, ordering: .relaxed) }
  }

  @Test func callsAreMadeOneAfterTheOther() throws {
    let thread = try CallThread()
    var sum = 0
    for number in 0..<1000 {
      #expect(thread.run(patience: .max / 2) { sum += number })
    }
    #expect(sum == 499_500)
    thread.end()
  }

  @Test func aCallThatHangsIsLeftBehind() throws {
    let thread = try CallThread()
    let (isReleased, isUnwanted) = (Flag(), Flag())
    let isAnswered = thread.run(patience: 5_000_000) {
      while !isReleased.isSet { WorkerThread.pause(milliseconds: 1) }
      if !thread.answer() { isUnwanted.set() }
    }
    #expect(!isAnswered)
    isReleased.set()
    #expect(waitUntil { isUnwanted.isSet })
  }

  @Test func eachAnswerBeginsTheWaitAgain() throws {
    let thread = try CallThread()
    // Far longer than the patience in all.
    let isAnswered = thread.run(patience: 2_000_000_000) {
      for _ in 0..<30 {
        WorkerThread.pause(milliseconds: 100)
        #expect(thread.answer())
      }
    }
    #expect(isAnswered)
    thread.end()
  }
}
