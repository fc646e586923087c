/// A convex quadrilateral of the plan.
///
/// Its corners are named after directions, although it may lean.
@usableFromInline package struct Quad: BitwiseCopyable, Hashable, Sendable {
  /// The corner called north-west.
  @usableFromInline package var q0: PlanPoint
  /// The corner called north-east.
  @usableFromInline package var q1: PlanPoint
  /// The corner called south-east.
  @usableFromInline package var q2: PlanPoint
  /// The corner called south-west.
  @usableFromInline package var q3: PlanPoint

  /// A quad of four corners: north-west, north-east, south-east, south-west.
  @inlinable
  package init(_ q0: PlanPoint, _ q1: PlanPoint, _ q2: PlanPoint, _ q3: PlanPoint) {
    self.q0 = q0
    self.q1 = q1
    self.q2 = q2
    self.q3 = q3
  }
}

extension Quad {
  /// Cuts the quad in two, across its longer extent.
  ///
  /// - Parameters:
  ///   - first: The end of the cut on the northern (or western) side, in units of 2^-32.
  ///   - second: The end of the cut on the southern (or eastern) side, in units of 2^-32.
  /// - Returns: The western (or northern) part, then the other one.
  package func cut(_ first: Int64, _ second: Int64) -> (Quad, Quad) {
    cut(first, second, acrossWidth: axes.isWide)
  }

  /// Cuts the quad in two for bit `bit` of the keys.
  ///
  /// - Parameters:
  ///   - key: A key, of which only the bits before `bit` matter.
  ///   - seed: The seed of the folder that owns the land.
  /// - Returns: The part for keys whose bit is 0, then the part for keys whose bit is 1.
  package func cut(atBit bit: Int, of key: UInt64, seed: UInt64) -> (Quad, Quad) {
    let axes = axes
    let before = bit == 0 ? 0 : key >> (64 - UInt64(bit))
    // The index can exceed 2^64 for the last bit, and wraps.
    let number = SplitMix64.number(seed, 256 &+ (1 << UInt64(bit)) &+ before)
    // |shift| < 3.3e8 and |tilt| < 1.0e9, so that both fractions are between 0.19 and 0.81 of 2^32.
    let shift = (Int64(number >> 48) - 0x8000) * 10_000
    let tilt = (Int64(number >> 32 & 0xFFFF) - 0x8000) * 14_000 + axes.lean << 16
    let middle = 1 << 31 + shift
    return cut(middle + tilt, middle - tilt, acrossWidth: axes.isWide)
  }

  private func cut(_ first: Int64, _ second: Int64, acrossWidth: Bool) -> (Quad, Quad) {
    if acrossWidth {
      let top = q0.lerp(to: q1, first)
      let bottom = q3.lerp(to: q2, second)
      return (Quad(q0, top, bottom, q3), Quad(top, q1, q2, bottom))
    }
    let left = q0.lerp(to: q3, first)
    let right = q1.lerp(to: q2, second)
    return (Quad(q0, q1, right, left), Quad(left, right, q2, q3))
  }
}

extension Quad {
  /// The land that all roots share.
  package static let land = Quad(
    PlanPoint(x: 1 << 59, y: 1 << 59), PlanPoint(x: 7 << 59, y: 1 << 59),
    PlanPoint(x: 7 << 59, y: 7 << 59), PlanPoint(x: 1 << 59, y: 7 << 59))

  /// The middle of the middles of both diagonals.
  package var centre: PlanPoint { q0.mid(q2).mid(q1.mid(q3)) }

  /// The quad with every corner moved towards the centre by `steps`/128 of the way.
  package func shrunk(by steps: Int64) -> Quad {
    let centre = centre
    let fraction = steps << 25
    return Quad(
      q0.lerp(to: centre, fraction), q1.lerp(to: centre, fraction),
      q2.lerp(to: centre, fraction), q3.lerp(to: centre, fraction))
  }

  /// The inverse of ``shrunk(by:)``, up to rounding.
  package func grown(by steps: Int64) -> Quad {
    let centre = centre
    func out(_ corner: PlanPoint) -> PlanPoint {
      // Differences have 62 bits, so they are divided before they are multiplied.
      let (x, y) = (corner.x - centre.x, corner.y - centre.y)
      let rest = 128 - steps
      return PlanPoint(x: corner.x + x / rest * steps, y: corner.y + y / rest * steps)
    }
    return Quad(out(q0), out(q1), out(q2), out(q3))
  }

  /// The width of the quad, leaning or not, in units of the plan: the least of both extents and of
  /// the parallelogram's area divided by the longer extent.
  package var breadth: Int64 { axes.breadth }

