import GeoCore

/// Classes of ages in days, by the ages in view.
///
/// The page follows the same rules (`rules.js`). Test cases that both run keep them equal.
package enum AgeClasses {
  private typealias Step = (days: Double, words: String)

  private static let hour = 1.0 / 24
  private static let steps: [Step] = [
    (hour, "an hour"), (1, "a day"), (7, "a week"), (30, "a month"), (90, "three months"),
    (365, "a year"), (730, "two years"), (1825, "five years"), (3650, "ten years"),
  ]
  private static let finer: [Step] = [
    (hour / 6, "ten minutes"), (hour / 2, "half an hour"), (3 * hour, "three hours"),
    (6 * hour, "six hours"), (0.5, "twelve hours"), (2, "two days"), (3, "three days"),
    (5, "five days"), (10, "ten days"), (14, "two weeks"), (21, "three weeks"), (45, "six weeks"),
    (60, "two months"), (120, "four months"), (180, "six months"), (270, "nine months"),
    (455, "15 months"), (545, "18 months"), (640, "21 months"), (1095, "three years"),
    (1460, "four years"), (2190, "six years"), (2920, "eight years"), (5475, "15 years"),
    (7300, "20 years"),
  ]
  private static let maximum = 5
  /// Ages are in one class if they differ by less than this factor.
  private static let apart = 1.01

  /// Bounds of classes, the youngest first: so that each of five classes has about as many ages.
  /// There are fewer classes for fewer than five ages that differ.
  package static func bounds(_ ages: [Double]) -> [Double] {
    ClassBounds.sharedOut(
      ages.map { max(0, $0) }.sorted(), maximum: maximum, isApart: { $1 > apart * $0 },
      round: rounded)
  }

  private static func rounded(_ low: Double, _ high: Double) -> (bound: Double, cost: Double) {
    let costs = ClassBounds.costs
    for (steps, cost) in [(steps, 0), (finer, costs.finer)] {
      if let found = steps.first(where: { $0.days > low && $0.days <= high }) {
        return (found.days, cost)
      }
    }
    for unit in [1000, 100, 10, 1, hour, hour / 60] {
      let found = (high / unit).rounded(.down) * unit
      if found > low, found <= high { return (found, costs.odd) }
    }
    return (high, costs.odd)
  }

  package static func words(_ days: Double) -> String {
    if let step = (steps + finer).first(where: { abs($0.days - days) < 1e-3 }) { return step.words }
    let units = [(1, "days"), (hour, "hours"), (hour / 60, "minutes"), (hour / 3600, "seconds")]
    let (unit, word) = units.first { days >= 3 * $0.0 } ?? units[3]
    let number = days / unit
    return SVGText.number(number, decimals: number < 10 ? 2 : number < 100 ? 1 : 0) + " " + word
  }
}
