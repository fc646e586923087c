import GeoFormats

/// Takes what a writer makes.
package protocol TrackOutput: AnyObject {
  /// Writes all of some bytes.
  ///
  /// - Throws: ``TrackError/stopped`` if no more can be written.
  func write(_ bytes: Span<UInt8>) throws(TrackError)
}

/// What is on its way to an output, put together to pieces of 64 KiB.
struct TrackBuffer: ~Copyable {
  var buffer = OutputBuffer(capacity: 1 << 16)
  private let output: any TrackOutput

  init(_ output: any TrackOutput) { self.output = output }

  /// Writes what there is if it is much.
  mutating func flushIfFull() throws(TrackError) {
    if buffer.count >= 60 << 10 { try flush() }
  }

  /// Writes what there is.
  mutating func flush() throws(TrackError) {
    try buffer.withBytes { (bytes) throws(TrackError) in try output.write(bytes) }
    buffer.removeAll()
  }
}

extension OutputBuffer {
  /// Adds a member of a JSON object that follows another, with a text.
  mutating func append(member name: StaticString, _ text: [UInt8]) {
    append(",\"")
    append(name)
    append("\":\"")
    append(json: text.span)
    append("\"")
  }
}
