import GeoCore

/// The sizes and places of symbols, whose areas follow bytes on one scale.
///
/// The page follows the same rules (`level.js`, `placing.js`). Test cases that both run keep them
/// equal.
package enum Symbols {
  private static let largest = (world: 78.0, folder: 70.0)
  /// The side of the largest square in a folder without sub-folders.
  private static let largestSquare = 75.0
  /// The part of the land that all circles take at most, and all squares of a folder of files.
  private static let maximum = (circles: 0.16, squares: 0.2)

  /// The radius of a circle of one byte; 0 without amounts.
  static func unit(
    lands: [Double], files: [Double], isWorld: Bool, area: Double, side: Double
  ) -> Double {
    let all = (lands + files).filter { $0 > 0 }
    guard let greatest = all.max() else { return 0 }
    let hasLands = lands.contains { $0 > 0 }
    let radius =
      hasLands
      ? (isWorld ? Self.largest.world : Self.largest.folder)
      : Self.largestSquare / Double.pi.squareRoot()
    let maximum = (hasLands ? Self.maximum.circles : Self.maximum.squares) * area
    return min(
      radius * min(1, side / 560) / greatest.squareRoot(),
      (maximum / (Double.pi * all.reduce(0, +))).squareRoot())
  }

  static func side(ofRadius radius: Double) -> Double { radius * Double.pi.squareRoot() }

  /// Two round amounts for a legend, the larger first; none without amounts. The first circle has
  /// `radius` as far as `largest` allows.
  static func references(unit: Double, largest: Double, radius: Double) -> [Double] {
    guard unit > 0, largest > 0 else { return [] }
    let first = min((radius / unit) * (radius / unit), largest * 0.6)
    let amounts = [first, first / 8].map { max(1, rounded($0)) }
    return amounts[0] == amounts[1] ? [amounts[0]] : amounts
  }

  /// 1, 2 or 5 times a power of ten.
  static func rounded(_ amount: Double) -> Double {
    if !amount.isFinite { return amount }
    var ten = 1.0
    while ten * 10 <= amount { ten *= 10 }
    let lead = amount / ten
    return ten * (lead < 1.5 ? 1 : lead < 3.5 ? 2 : lead < 7.5 ? 5 : 10)
  }

  // MARK: Apart

  /// A circle, or a square with half of its side as `radius`.
  struct Symbol: Sendable {
    var middle: Point
    let radius: Double
    let isSquare: Bool
    /// The land of a circle, and that of a file in a land; nil for other files.
    var group: Int?
  }

  private static let rounds = 40
  private static let again = 8
  private static let slack = 16.0
  private static let gap = 2.0
  /// By so much squares may be on each other, or over the rim of their circle.
  private static let touching = 1.0
  /// A symbol less than this part of another's size may be on top of it.
  private static let small = 0.25
  /// A square and a circle of another land aren't on each other, from this half side or radius on.
  private static let mixed = 2.5

  /// The places of symbols so that none hides another; large ones move less. Squares stay in the
  /// circle of their land, wherever that is pushed.
  static func pushedApart(_ symbols: [Symbol]) -> [Point] {
    var all = symbols
    let circles = circles(symbols)
    let kept = all.indices.compactMap { index -> (circle: Int, square: Int)? in
      guard all[index].isSquare, let group = all[index].group else { return nil }
      return circles[group].map { ($0, index) }
    }
    for pair in kept { _ = keepTogether(&all, pair.circle, pair.square) }
    let sorted = all.indices.sorted { all[$0].radius > all[$1].radius }
    var pairs: [(Int, Int)] = []
    for round in 0..<rounds {
      if round % again == 0 { pairs = nearPairs(all, sorted) }
      var isMoved = false
      for (a, b) in pairs {
        guard let push = excess(all, a, b) else { continue }
        isMoved = true
        let (ra, rb) = (all[a].radius * all[a].radius, all[b].radius * all[b].radius)
        let fraction = rb / (ra + rb)
        all[a].middle = all[a].middle - push * fraction
        all[b].middle = all[b].middle + push * (1 - fraction)
      }
      for pair in kept where keepTogether(&all, pair.circle, pair.square) { isMoved = true }
      if !isMoved { break }
    }
    return all.map(\.middle)
  }

  /// The indices of circles by their lands.
  private static func circles(_ symbols: [Symbol]) -> [Int: Int] {
    symbols.indices.reduce(into: [:]) { circles, index in
      if !symbols[index].isSquare, let group = symbols[index].group { circles[group] = index }
    }
  }

  /// Which symbols, the largest first, have room at their `places`: circles always, squares that
  /// are in their circle, or near their place if they have none, and not on a larger square.
  static func withRoom(_ symbols: [Symbol], _ places: [Point]) -> [Bool] {
    let circles = circles(symbols)
    var squares: [Int] = []
    return symbols.enumerated().map { index, symbol in
      guard symbol.isSquare else { return true }
      let (place, radius) = (places[index], symbol.radius)
      if let circle = symbol.group.flatMap({ circles[$0] }) {
        let way = places[circle] - place
        let corner = Point(abs(way.x) + radius, abs(way.y) + radius)
        if corner.distance(to: Point(0, 0)) > symbols[circle].radius + touching { return false }
      } else if isAway(place, from: symbol.middle, radius) {
        return false
      }
      let isCovered = squares.contains {
        let way = places[$0] - place
        return max(abs(way.x), abs(way.y)) < symbols[$0].radius + radius - touching
      }
      if !isCovered { squares.append(index) }
      return !isCovered
    }
  }

  /// Whether a symbol of a size is so far from its place that a line leads there: it isn't over
  /// that.
  static func isAway(_ middle: Point, from place: Point, _ radius: Double) -> Bool {
    middle.distance(to: place) >= max(5, radius)
  }

  /// Moves a square back into the circle of its land, or to its middle if it's too large; returns
  /// whether it was away.
  private static func keepTogether(
    _ all: inout [Symbol], _ circle: Int, _ square: Int
  ) -> Bool {
    let (middle, way) = (all[circle].middle, all[square].middle - all[circle].middle)
    let far = way.length
    let most = max(0, all[circle].radius - Double(2).squareRoot() * all[square].radius)
    if far <= most + 1e-6 { return false }
    all[square].middle = Point(middle.x + way.x * most / far, middle.y + way.y * most / far)
    return true
  }

  /// The pairs of symbols that meet, or may soon; a square and the circle of its land aren't kept
  /// apart.
  private static func nearPairs(_ all: [Symbol], _ sorted: [Int]) -> [(Int, Int)] {
    var pairs: [(Int, Int)] = []
    for (i, a) in sorted.enumerated() {
      for b in sorted[(i + 1)...] {
        if all[a].group != nil, all[a].group == all[b].group, all[a].isSquare != all[b].isSquare {
          continue
        }
        let reach = all[a].radius + all[b].radius + slack
        let apart = all[a].middle - all[b].middle
        if abs(apart.x) < reach, abs(apart.y) < reach { pairs.append((a, b)) }
      }
    }
    return pairs
  }

  /// How far two symbols overlap too much: a vector that moves `b` away from `a`; nil if they
  /// don't.
  private static func excess(_ all: [Symbol], _ a: Int, _ b: Int) -> Point? {
    let (one, other) = (all[a], all[b])
    let d = other.middle - one.middle
    let minimum = one.radius + other.radius
    if one.isSquare, other.isSquare {
      let reach = minimum + gap
      let (ox, oy) = (reach - abs(d.x), reach - abs(d.y))
      if ox <= 0 || oy <= 0 { return nil }
      return ox < oy ? Point(d.x < 0 ? -ox : ox, 0) : Point(0, d.y < 0 ? -oy : oy)
    }
    let (large, little) = one.radius >= other.radius ? (one, other) : (other, one)
    let most = small * large.radius
    if little.radius < (one.isSquare == other.isSquare ? most : min(mixed, most)) { return nil }
    let far = d.length
    if far >= minimum { return nil }
    let turn = (Double(a) * 2.4 + Double(b)).truncatingRemainder(dividingBy: 2 * .pi)
    let unit =
      far > 1e-6
      ? Point(d.x / far, d.y / far) : Point(Trigonometry.cosine(turn), Trigonometry.sine(turn))
    return unit * (minimum - far)
  }
}
