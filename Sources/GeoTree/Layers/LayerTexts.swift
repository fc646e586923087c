import GeoCore

/// The values of a row as texts, one for each layer of its source; empty without a value.
///
/// It is used again for the next row, so that rows take no memory of their own.
package struct LayerTexts {
  private(set) var bytes: [UInt8] = []
  private var ends: [Int] = []

  package init() {}

  package init(_ texts: some Sequence<some Sequence<UInt8>>) {
    for text in texts {
      bytes += text
      ends.append(bytes.count)
    }
  }

  var count: Int { ends.count }

  subscript(index: Int) -> Range<Int> { (index == 0 ? 0 : ends[index - 1])..<ends[index] }

  package mutating func removeAll() {
    bytes.removeAll(keepingCapacity: true)
    ends.removeAll(keepingCapacity: true)
  }

  package mutating func append(_ text: Span<UInt8>) {
    bytes.append(copying: text)
    ends.append(bytes.count)
  }

  /// Adds a ratio of two numbers; no value if one is missing.
  package mutating func append(_ numerator: Span<UInt8>, of denominator: Span<UInt8>) {
    if !numerator.isEmpty, !denominator.isEmpty {
      bytes.append(copying: numerator)
      bytes.append(.slash)
      bytes.append(copying: denominator)
    }
    ends.append(bytes.count)
  }
}
