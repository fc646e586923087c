import GeoSystem

/// Bytes that are written first and read later, in a scratch file if they are many.
struct Spool: ~Copyable {
  /// Bytes that are kept in memory.
  private static let most = 256 << 10

  private var buffer = OutputBuffer(capacity: 4096)
  private var scratch: ScratchFile?
  private var position: Int64 = 0

  /// Adds what `body` writes.
  @inline(__always)
  mutating func add(_ body: (inout OutputBuffer) -> Void) throws(Errno) {
    body(&buffer)
    if buffer.count >= Self.most { try flush() }
  }

  private mutating func flush() throws(Errno) {
    if scratch == nil { scratch = try ScratchFile() }
    guard let scratch else { return }
    try buffer.withBytes { (bytes) throws(Errno) in try scratch.append(bytes) }
    buffer.removeAll()
  }

  /// Adds what was not read yet to other bytes, at most `count` bytes.
  ///
  /// - Returns: How many there were; 0 at the end.
  mutating func read(upTo count: Int, appendingTo bytes: inout [UInt8]) throws(Errno) -> Int {
    guard let scratch else {
      let start = Int(position)
      let end = min(buffer.count, start + count)
      buffer.withBytes { written in
        unsafe written.extracting(start..<end).withUnsafeBufferPointer {
          unsafe bytes.append(contentsOf: $0)
        }
      }
      position = Int64(end)
      return end - start
    }
    if buffer.count > 0 { try flush() }
    let found = try scratch.read(upTo: count, at: position, appendingTo: &bytes)
    position += Int64(found)
    return found
  }
}
