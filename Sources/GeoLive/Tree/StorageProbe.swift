import GeoSystem

/// Whether a scan waits for its storage, as on a network share.
struct StorageProbe {
  /// How long to watch the scan, in nanoseconds.
  private static let duration: Int64 = 50_000_000
  /// Fewer entries than this in a second are slow.
  private static let slow: Int64 = 20_000

  private let began = ThisProcess.nanoseconds
  private let waits = ThisProcess.waits
  private var isDecided = false

  /// Decides once, after a while; false before and after. Pauses are for more urgent work.
  mutating func isSlow(after entries: Int, pauses: Int) -> Bool {
    if isDecided { return false }
    let elapsed = ThisProcess.nanoseconds - began
    if elapsed < Self.duration { return false }
    isDecided = true
    return Self.isSlow(entries, elapsed: elapsed, waits: ThisProcess.waits - waits - Int64(pauses))
  }

  /// Whether so many entries are few for the time, in nanoseconds, and as many calls have waited. A
  /// scan that other programs keep from the processors waits for no calls.
  static func isSlow(_ entries: Int, elapsed: Int64, waits: Int64) -> Bool {
    Int64(entries) * 1_000_000_000 / elapsed < slow && waits >= Int64(entries) / 2
  }
}
