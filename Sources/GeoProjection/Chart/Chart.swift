/// The bijection that bends the plan into the map.
///
/// It consists of six shears by waves of parabolas, alternately along x and y. Each moves a whole
/// row or column of the integer grid by one integer, so different points stay different and each
/// shear has an exact inverse.
package struct Chart: Sendable {
  /// The sum of all roots' seeds, modulo 2^64.
  package let sea: UInt64

  /// Each shear's phase, times 4, plus half a turn.
  private let phases: (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64)

  package init(sea: UInt64) {
    self.sea = sea
    func phase(_ index: UInt64) -> UInt64 { SplitMix64.number(sea, index) << 2 ^ 1 << 63 }
    phases = (phase(0), phase(1), phase(2), phase(3), phase(4), phase(5))
  }

  /// The charted place of a point of the plan, in the same units.
  ///
  /// Points of the land stay between 0.05 and 0.95 of the world's width and height.
  package func callAsFunction(_ point: PlanPoint) -> PlanPoint {
    var (x, y) = (point.x, point.y)
    x &+= Self.wide(y, phases.0)
    y &+= Self.wide(x, phases.1)
    x &+= Self.middle(y, phases.2)
    y &+= Self.middle(x, phases.3)
    x &+= Self.narrow(y, phases.4)
    y &+= Self.narrow(x, phases.5)
    return PlanPoint(x: x, y: y)
  }

  /// The point of the plan for a charted point: the exact inverse.
  package func inverse(_ point: PlanPoint) -> PlanPoint {
    var (x, y) = (point.x, point.y)
    y &-= Self.narrow(x, phases.5)
    x &-= Self.narrow(y, phases.4)
    y &-= Self.middle(x, phases.3)
    x &-= Self.middle(y, phases.2)
    y &-= Self.wide(x, phases.1)
    x &-= Self.wide(y, phases.0)
    return PlanPoint(x: x, y: y)
  }

  /// Charts four points together. A shear is a chain of dependent steps, so four chains take little
  /// longer than one.
  @inline(__always)
  func chart(_ four: inout FourPoints) {
    four.shearX { Self.wide($0, phases.0) }
    four.shearY { Self.wide($0, phases.1) }
    four.shearX { Self.middle($0, phases.2) }
    four.shearY { Self.middle($0, phases.3) }
    four.shearX { Self.narrow($0, phases.4) }
    four.shearY { Self.narrow($0, phases.5) }
  }

  // The three waves have one, two and three periods to the world, and amplitudes of 5/32, 5/64 and
  // 3/64 of the parabola. Adding them can't overflow within the world: each is at most 5·2^55.

  @inline(__always)
  private static func wide(_ c: Int64, _ phase: UInt64) -> Int64 {
    (parabola(UInt64(bitPattern: c) &* 4 &+ phase) &* 5) >> 5
  }

  @inline(__always)
  private static func middle(_ c: Int64, _ phase: UInt64) -> Int64 {
    (parabola(UInt64(bitPattern: c) &* 8 &+ phase) &* 5) >> 6
  }

  @inline(__always)
  private static func narrow(_ c: Int64, _ phase: UInt64) -> Int64 {
    (parabola(UInt64(bitPattern: c) &* 12 &+ phase) &* 3) >> 6
  }

  /// ⌊u·(2^61 − |u|) / 2^60⌋ for the u of −2^61 ..< 2^61 with 4u = `angle` as a signed number.
  ///
  /// With everything times four, the wrap-around of 64 bits does the modulo 2^62, and the quotient
  /// is the high half of one product. At u = 0 the second factor wraps to −2^63, but the product is
  /// still 0. The result is at most 2^60 in size.
  @inline(__always)
  private static func parabola(_ angle: UInt64) -> Int64 {
    let u = Int64(bitPattern: angle)
    let sign = u >> 63
    let size = (u ^ sign) &- sign
    return u.multipliedFullWidth(by: Int64.min &- size).high
  }
}

/// Four points that are charted together.
struct FourPoints {
  var x0: Int64, x1: Int64, x2: Int64, x3: Int64
  var y0: Int64, y1: Int64, y2: Int64, y3: Int64

  @inline(__always)
  init(_ a: Coordinate, _ b: Coordinate, _ c: Coordinate, _ d: Coordinate) {
    (x0, x1, x2, x3) = (a.longitude, b.longitude, c.longitude, d.longitude)
    (y0, y1, y2, y3) = (a.latitude, b.latitude, c.latitude, d.latitude)
  }

  @inline(__always)
  mutating func shearX(_ wave: (Int64) -> Int64) {
    let (s0, s1, s2, s3) = (wave(y0), wave(y1), wave(y2), wave(y3))
    x0 &+= s0
    x1 &+= s1
    x2 &+= s2
    x3 &+= s3
  }

  @inline(__always)
  mutating func shearY(_ wave: (Int64) -> Int64) {
    let (s0, s1, s2, s3) = (wave(x0), wave(x1), wave(x2), wave(x3))
    y0 &+= s0
    y1 &+= s1
    y2 &+= s2
    y3 &+= s3
  }
}

/// The inverse of the Mercator projection, as a quotient of polynomials.
///
/// It uses only +, × and ÷ of IEEE doubles in a fixed order, without fused multiply-add, so that
/// all machines compute the same bits. The result is within 5 units in the last place of the exact
/// value.
enum Latitude {
  /// Latitude in degrees for the signed distance from the equator in half worlds, −1…1.
  @inline(__always)
  static func degrees(_ r: Double) -> Double { degrees(SIMD4(repeating: r))[0] }

  /// Four latitudes at a time, with the same results as one by one.
  @inline(__always)
  static func degrees(_ r: SIMD4<Double>) -> SIMD4<Double> {
    let square = r * r
    return r * numerator(square) / denominator(square)
  }

  @inline(__always)
  private static func numerator(_ square: SIMD4<Double>) -> SIMD4<Double> {
    var sum = SIMD4(repeating: 0.7097377688306806) * square + SIMD4(repeating: 104.08495308672914)
    sum = sum * square + SIMD4(repeating: 2116.2197520751506)
    sum = sum * square + SIMD4(repeating: 12983.05915016552)
    sum = sum * square + SIMD4(repeating: 33786.96883668485)
    sum = sum * square + SIMD4(repeating: 44091.68718283266)
    sum = sum * square + SIMD4(repeating: 31019.762806077022)
    sum = sum * square + SIMD4(repeating: 11876.454819023818)
    sum = sum * square + SIMD4(repeating: 2318.3257337700493)
    return sum * square + SIMD4(repeating: 179.99999999999997)
  }

  @inline(__always)
  private static func denominator(_ square: SIMD4<Double>) -> SIMD4<Double> {
    var sum = SIMD4(repeating: 0.13738301104894976) * square + SIMD4(repeating: 6.203810419110507)
    sum = sum * square + SIMD4(repeating: 66.26896465733422)
    sum = sum * square + SIMD4(repeating: 253.66909130069368)
    sum = sum * square + SIMD4(repeating: 467.0815132493156)
    sum = sum * square + SIMD4(repeating: 467.2917355099822)
    sum = sum * square + SIMD4(repeating: 266.1745298949002)
    sum = sum * square + SIMD4(repeating: 85.81347260539924)
    sum = sum * square + SIMD4(repeating: 14.524521476681674)
    return sum * square + SIMD4(repeating: 1.0)
  }
}
