/// How far something is whose whole is known, and how long the rest will take if it goes on as before.
package enum TimeLeft {
  /// `43 %, 12 s left`.
  ///
  /// - Parameters:
  ///   - done: What part of it is done, 0 to 1; more counts as all but done.
  ///   - elapsed: Nanoseconds since it began. In the first second, and before 1 % is done, nothing is said of the
  ///     rest.
  package static func text(done: Double, elapsed: Int64) -> String {
    let done = min(max(done, 0), 0.99)
    let percent = "\(Int(done * 100)) %"
    if elapsed < 1_000_000_000 || done < 0.01 { return percent }
    let seconds = Double(elapsed) / 1e9 * (1 - done) / done
    return "\(percent), \(words(seconds: Int(min(seconds.rounded(.up), 1e9)))) left"
  }

  private static func words(seconds: Int) -> String {
    if seconds < 60 { return "\(seconds) s" }
    if seconds < 3600 { return "\(seconds / 60) min \(seconds % 60) s" }
    return "\(seconds / 3600) h \(seconds % 3600 / 60) min"
  }
}
