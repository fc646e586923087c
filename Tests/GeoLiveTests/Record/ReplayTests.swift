import GeoCore
import GeoSources
import TestSupport
import Testing

@testable import GeoLive

/// A clock that doesn't wait. Every sleep ends a little late, as on a busy machine.
private final class TestClock: ReplayClock {
  private(set) var now: Int64
  private(set) var sleeps = 0
  var lateness: () -> Int64 = { 0 }

  init(at start: Int64 = 1_000_000) { now = start }

  func sleep(until time: Int64) {
    sleeps += 1
    now = max(now, time) + lateness()
  }

  func advance(by time: Int64) { now += time }
}

@Suite struct ReplayTests {
  /// A recording of events at the given seconds.
  private func recording(_ seconds: [Double]) -> [UInt8] {
    let store = MemoryStore()
    _ = Example.recording(
      seconds.map { second in
        RecordedEvent(
          timestamp: Example.metadata.recordedAt + Int64(second * 1000), relativeTime: second,
          body: .pause)
      }, to: store)
    return store.bytes
  }

  private func play(
    _ bytes: [UInt8], _ clock: TestClock, speed: Double = 1, from: Double = 0, loops: Bool = false,
    _ body: (RecordedEvent) -> Bool
  ) -> Replayer.End {
    var player = Replayer(clock: clock)
    (player.speed, player.from, player.loops) = (speed, from, loops)
    return player.play { () throws(Failure) in
      try RecordingReader(JSONBytes(bytes))
    } waiting: { () throws(Never) in
    } _: { (event) throws(Never) in
      body(event)
    }
  }

  /// An hour at any speed, with a player that is always late and slow. Each event is only as late
  /// as the last sleep, so delays don't add up.
  @Test(arguments: [0.1, 0.5, 1, 3, 60, 1000])
  func doesNotDrift(speed: Double) {
    var generator = SeededGenerator(seed: 9)
    var seconds: [Double] = []
    var time = 0.0
    while time < 3600 {
      time += Double(generator.number(in: 0...4000)) / 1000
      seconds.append((time * 1000).rounded() / 1000)
    }
    let clock = TestClock()
    let start = clock.now
    clock.lateness = { Int64(generator.number(in: 0...1_000_000)) }
    var late: [Int64] = []
    _ = play(recording(seconds), clock, speed: speed) { event in
      late.append(clock.now - start - Int64(event.relativeTime / speed * 1e9))
      clock.advance(by: 20_000)
      return true
    }
    #expect(late.count == seconds.count)
    // The clock's lateness of a millisecond, and the time for events at the same moment.
    let room: Int64 = speed < 1000 ? 1_200_000 : 3_000_000
    #expect(late.allSatisfy { -1...room ~= $0 }, "\(late.min() ?? 0) \(late.max() ?? 0)")
    let first: Int64 = late.prefix(100).reduce(0, +) / 100
    let last: Int64 = late.suffix(100).reduce(0, +) / 100
    #expect(abs(first - last) < 1_000_000)
  }

  @Test func startsAtAGivenTime() {
    let clock = TestClock()
    let start = clock.now
    var times: [Int64] = []
    _ = play(recording([1, 5, 10, 12]), clock, from: 5) { _ in
      times.append((clock.now - start) / 1_000_000_000)
      return true
    }
    #expect(times == [0, 5, 7])
  }

  @Test func loopsWithoutDrift() {
    let clock = TestClock()
    let start = clock.now
    clock.lateness = { 900_000 }
    var times: [Int64] = []
    _ = play(recording([1, 2, 4]), clock, speed: 2, from: 2, loops: true) { _ in
      times.append(clock.now - start)
      return times.count < 602
    }
    // The first round begins at 2 and takes 1 second; the others take 2.
    #expect(times[0] == 0)
    for (index, time) in times.enumerated().dropFirst(2) {
      let (round, event) = ((index - 2) / 3, (index - 2) % 3)
      let halves: [Int64] = [1, 2, 4]
      let expected: Int64 = 500_000_000 * (2 + Int64(round) * 4 + halves[event])
      let late: Int64 = time - expected
      #expect(late >= 0 && late <= 1_000_000, "\(index)")
    }
  }

  @Test func brokenRecordingsPlayToTheirFault() {
    let bytes = recording([1, 2, 3])
    let clock = TestClock()
    var count = 0
    let end = play(Array(bytes.dropLast(20)), clock) { _ in
      count += 1
      return true
    }
    #expect(count == 2)
    guard case .broken(let failure) = end else {
      Issue.record("\(end)")
      return
    }
    #expect(failure.message.hasSuffix("; 2 events before that can be used"))
  }

  @Test func anEmptyRecordingDoesNotLoop() {
    let clock = TestClock()
    guard case .complete = play(recording([]), clock, loops: true, { _ in true }) else {
      Issue.record("it goes on")
      return
    }
    #expect(clock.sleeps == 0)
  }
}
