import GeoCore
import GeoSystem

/// How lands look, as pure functions of numbers, independent of any drawing.
///
/// The page follows the same rules in JavaScript. Test cases that both run keep them equal.
package enum Look {
  static func clamp(_ value: Double, _ low: Double, _ high: Double) -> Double {
    max(low, min(high, value))
  }

  /// The height of land in the relief by its bytes, from 0 (50 kB or less) to 1 (1.6 GB or more).
  package static func height(_ bytes: Double) -> Double {
    clamp((Logarithm.ofTen(bytes + 1) - 4.7) / 4.5, 0, 1)
  }

  /// The lengths of a border's dashes and gaps by depth, in pixels; empty for a solid line.
  package static func dashes(depth: Int) -> [Double] {
    switch depth {
    case ...1: []
    case 2: [7, 2.5, 1.2, 2.5]
    case 3: [4, 2.5]
    default: [1.2, 2.2]
    }
  }

  /// The width of a border in pixels, and its opacity from 0 to 1.
  package struct Border: Sendable, Hashable {
    package let width: Double
    package let alpha: Double
  }

  private static let widths = [1.5, 1.15, 0.95, 0.8]
  private static let alphas = [1, 0.85, 0.62, 0.5]

  /// The border of a land by its depth and its breadth in pixels.
  package static func border(depth: Int, breadth: Double) -> Border {
    let rank = min(max(depth, 0), 3)
    // Borders of very small lands are faint.
    let seen = clamp((breadth - 5) / 22, 0.12, 1)
    let alpha = alphas[rank] * seen
    return Border(
      width: widths[rank] * (0.6 + 0.4 * seen), alpha: depth < 2 ? max(0.5, alpha) : alpha)
  }

  /// How much of its own tint a land has instead of its parent's, 0 to 1.
  ///
  /// A continent has 0 and a country 1. Deeper lands get theirs as the land around them grows from
  /// 240 to 660 pixels across.
  package static func ownTint(depth: Int, around: Double) -> Double {
    if depth <= 1 { return Double(depth) }
    let t = clamp((around - 240) / 420, 0, 1)
    return t * t * (3 - 2 * t)
  }

  /// The strength of a tint by the land's breadth in pixels: from 0.66 at 700 down to 0.3 at 2,500,
  /// when the land fills the view.
  package static func tintStrength(breadth: Double) -> Double {
    0.66 - 0.36 * clamp((breadth - 700) / 1800, 0, 1)
  }

  /// Round bounds of classes for some values: at most five, each 1 or 3 times a power of ten.
  ///
  /// Each class with a value has its own, the largest first; all values below the fifth share one.
  /// If this gives fewer than four classes, bounds are 1, 2 or 5 times a power of ten.
  package static func classBounds(_ values: [Double]) -> [Double] {
    var edges = classEdges(values, leads: [1, 3])
    if edges.count < 4 {
      let fine = classEdges(values, leads: [1, 2, 5])
      if fine.count > edges.count { edges = fine }
    }
    return Array(edges.suffix(max(1, min(edges.count - 1, 5))))
  }

  /// The lower edges of the classes of the positive values, each once, in ascending order.
  private static func classEdges(_ values: [Double], leads: [Double]) -> [Double] {
    let edges = values.filter { $0 > 0 }.map { value in
      var ten = 1.0
      while ten * 10 <= value { ten *= 10 }
      return (leads.last { $0 * ten <= value } ?? 1) * ten
    }
    return Set(edges).sorted()
  }
}

/// Smooth noise at fixed places of the world, so that it stays in place when the view moves.
package enum Field {
  /// A 32-bit hash of three numbers.
  package static func mix(_ a: Int, _ b: Int, _ c: Int) -> UInt32 {
    let (a, b, c) = (
      UInt32(truncatingIfNeeded: a), UInt32(truncatingIfNeeded: b), UInt32(truncatingIfNeeded: c)
    )
    var h = ((a ^ 0x9E37_79B9) &* 0x85EB_CA6B) ^ ((b ^ 0x1656_67B1) &* 0xC2B2_AE35)
    h = (h ^ (h >> 15) ^ c) &* 0x2C1B_3C6D
    h = (h ^ (h >> 12)) &* 0x297A_2D39
    return h ^ (h >> 15)
  }

  /// Smooth noise between −1 and 1, interpolated between hashed values at whole numbers.
  package static func value(_ x: Double, _ y: Double, seed: Int) -> Double {
    let (left, top) = (x.rounded(.down), y.rounded(.down))
    let (fx, fy) = (x - left, y - top)
    let (ix, iy) = (Int(left), Int(top))
    let (sx, sy) = (fx * fx * (3 - 2 * fx), fy * fy * (3 - 2 * fy))
    let above =
      corner(ix, iy, seed) * (1 - sx) + corner(ix + 1, iy, seed) * sx
    let below =
      corner(ix, iy + 1, seed) * (1 - sx) + corner(ix + 1, iy + 1, seed) * sx
    return above * (1 - sy) + below * sy
  }

  private static func corner(_ x: Int, _ y: Int, _ seed: Int) -> Double {
    Double(mix(x, y, seed) & 0xFFFF) / 32767.5 - 1
  }

  /// The largest displacement of lines, and the width of its waves, in pixels.
  private static let amplitude = 1.7
  private static let cell = 40.0

  /// The displacement of a line at a point, in pixels, that makes it look drawn by hand.
  ///
  /// It depends on the point only, so shared points stay shared. It varies more slowly than the
  /// point moves, so lines that don't cross still don't.
  package static func wander(_ x: Double, _ y: Double) -> Point {
    Point(
      amplitude * value(x / cell, y / cell, seed: 7),
      amplitude * value(x / cell, y / cell, seed: 8))
  }

  /// Ridged noise from 0 to 1, with sharp crests and broad valleys. Its widest waves are 15 long.
  package static func ridges(_ x: Double, _ y: Double) -> Double {
    var sum = 0.0
    var weight = 0.68
    var size = 15.0
    for octave in 0..<3 {
      let value =
        1 - abs(value((x + 0.35 * y) / size, (y - 0.35 * x) / size, seed: 51 + octave))
      sum += weight * value * value
      weight *= 0.36
      size *= 0.46
    }
    return sum / 1.013
  }
}

