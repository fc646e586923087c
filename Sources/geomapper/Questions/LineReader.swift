import GeoSystem

/// Reads whole lines, as many at once as have come in together.
struct LineReader {
  private let file: InputFile
  private let limit: Int
  private var rest: [UInt8] = []
  private var isAtEnd = false

  /// - Parameter limit: Bytes that a line may have; of one that has more, no more than that is sure to be
  ///   read, and one byte beyond.
  init(_ file: InputFile, limit: Int) {
    self.file = file
    self.limit = limit
  }

  /// The next lines, without the end of the last one, which may lack it at the end of the input;
  /// then nil.
  ///
  /// A line that is longer than the limit is still so when it is cut off after it.
  mutating func next() throws(Errno) -> [UInt8]? {
    while !isAtEnd {
      var block: [UInt8] = []
      if try file.read(upTo: 1 << 16, appendingTo: &block) == 0 {
        isAtEnd = true
        break
      }
      guard let end = block.lastIndex(of: UInt8(ascii: "\n")) else {
        if rest.count <= limit { rest += block }
        continue
      }
      let lines = rest + block[..<end]
      rest = Array(block[(end + 1)...])
      return lines
    }
    if rest.isEmpty { return nil }
    defer { rest = [] }
    return rest
  }
}
