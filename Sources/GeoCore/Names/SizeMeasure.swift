package enum SizeMeasure: String, Sendable {
  /// Room on disk.
  case allocated
  /// Apparent size.
  case bytes

  package func amount(bytes: Int64?, allocated: Int64?) -> Int64? {
    self == .bytes ? bytes : allocated
  }

  package var words: String { self == .allocated ? "on disk" : "apparent size" }

  /// Its name in the JSON of comparisons.
  package var name: String { self == .allocated ? "allocated" : "apparent" }
}