/// The sizes and places of symbols, whose areas follow bytes on one scale.
///
/// The page follows the same rules (`sizes.js`, `apart.js`). Test cases that both run keep them
/// equal.
package enum Symbols {
  /// The radius of the largest circle: of the world, and of a folder.
  private static let largest = (world: 78.0, folder: 70.0)
  /// The side of the largest square in a folder without sub-folders.
  private static let largestSquare = 75.0
  /// The part of the land that all circles take at most, and all squares of a folder of files.
  private static let most = (circles: 0.16, squares: 0.2)

  /// The radius of a circle of one byte; 0 without amounts.
  ///
  /// - Parameters:
  ///   - lands: The amounts of sub-folders.
  ///   - files: The amounts of own files.
  ///   - area: The area of the land around them.
  ///   - side: The shorter side of the view.
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
    let most = (hasLands ? Self.most.circles : Self.most.squares) * area
    return min(
      radius * min(1, side / 560) / greatest.squareRoot(),
      (most / (Double.pi * all.reduce(0, +))).squareRoot())
  }

  /// The side of the square that has the area of a circle.
  static func side(ofRadius radius: Double) -> Double { radius * Double.pi.squareRoot() }

  /// Two round amounts for a legend, the larger first; none without amounts.
  ///
  /// - Parameters:
  ///   - unit: The radius of a circle of one byte.
  ///   - largest: The largest amount with a sign.
  ///   - radius: The radius of the first circle, as far as `largest` allows.
  static func references(unit: Double, largest: Double, radius: Double) -> [Double] {
    guard unit > 0, largest > 0 else { return [] }
    let first = min((radius / unit) * (radius / unit), largest * 0.6)
    let amounts = [first, first / 8].map { max(1, rounded($0)) }
    return amounts[0] == amounts[1] ? [amounts[0]] : amounts
  }

  /// 1, 2 or 5 times a power of ten.
  private static func rounded(_ amount: Double) -> Double {
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
  }

  private static let rounds = 40
  private static let again = 8
  private static let slack = 16.0
  private static let gap = 2.0
  /// A circle less than this part of another's radius may be on top of it.
  private static let small = 0.3
  /// A circle may be covered by this part of its radius.
  private static let covered = 0.15

  /// The places of symbols so that none hides another; large ones move less.
  ///
  /// - Complexity: O(n²).
  static func pushedApart(_ symbols: [Symbol]) -> [Point] {
    var all = symbols
    let sorted = all.indices.sorted { (all[$1].radius, $0) < (all[$0].radius, $1) }
    var pairs: [(Int, Int)] = []
    for round in 0..<rounds {
      if round % again == 0 { pairs = nearPairs(all, sorted) }
      var isMoved = false
      for (a, b) in pairs {
        guard let push = excess(all, a, b) else { continue }
        isMoved = true
        let (ra, rb) = (all[a].radius * all[a].radius, all[b].radius * all[b].radius)
        let part = rb / (ra + rb)
        all[a].middle.x -= push.x * part
        all[a].middle.y -= push.y * part
        all[b].middle.x += push.x * (1 - part)
        all[b].middle.y += push.y * (1 - part)
      }
      if !isMoved { break }
    }
    return all.map(\.middle)
  }

  private static func nearPairs(_ all: [Symbol], _ sorted: [Int]) -> [(Int, Int)] {
    var pairs: [(Int, Int)] = []
    for (i, a) in sorted.enumerated() {
      for b in sorted[(i + 1)...] {
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
    let far = (d.x * d.x + d.y * d.y).squareRoot()
    if one.isSquare, other.isSquare {
      let reach = one.radius + other.radius + gap
      let (ox, oy) = (reach - abs(d.x), reach - abs(d.y))
      if ox <= 0 || oy <= 0 { return nil }
      return ox < oy ? Point(d.x < 0 ? -ox : ox, 0) : Point(0, d.y < 0 ? -oy : oy)
    }
    let least: Double
    if !one.isSquare, !other.isSquare {
      let (large, little) = (max(one.radius, other.radius), min(one.radius, other.radius))
      if little < small * large { return nil }
      least = large + (1 - covered) * little
    } else {
      let (square, circle) = one.isSquare ? (one.radius, other.radius) : (other.radius, one.radius)
      if circle > 1.08 * square { return nil }
      least = square + 0.5 * circle
    }
    if far >= least { return nil }
    let turn = (Double(a) * 2.4 + Double(b)).truncatingRemainder(dividingBy: 2 * .pi)
    let unit =
      far > 1e-6
      ? Point(d.x / far, d.y / far) : Point(Trigonometry.cosine(turn), Trigonometry.sine(turn))
    return Point(unit.x * (least - far), unit.y * (least - far))
  }
}
