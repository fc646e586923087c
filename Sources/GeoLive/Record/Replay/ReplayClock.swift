import GeoSystem

/// Tells the time and sleeps. Tests hand in one that doesn't wait.
package protocol ReplayClock: AnyObject {
  /// Nanoseconds since some moment.
  var now: Int64 { get }

  /// Sleeps until the clock has come to a time.
  func sleep(until time: Int64)
}

/// A clock that never waits: when somebody sleeps, it is as late at once.
package final class SkippingClock: ReplayClock {
  package private(set) var now: Int64 = 0

  package init() {}

  package func sleep(until time: Int64) { now = max(now, time) }
}

/// The machine's own clock, which never runs backwards.
package final class SteadyClock: ReplayClock {
  package init() {}

  package var now: Int64 { ThisProcess.nanoseconds }

  package func sleep(until time: Int64) { ThisMachine.sleep(until: time) }
}
