/// What a recording says of itself.
package struct RecordingMetadata: Hashable, Sendable {
  /// The version of the format that is written, and read.
  package static let version = "1.0"

  /// When it began: Unix time in milliseconds.
  package var recordedAt: Int64
  /// The machine.
  package var device: [UInt8]
  /// The system with its version, such as `Linux 6.1`.
  package var systemVersion: [UInt8]
  /// Seconds up to the last flush; nil if it doesn't say.
  package var duration: Double?
  /// Events up to the last flush; nil if it doesn't say. Readers count for themselves.
  package var eventCount: Int64?
  package var name: [UInt8]?
  package var tags: [[UInt8]] = []
  /// The labels of what was watched; none of a recording of something else than folders.
  package var roots: [[UInt8]] = []
  /// The version of the projection that places were found by.
  package var projection: Int64?
  package var layout: [UInt8]?

  /// The metadata of a recording that begins.
  package init(recordedAt: Int64, device: [UInt8], systemVersion: [UInt8]) {
    self.recordedAt = recordedAt
    self.device = device
    self.systemVersion = systemVersion
  }
}
