/// Cuts bytes that come in chunks into lines.
struct LineSplitter {
  /// The line that was found last, or as much of the next one as there is; without its LF.
  private(set) var line: [UInt8] = []
  /// How many lines were found.
  private(set) var count = 0
  private var isComplete = false

  /// What no line of a map is longer than: a path of names, each twice, and a ring.
  static let longest = 1 << 26

  /// Whether bytes follow the last LF.
  var hasRest: Bool { !isComplete && !line.isEmpty }

  /// Whether the line is longer than any map's.
  var isTooLong: Bool { line.count > Self.longest }

  /// Takes bytes up to the end of a line.
  ///
  /// - Parameters:
  ///   - chunk: Bytes that follow those of the call before.
  ///   - position: Where to begin in them; moved behind those that were taken.
  /// - Returns: Whether a line is complete; if not, the chunk is used up.
  mutating func next(in chunk: Span<UInt8>, from position: inout Int) -> Bool {
    if isComplete {
      line.removeAll(keepingCapacity: true)
      isComplete = false
    }
    let start = position
    var end = start
    while end < chunk.count, chunk[end] != UInt8(ascii: "\n") { end += 1 }
    // Appended at once; the pointer does not outlive the call.
    unsafe chunk.extracting(start..<end).withUnsafeBufferPointer {
      unsafe line.append(contentsOf: $0)
    }
    if end == chunk.count || isTooLong {
      position = end
      return false
    }
    position = end + 1
    count += 1
    isComplete = true
    return true
  }
}
