import GeoSystem

/// Where the bytes of a recording are kept.
package protocol RecordingStore: AnyObject {
  /// Writes some bytes, or as many of them as there is room for.
  func write(_ bytes: [UInt8], at offset: Int64) -> (count: Int, failure: Errno?)

  /// Cuts it off.
  func truncate(to count: Int64) throws(Errno)

  /// Has what was written survive the system.
  func synchronize() throws(Errno)
}

extension KeptFile: RecordingStore {}
