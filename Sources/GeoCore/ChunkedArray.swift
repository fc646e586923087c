/// An array in chunks: growing moves no element, and copies share the chunks that neither changes.
@frozen @usableFromInline package struct ChunkedArray<Element> {
  @usableFromInline var chunks: [[Element]] = []
  /// The binary logarithm of the number of elements in a chunk.
  @usableFromInline let bits: Int
  @usableFromInline var total = 0

  @inlinable package init(bits: Int = 12) { self.bits = bits }

  @inlinable package var count: Int { total }
  @inlinable package var indices: Range<Int> { 0..<total }
  @inlinable package var isEmpty: Bool { total == 0 }

  /// Changing an element of a shared chunk copies the chunk.
  @inlinable package subscript(index: Int) -> Element {
    get { chunks[index >> bits][index & (1 << bits - 1)] }
    _modify { yield &chunks[index >> bits][index & (1 << bits - 1)] }
  }

  @inlinable package mutating func append(_ element: Element) {
    if total & (1 << bits - 1) == 0 {
      chunks.append([])
      chunks[chunks.count - 1].reserveCapacity(1 << bits)
    }
    chunks[chunks.count - 1].append(element)
    total += 1
  }
}

extension ChunkedArray: Sendable where Element: Sendable {}
