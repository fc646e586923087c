/// Smooth noise that belongs to the world, so that nothing swims while one looks elsewhere.
package enum Field {
  /// A well-mixed 32-bit number for three others.
  package static func mix(_ a: Int, _ b: Int, _ c: Int) -> UInt32 {
    let (a, b, c) = (
      UInt32(truncatingIfNeeded: a), UInt32(truncatingIfNeeded: b), UInt32(truncatingIfNeeded: c)
    )
    var h = ((a ^ 0x9E37_79B9) &* 0x85EB_CA6B) ^ ((b ^ 0x1656_67B1) &* 0xC2B2_AE35)
    h = (h ^ (h >> 15) ^ c) &* 0x2C1B_3C6D
    h = (h ^ (h >> 12)) &* 0x297A_2D39
    return h ^ (h >> 15)
  }

  /// A smooth field between −1 and 1 with one value for each corner of a grid of whole numbers.
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

  /// How far lines are led astray at most, and how wide the waves are, in pixels.
  private static let amplitude = 1.7
  private static let cell = 40.0

  /// How far a line is led away from a point, in pixels, so that it looks drawn by hand.
  ///
  /// Lines that share the point stay shared, and what is nested stays nested: the field bends by less
  /// than it is wide.
  package static func wander(_ x: Double, _ y: Double) -> Point {
    Point(
      amplitude * value(x / cell, y / cell, seed: 7),
      amplitude * value(x / cell, y / cell, seed: 8))
  }

  /// Ridges from 0 to 1, sharp above and broad below. `x` and `y` are cells of relief.
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