  /// An upper bound of the breadth of any part of a quad with at most this area: the root of it.
  ///
  /// A breadth is at most the longer extent, and at most the area divided by it, so at most the
  /// root of the area. A part has no more area than the whole. (If the quad isn't a parallelogram,
  /// a part can be broader than the whole.)
  static func greatestPartBreadth(area: UInt128) -> Int64 {
    // Rounded up by more than corners and doubles lose by rounding.
    Int64(Double(area).squareRoot() * (1 + 0x1p-40)) + 16
  }

  /// The lean of the shorter axis along the longer one, in units of 2^-16, at most 2^13 either way.
  package var lean: Int64 { axes.lean }

  package var axes: Axes {
    let west = q0.mid(q3)
    let east = q1.mid(q2)
    let north = q0.mid(q1)
    let south = q3.mid(q2)
    return Axes(
      width: PlanPoint(x: east.x - west.x, y: east.y - west.y),
      height: PlanPoint(x: south.x - north.x, y: south.y - north.y))
  }
}

/// The two axes of a quad: from west to east and from north to south.
package struct Axes {
  /// From the middle of the western side to that of the eastern one.
  package let width: PlanPoint
  /// From the middle of the northern side to that of the southern one.
  package let height: PlanPoint

  /// The larger component of the width, without its sign; below 2^62.
  package var widthExtent: Int64 { max(abs(width.x), abs(width.y)) }

  /// The larger component of the height, without its sign; below 2^62.
  package var heightExtent: Int64 { max(abs(height.x), abs(height.y)) }

  package var isWide: Bool { widthExtent >= heightExtent }

  /// The quad's area: that of the parallelogram that the axes span.
  package var area: UInt128 {
    // Products of two 63-bit numbers have at most 125 bits, and so has their difference.
    let cross = Int128(width.x) &* Int128(height.y) &- Int128(width.y) &* Int128(height.x)
    return cross.magnitude
  }

  package var breadth: Int64 {
    let w = widthExtent
    let h = heightExtent
    let longer = UInt64(max(w, h))
    if longer == 0 { return 0 }
    let area = area
    // The area is at most 2wh, so the quotient is at most 2·min(w, h) and fits.
    let (quotient, _) = longer.dividingFullWidth(
      (UInt64(truncatingIfNeeded: area >> 64), UInt64(truncatingIfNeeded: area)))
    return min(w, h, Int64(clamping: quotient))
  }

  package var lean: Int64 {
    let long = isWide ? width : height
    let short = isWide ? height : width
    let bits = 64 - max(widthExtent, heightExtent).leadingZeroBitCount
    let shift = max(0, bits - 23)
    // Components below 2^23 in size: squares fit 47 bits, and 62 after the factor.
    let (lx, ly) = (long.x >> shift, long.y >> shift)
    let (sx, sy) = (short.x >> shift, short.y >> shift)
    let square = lx * lx + ly * ly
    if square == 0 { return 0 }
    let numerator = (lx * sx + ly * sy) << 15
    let (quotient, remainder) = numerator.quotientAndRemainder(dividingBy: square)
    return min(max(remainder < 0 ? quotient - 1 : quotient, -8192), 8192)
  }
}

/// A point of the plan, in units of 2^-62 of the world: x runs east, y runs south.
@usableFromInline package struct PlanPoint: BitwiseCopyable, Hashable, Sendable {
  /// Units east of longitude −180°.
  @usableFromInline package var x: Int64
  /// Units south of latitude 85.0511°.
  @usableFromInline package var y: Int64

  @inlinable
  package init(x: Int64, y: Int64) {
    self.x = x
    self.y = y
  }
}

// Every coordinate of the plan is in 0 ..< 2^62, so a sum of two fits 63 bits, and a difference
// fits 62 bits and a sign: nothing here can overflow.
extension PlanPoint {
  /// The point at `fraction` of the way to another one, rounded down in x and in y.
  ///
  /// - Parameter fraction: In units of 2^-32, at most 1.
  @inline(__always)
  package func lerp(to other: PlanPoint, _ fraction: Int64) -> PlanPoint {
    PlanPoint(
      x: x &+ (other.x &- x).scaled(by: fraction), y: y &+ (other.y &- y).scaled(by: fraction))
  }

  /// The point half-way to another one, rounded down in x and in y.
  @inline(__always)
  package func mid(_ other: PlanPoint) -> PlanPoint {
    PlanPoint(x: (x + other.x) >> 1, y: (y + other.y) >> 1)
  }
}

extension Int64 {
  /// ⌊self · fraction / 2^32⌋ by one full product.
  ///
  /// With a fraction of at most 2^32 the result is no larger than `self`, so that the bits shifted
  /// out at the top are copies of the sign.
  @inline(__always)
  package func scaled(by fraction: Int64) -> Int64 {
    let product = multipliedFullWidth(by: fraction)
    return product.high &<< 32 | Int64(truncatingIfNeeded: product.low &>> 32)
  }
}
