/// Keeps the first of many elements in an order, in memory proportional to the number kept.
struct Foremost<Element> {
  private let maximum: Int
  private let precedes: (Element, Element) -> Bool
  private var kept: [Element] = []

  init(_ maximum: Int, by precedes: @escaping (Element, Element) -> Bool) {
    // The bound keeps `2 * maximum + 1024` from overflowing.
    (self.maximum, self.precedes) = (min(max(0, maximum), 1 << 40), precedes)
  }

  mutating func add(_ element: Element) {
    kept.append(element)
    // Cuts the list only now and then, so that adding takes amortized O(log maximum).
    if kept.count >= 2 * maximum + 1024 { cut() }
  }

  private mutating func cut() {
    kept.sort(by: precedes)
    kept.removeLast(max(0, kept.count - maximum))
  }

  consuming func finish() -> [Element] {
    cut()
    return kept
  }
}

extension Range<Int> {
  /// The first number for which a condition holds that holds for all after it, too; else the end.
  ///
  /// - Complexity: O(log n).
  @inline(__always)
  func boundary(where holds: (Int) -> Bool) -> Int {
    var (low, high) = (lowerBound, upperBound)
    while low < high {
      let middle = low + (high - low) / 2
      if holds(middle) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
