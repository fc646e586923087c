import GeoCore

/// Bounds of the classes by which colours show numbers: round, and so that what is in view is shared
/// out among them.
///
/// The page follows the same rules (`classes.js`).
package enum ClassBounds {
  /// A possible bound: the number of values below it, and its cost in parts of a class.
  private struct Cut {
    let at: Int
    let bound, cost: Double
  }

  /// What a bound other than the roundest costs, in parts of a class.
  static let costs = (finer: 0.25, odd: 0.5)

  /// Bounds of classes for some sorted values, the least first: so that each of at most so many
  /// classes has about as many values, and none is empty. There are fewer for fewer values that
  /// differ.
  static func sharedOut(
    _ sorted: [Double], maximum: Int, isApart: (Double, Double) -> Bool,
    round: (Double, Double) -> (bound: Double, cost: Double)
  ) -> [Double] {
    let cuts = sorted.indices.dropFirst().compactMap { at -> Cut? in
      if !isApart(sorted[at - 1], sorted[at]) { return nil }
      let (bound, cost) = round(sorted[at - 1], sorted[at])
      return Cut(at: at, bound: bound, cost: cost)
    }
    let count = min(maximum, cuts.count + 1)
    let part = Double(sorted.count) / Double(count)
    var bounds: [Double] = []
    var first = 0
    for number in 1..<max(1, count) {
      var (best, minimum) = (first, Double.infinity)
      // Later classes need a cut each, too.
      for index in first...(cuts.count - (count - number)) {
        let price = abs(Double(cuts[index].at) - Double(number) * part) / part + cuts[index].cost
        if price < minimum { (best, minimum) = (index, price) }
      }
      bounds.append(cuts[best].bound)
      first = best + 1
    }
    return bounds
  }

  private static let fifths = [0.2, 0.4, 0.6, 0.8]
  /// How many classes numbers have, and each of two arms about 0.
  private static let (classes, arm) = (6, 3)
  /// Numbers that differ by no more than this factor have equal steps.
  private static let narrow = 3.0
  /// Numbers of few digits, which steps begin with, in the order of preference.
  private static let leads = [1, 2, 5, 10, 2.5, 4, 3, 1.5, 7.5]

  /// The class of a number: how many bounds are at most as large.
  static func classOf(_ value: Double, in bounds: [Double]) -> Int {
    bounds.firstIndex { value < $0 } ?? bounds.count
  }

  /// Round bounds of the classes of some numbers: five to seven that have about as many each; equal
  /// steps if all are within a factor of 3, and fifths for a ratio that isn't within one of these;
  /// with both signs, the same on both sides of 0.
  package static func ofNumbers(_ values: [Double], isRatio: Bool) -> [Double] {
    let sorted = values.filter(\.isFinite).sorted()
    guard let minimum = sorted.first, let maximum = sorted.last, minimum < maximum else {
      return []
    }
    if isRatio, minimum >= 0, maximum <= 1,
      classOf(minimum, in: fifths) != classOf(maximum, in: fifths)
    {
      return fifths
    }
    if minimum < 0, maximum > 0 {
      let sizes = sorted.map(abs).filter { $0 > 0 }.sorted()
      let arm = sharedOut(sizes, maximum: arm, isApart: <, round: rounded)
      return arm.reversed().map { -$0 } + [0] + arm
    }
    let (near, far) = (min(abs(minimum), abs(maximum)), max(abs(minimum), abs(maximum)))
    if far <= narrow * near {
      return even(from: minimum, to: maximum, isWhole: sorted.allSatisfy { $0 == $0.rounded() })
    }
    let hasFew = Set(sorted).count <= classes + 1
    return sharedOut(sorted, maximum: hasFew ? classes + 1 : classes, isApart: <, round: rounded)
  }

  /// The roundest number that is over one and at most another, and its cost.
  private static func rounded(_ low: Double, _ high: Double) -> (bound: Double, cost: Double) {
    let top = Logarithm.ofTen(max(abs(low), abs(high))).rounded(.down)
    for digits in 0..<12 {
      for lead in [5.0, 2, 1] {
        let unit = lead * Logarithm.power(10, top + 1 - Double(digits))
        let found = decimal((high / unit + 1e-9).rounded(.down) * unit)
        if found > low, found <= high {
          return (found, digits < 2 ? 0 : digits < 3 ? costs.finer : costs.odd)
        }
      }
    }
    return (high, costs.odd)
  }

  /// Bounds in equal round steps: five to seven classes, of whole numbers perhaps fewer.
  private static func even(from minimum: Double, to maximum: Double, isWhole: Bool) -> [Double] {
    let ten = Logarithm.power(
      10, Logarithm.ofTen((maximum - minimum) / Double(classes)).rounded(.down))
    for lead in leads {
      let step = lead * ten
      let first = (minimum / step + 1e-9).rounded(.down) + 1
      let count = Int((maximum / step + 1e-9).rounded(.down) - first) + 1
      let whole = decimal(step)
      if count < classes - 2 || count > classes || isWhole && whole != whole.rounded() { continue }
      return (0..<count).map { decimal((first + Double($0)) * step) }
    }
    // Of a few whole numbers no such step is whole.
    let step = maximum - minimum > Double(classes) ? 2.0 : 1
    return (0..<Int((maximum - minimum) / step)).map { minimum + Double($0 + 1) * step }
  }

  /// The number without what is beyond the digits of a sum of decimals.
  private static func decimal(_ number: Double) -> Double {
    if number == 0 { return 0 }
    let digits = 11 - Logarithm.ofTen(abs(number)).rounded(.down)
    let unit = Logarithm.power(10, abs(digits))
    return digits >= 0 ? (number * unit).rounded() / unit : (number / unit).rounded() * unit
  }
}
