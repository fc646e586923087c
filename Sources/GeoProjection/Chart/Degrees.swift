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

  /// Longitude of a charted x, 0 to 2^62, rounded exactly, half to even.
  @inline(__always)
  package func longitude(_ x: Int64) -> Int64 {
    // At most 98 bits; as the shift is less than 64, the bits shifted out are in the low half.
    let product = UInt64(bitPattern: x).multipliedFullWidth(by: factor)
    let whole = product.high &<< (64 &- shift) | product.low &>> shift
    let rest = product.low & (1 &<< shift &- 1)
    let up = (rest &+ (1 &<< (shift &- 1) &- 1) &+ whole & 1) &>> shift
    return Int64(bitPattern: whole &+ up) &- halfTurn
  }

  /// Latitude of a charted y, 0 to 2^62, rounded half to even.
  package func latitude(_ y: Int64) -> Int64 {
    Self.integer(Self.latitude(y) * power + Self.magic)
  }

  /// Latitude in degrees of a charted y, as a double within 5 units in the last place.
  package static func latitude(_ y: Int64) -> Double { Latitude.degrees(distance(y)) }

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
