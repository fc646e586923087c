import GeoCore

/// Splits a list at its line ends, or at whatever stands after each entry.
struct RecordReader {
  /// The longest record, in bytes; it is longer than any path that can be made.
  static let longest = 16 << 20

  /// How a record came out.
  enum Outcome { case record, tooLong, end }

  private let input: ListInput
  private let separator: UInt8
  private let longest: Int
  private var offset: Int64 = 0
  /// Where the next record begins in the buffer.
  private var start = 0

  /// What holds the record.
  private(set) var buffer: [UInt8] = []
  /// Where in the buffer the record is, without what separates it from the next.
  private(set) var record = 0..<0
  /// Whether a separator stands after it; only the last one may lack it.
  private(set) var isTerminated = false
  /// How many records there were.
  private(set) var count: UInt64 = 0

  init(_ input: ListInput, separator: UInt8, longest: Int = Self.longest) {
    self.input = input
    self.separator = separator
    self.longest = longest
  }

  /// Goes to the next record.
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
      // What is used up makes room for more.
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

  /// Where the next separator is, eight bytes at a time.
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
