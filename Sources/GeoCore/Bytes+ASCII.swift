extension [UInt8] {
  /// The bytes with ASCII's capitals made small.
  package var lowercased: [UInt8] { map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 } }
}

extension Collection<UInt8> {
  /// Where a text begins in the bytes for the first time; nil if it is nowhere in them.
  ///
  /// - Complexity: O(bytes · text).
  package func firstIndex(of text: String) -> Index? {
    indices.first { self[$0...].starts(with: text.utf8) }
  }
}
