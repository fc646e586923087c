import GeoCore

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

  package struct Border: Sendable, Hashable {
    package let width, alpha: Double
  }

  private static let widths = [1.5, 1.15, 0.95, 0.8]
  private static let alphas = [1, 0.85, 0.62, 0.5]

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
    let above = corner(ix, iy, seed) * (1 - sx) + corner(ix + 1, iy, seed) * sx
    let below = corner(ix, iy + 1, seed) * (1 - sx) + corner(ix + 1, iy + 1, seed) * sx
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
    var (sum, weight, size) = (0.0, 0.68, 15.0)
    for octave in 0..<3 {
      let value = 1 - abs(value((x + 0.35 * y) / size, (y - 0.35 * x) / size, seed: 51 + octave))
      sum += weight * value * value
      weight *= 0.36
      size *= 0.46
    }
    return sum / 1.013
  }
}
