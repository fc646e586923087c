extension [UInt8] {
  /// Changes, removes, doubles and moves some bytes.
  ///
  /// - Parameters:
  ///   - times: Minimum and maximum number of changes.
  ///   - inserting: Bytes that have a meaning in the format under test.
  public mutating func mutate(
    _ times: ClosedRange<Int>, inserting: [UInt8], using generator: inout SeededGenerator
  ) {
    for _ in 0..<generator.number(in: times) where !isEmpty {
      let index = generator.number(in: 0...(count - 1))
      let end = Swift.min(count, index + generator.number(in: 1...20))
      switch generator.number(in: 0...5) {
      case 0: self[index] = UInt8.random(in: 0...255, using: &generator)
      case 1: self[index] = inserting.randomElement(using: &generator) ?? 0
      case 2: removeSubrange(index..<end)
      case 3: insert(contentsOf: Array(self[index..<end]), at: index)
      case 4: insert(inserting.randomElement(using: &generator) ?? 0, at: index)
      default: removeSubrange(end...)
      }
    }
  }
}
