/// Formats the progress of a task and an estimate of the time left.
package enum TimeLeft {
  /// The progress as text, such as `43 %, 12 s left`.
  ///
  /// - Parameters:
  ///   - done: The part that is done, 0 to 1; shown as at most 99 %.
  ///   - elapsed: Nanoseconds since the beginning. The estimate is left out in the first second,
  ///     and before 1 % is done.
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
