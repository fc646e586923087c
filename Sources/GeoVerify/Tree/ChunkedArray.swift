/// An array that grows by chunks: no element is ever copied to make room for others, so no moment
/// needs more memory than what is in it.
struct ChunkedArray<Element> {
  private static var chunk: Int { 1 << 12 }
  private var chunks: [[Element]] = []
  private(set) var count = 0

  var indices: Range<Int> { 0..<count }

  /// - Complexity: O(1).
  subscript(index: Int) -> Element {
    get { chunks[index / Self.chunk][index % Self.chunk] }
    _modify { yield &chunks[index / Self.chunk][index % Self.chunk] }
  }

  /// - Complexity: O(1) on average.
  mutating func append(_ element: Element) {
    if count % Self.chunk == 0 {
      chunks.append([])
      chunks[chunks.count - 1].reserveCapacity(Self.chunk)
    }
    chunks[chunks.count - 1].append(element)
    count += 1
  }
}

extension ChunkedArray: Sendable where Element: Sendable {}
