/// Text that is put into many features, kept so that it can be copied in whole blocks.
///
/// It is made once for a folder or a batch. The array is reused, so nothing is allocated once it
/// has grown to the longest text.
struct PaddedText: Sendable {
  /// Bytes that may be read after the text.
  static let padding = 32

  /// The text, and after it ``padding`` bytes at least, of any value.
  private(set) var bytes = [UInt8](repeating: 0, count: PaddedText.padding)
  /// Bytes of the text.
  private(set) var count = 0

  /// Replaces the text by what `body` puts.
  ///
  /// - Parameter room: An upper bound of the bytes that `body` puts.
  mutating func fill(reserving room: Int, _ body: (inout OutputCursor) -> Void) {
    precondition(room >= 0)
    let needed = room + OutputBuffer.slack
    if bytes.count < needed {
      bytes = Array(repeating: 0, count: max(needed, bytes.count * 2))
    }
    count = unsafe bytes.withUnsafeMutableBufferPointer { memory in
      guard let base = memory.baseAddress else { return 0 }
      var cursor = unsafe OutputCursor(next: base, end: base + room)
      body(&cursor)
      let written = unsafe cursor.next - base
      precondition(written >= 0 && written <= room)
      return written
    }
  }
}
