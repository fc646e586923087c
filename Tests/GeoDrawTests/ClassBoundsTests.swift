import TestSupport
import Testing

@testable import GeoDraw

/// Classes of numbers; `RuleTests` has the bounds that the page gives, too.
@Suite struct ClassBoundsTests {
  @Test func everyClassHasAValue() {
    var generator = SeededGenerator(seed: 7)
    for _ in 0..<300 {
      let scale = [1e-6, 0.01, 1, 1000, 1e9][generator.number(in: 0...4)]
      let values = (0..<generator.number(in: 0...40)).map { _ in
        Double(generator.number(in: -20...1000)) * scale
      }
      let bounds = ClassBounds.ofNumbers(values.map(abs), isRatio: false)
      #expect(bounds == bounds.sorted() && Set(bounds).count == bounds.count)
      let differs = Set(values.map(abs)).count
      #expect(differs < 7 || bounds.count >= 4 && bounds.count <= 6, "\(values) \(bounds)")
      let both = ClassBounds.ofNumbers(values, isRatio: false)
      if both.contains(0), both[0] < 0 { #expect(both == both.reversed().map { 0 - $0 }) }
    }
  }
}
