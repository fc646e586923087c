/// A clock, with its beginning: times are nanoseconds since then.
struct LoggerClock: Sendable {
  private let time: @Sendable () -> Duration
  private let sleepUntil: @Sendable (Duration) async throws -> Void

  init<Base: Clock>(_ clock: Base) where Base.Duration == Duration {
    let start = clock.now
    time = { start.duration(to: clock.now) }
    sleepUntil = { try await clock.sleep(until: start.advanced(by: $0), tolerance: .zero) }
  }

  var nanoseconds: Int64 {
    let parts = time().components
    let (whole, overflow) = parts.seconds.multipliedReportingOverflow(by: 1_000_000_000)
    return overflow ? .max : whole + parts.attoseconds / 1_000_000_000
  }

  func sleep(until time: Int64) async throws { try await sleepUntil(.nanoseconds(time)) }
}
