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

  /// Creates the chart of a sea.
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

/// Turns charted points into decimal degrees with a fixed number of digits.
package struct Degrees: Sendable {
  /// Decimals, 6 to 13.
  package let digits: UInt8

  /// 45·5^digits. Multiplied by this and divided by 2^shift, units of the world become units of
  /// 10^-digits degrees.
  private let factor: UInt64
  /// 59 − digits.
  private let shift: UInt64
  /// 180·10^digits.
  private let halfTurn: Int64
  /// 10^digits, exact.
  private let power: Double

  /// Degrees with a number of digits, clamped to 6…13.
  package init(digits: UInt8) {
    self.digits = min(max(digits, 6), 13)
    let fives: UInt64
    switch self.digits {
    case 6: fives = 15_625
    case 7: fives = 78_125
    case 8: fives = 390_625
    case 9: fives = 1_953_125
    case 10: fives = 9_765_625
    case 11: fives = 48_828_125
    case 12: fives = 244_140_625
    default: fives = 1_220_703_125
    }
    let tens = Int64(fives) << Int64(self.digits)
    factor = 45 * fives
    shift = 59 - UInt64(self.digits)
    halfTurn = 180 * tens
    power = Double(tens)
  }

  /// The number of digits for places within a territory: the smallest in 6…13 whose last unit is at
  /// most a millionth of the breadth, or 13.
  package static func digits(breadth: Int64) -> UInt8 {
    var scale: UInt64 = 360
    for digits in UInt8(6)..<13 {
      let product = UInt64(clamping: breadth).multipliedFullWidth(by: scale)
      if product.high > 0 || product.low >> 62 > 0 { return digits }
      scale *= 10
    }
    return 13
  }

  /// Longitude of a charted x, rounded exactly, half to even.
  ///
  /// - Parameter x: 0 to 2^62.
  @inline(__always)
  package func longitude(_ x: Int64) -> Int64 {
    // At most 98 bits; as the shift is less than 64, the bits shifted out are in the low half.
    let product = UInt64(bitPattern: x).multipliedFullWidth(by: factor)
    let whole = product.high &<< (64 &- shift) | product.low &>> shift
    let rest = product.low & (1 &<< shift &- 1)
    let up = (rest &+ (1 &<< (shift &- 1) &- 1) &+ whole & 1) &>> shift
    return Int64(bitPattern: whole &+ up) &- halfTurn
  }

  /// Latitude of a charted y, rounded half to even.
  ///
  /// - Parameter y: 0 to 2^62.
  package func latitude(_ y: Int64) -> Int64 {
    Self.integer(Self.latitude(y) * power + Self.magic)
  }

  /// Latitude in degrees of a charted y, as a double within 5 units in the last place.
  ///
  /// - Parameter y: 0 to 2^62.
  package static func latitude(_ y: Int64) -> Double { Latitude.degrees(distance(y)) }

  /// The coordinate of a charted point.
  package func coordinate(_ point: PlanPoint) -> Coordinate {
    Coordinate(longitude: longitude(point.x), latitude: latitude(point.y))
  }

  /// Coordinates of four charted points; the latitudes are computed as one vector.
  @inline(__always)
  func coordinates(_ p: FourPoints) -> (Coordinate, Coordinate, Coordinate, Coordinate) {
    let y = latitudes(p.y0, p.y1, p.y2, p.y3)
    return (
      Coordinate(longitude: longitude(p.x0), latitude: Self.integer(y[0])),
      Coordinate(longitude: longitude(p.x1), latitude: Self.integer(y[1])),
      Coordinate(longitude: longitude(p.x2), latitude: Self.integer(y[2])),
      Coordinate(longitude: longitude(p.x3), latitude: Self.integer(y[3]))
    )
  }

  /// Latitudes of four charted points, each with `magic` added.
  ///
  /// A separate function, because the compiler splits the vectors into scalars where it sees both
  /// their creation and their use.
  @inline(never)
  private func latitudes(
    _ y0: Int64, _ y1: Int64, _ y2: Int64, _ y3: Int64
  ) -> SIMD4<Double> {
    let r = SIMD4(
      Self.distance(y0), Self.distance(y1), Self.distance(y2), Self.distance(y3))
    return Latitude.degrees(r) * SIMD4(repeating: power) + SIMD4(repeating: Self.magic)
  }

  /// The integer in a sum with `magic`.
  @inline(__always)
  private static func integer(_ sum: Double) -> Int64 {
    Int64(bitPattern: sum.bitPattern) &- Int64(bitPattern: magic.bitPattern)
  }

  /// The signed distance from the equator in half worlds, north positive.
  @inline(__always)
  private static func distance(_ y: Int64) -> Double { Double(1 << 61 &- y) * 0x1p-61 }

  /// 1.5·2^52: adding it to a double below 2^51 leaves the double rounded half to even in the last
  /// bits of the sum, without a call of libm. A latitude times 10^13 is below 9·10^14, and so below
  /// 2^51.
  @inline(__always) private static var magic: Double { 0x1.8p52 }
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
