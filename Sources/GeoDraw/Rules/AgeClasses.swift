import GeoCore

/// Classes of ages in days, by the ages in view.
///
/// The page follows the same rules (`rules.js`). Test cases that both run keep them equal.
package enum AgeClasses {
  private struct Step {
    let days: Double
    let words: String
  }

  private static let hour = 1.0 / 24
  private static let steps = [
    Step(days: hour, words: "an hour"), Step(days: 1, words: "a day"),
    Step(days: 7, words: "a week"), Step(days: 30, words: "a month"),
    Step(days: 90, words: "three months"), Step(days: 365, words: "a year"),
    Step(days: 730, words: "two years"), Step(days: 1825, words: "five years"),
    Step(days: 3650, words: "ten years"),
  ]
  private static let finer = [
    Step(days: hour / 6, words: "ten minutes"), Step(days: hour / 2, words: "half an hour"),
    Step(days: 3 * hour, words: "three hours"), Step(days: 6 * hour, words: "six hours"),
    Step(days: 0.5, words: "twelve hours"), Step(days: 2, words: "two days"),
    Step(days: 3, words: "three days"), Step(days: 5, words: "five days"),
    Step(days: 10, words: "ten days"), Step(days: 14, words: "two weeks"),
    Step(days: 21, words: "three weeks"), Step(days: 45, words: "six weeks"),
    Step(days: 60, words: "two months"), Step(days: 120, words: "four months"),
    Step(days: 180, words: "six months"), Step(days: 270, words: "nine months"),
    Step(days: 455, words: "15 months"), Step(days: 545, words: "18 months"),
    Step(days: 640, words: "21 months"), Step(days: 1095, words: "three years"),
    Step(days: 1460, words: "four years"), Step(days: 2190, words: "six years"),
    Step(days: 2920, words: "eight years"), Step(days: 5475, words: "15 years"),
    Step(days: 7300, words: "20 years"),
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
