import GeoSystem

@testable import GeoLive

/// A recording in memory, with limited room.
final class MemoryStore: RecordingStore {
  private(set) var bytes: [UInt8] = []
  /// The maximum size in bytes.
  var room = Int.max
  /// The error of every call from now on.
  var failure: Errno?
  /// The bytes after each call.
  private(set) var states: [[UInt8]] = []

  func write(_ new: [UInt8], at offset: Int64) -> (count: Int, failure: Errno?) {
    defer { states.append(bytes) }
    if let failure { return (0, failure) }
    let count = max(0, min(new.count, room - Int(offset)))
    let end = Int(offset) + count
    if bytes.count < end { bytes += [UInt8](repeating: 0, count: end - bytes.count) }
    bytes.replaceSubrange(Int(offset)..<end, with: new[..<count])
    return (count, count < new.count ? .noSpace : nil)
  }

  func truncate(to count: Int64) throws(Errno) {
    if let failure { throw failure }
    bytes.removeSubrange(min(bytes.count, Int(count))...)
    states.append(bytes)
  }

  func synchronize() throws(Errno) {}
}
