/// Splits a list at line feeds or zero bytes.
struct RecordReader {
  /// The maximum length of a record in bytes, longer than any possible path.
  static let longest = 16 << 20

  enum Outcome { case record, tooLong, end }

  private let input: ListInput
  private let separator: UInt8
  private let longest: Int
  private var offset: Int64 = 0
  private var start = 0

  private(set) var buffer: [UInt8] = []
  private(set) var record = 0..<0
  /// Only the last record may lack a separator.
  private(set) var isTerminated = false
  private(set) var count: UInt64 = 0

  init(_ input: ListInput, separator: UInt8, longest: Int = Self.longest) {
    self.input = input
    self.separator = separator
    self.longest = longest
  }

  mutating func advance() throws(ListError) -> Outcome {
    var searched = start
    var isTooLong = false
    while true {
      if let end = find(from: searched) {
        isTerminated = true
        return take(upTo: end, skipping: 1, isTooLong: isTooLong)
      }
      if buffer.count - start > longest {
        isTooLong = true
        start = buffer.count
      }
      // Drop the bytes already used.
      buffer.removeSubrange(..<start)
      start = 0
      searched = buffer.count
      if try !input.readBlock(at: offset, appendingTo: &buffer) {
        if buffer.isEmpty, !isTooLong { return .end }
        isTerminated = false
        return take(upTo: buffer.count, skipping: 0, isTooLong: isTooLong)
      }
      offset += Int64(buffer.count - searched)
    }
  }

  private mutating func take(upTo end: Int, skipping: Int, isTooLong: Bool) -> Outcome {
    record = start..<end
    start = end + skipping
    count += 1
    return isTooLong ? .tooLong : .record
  }

  /// Searches eight bytes at a time.
  private func find(from start: Int) -> Int? {
    let bytes = buffer.span
    let ones: UInt64 = 0x0101_0101_0101_0101
    let pattern = UInt64(separator) &* ones
    var index = start
    while index + 8 <= bytes.count {
      let word = bytes.loadWord(at: index) ^ pattern
      // The lowest byte that is 0 sets its highest bit (Hacker's Delight, 6-1).
      let zeros = (word &- ones) & ~word & 0x8080_8080_8080_8080
      if zeros != 0 { return index + zeros.trailingZeroBitCount / 8 }
      index += 8
    }
    while index < bytes.count {
      if bytes[index] == separator { return index }
      index += 1
    }
    return nil
  }
}
