import GeoProjection

/// A point in the plane, north up, with an exact orientation test.
protocol PlanarPoint: Equatable, Sendable {
  associatedtype Scalar: Comparable & Sendable
  var x: Scalar { get }
  var y: Scalar { get }

  /// 1 if a, b and c turn left, −1 if they turn right, 0 if they are on one line.
  static func orientation(_ a: Self, _ b: Self, _ c: Self) -> Int
}

/// A point with integer coordinates below 2^62 in magnitude.
struct IntegerPoint: PlanarPoint {
  var x: Int64
  var y: Int64

  /// A point of the plan, with its y axis turned north.
  init(_ point: PlanPoint) {
    x = point.x
    y = -point.y
  }

  /// A coordinate in units of 10^-13 degrees.
  init(_ coordinate: Coordinate, digits: UInt8) {
    var factor: Int64 = 1
    for _ in digits..<13 { factor *= 10 }
    x = coordinate.longitude * factor
    y = coordinate.latitude * factor
  }

  static func orientation(_ a: IntegerPoint, _ b: IntegerPoint, _ c: IntegerPoint) -> Int {
    // Differences have at most 63 bits and a sign, products 126, and their difference 127.
    let left = Int128(b.x - a.x) &* Int128(c.y - a.y)
    let right = Int128(b.y - a.y) &* Int128(c.x - a.x)
    return left > right ? 1 : left < right ? -1 : 0
  }
}

/// A point with double coordinates, as readers of the decimals get them.
struct DoublePoint: PlanarPoint {
  var x: Double
  var y: Double

  init(x: Double, y: Double) {
    self.x = x
    self.y = y
  }

  /// The same as parsing the decimals: the integer and the power of ten are exact doubles, and the
  /// division rounds to the nearest double, as parsing does.
  init(_ coordinate: Coordinate, digits: UInt8) {
    var power = 1.0
    for _ in 0..<digits { power *= 10 }
    x = Double(coordinate.longitude) / power
    y = Double(coordinate.latitude) / power
  }

  static func orientation(_ a: DoublePoint, _ b: DoublePoint, _ c: DoublePoint) -> Int {
    let left = (a.x - c.x) * (b.y - c.y)
    let right = (a.y - c.y) * (b.x - c.x)
    let estimate = left - right
    // Shewchuk's first bound: (3 + 16ε)ε times the sum of the products, ε = 2^-53.
    let bound = 3.3306690738754716e-16 * (left.magnitude + right.magnitude)
    if estimate > bound { return 1 }
    if -estimate > bound { return -1 }
    return exactOrientation(a, b, c)
  }

  /// The sign of a.x·b.y − a.y·b.x + b.x·c.y − b.y·c.x + c.x·a.y − c.y·a.x. Each product is the
  /// exact sum of two doubles, and the sums are exact, too.
  static func exactOrientation(_ a: DoublePoint, _ b: DoublePoint, _ c: DoublePoint) -> Int {
    var sum = Expansion()
    sum.add(a.x, times: b.y)
    sum.add(-a.y, times: b.x)
    sum.add(b.x, times: c.y)
    sum.add(-b.y, times: c.x)
    sum.add(c.x, times: a.y)
    sum.add(-c.y, times: a.x)
    return sum.sign
  }
}

/// An exact sum of doubles: components that don't overlap, smallest first (Shewchuk, 1997).
struct Expansion {
  private var components: [Double] = []

  /// Adds a product exactly, unless it underflows.
  mutating func add(_ x: Double, times y: Double) {
    let product = x * y
    add((-product).addingProduct(x, y))
    add(product)
  }

  /// Adds a number exactly (Grow-Expansion).
  mutating func add(_ number: Double) {
    var carry = number
    var grown: [Double] = []
    for component in components {
      let sum = carry + component
      let part = sum - carry
      let error = (carry - (sum - part)) + (component - part)
      if error != 0 { grown.append(error) }
      carry = sum
    }
    if carry != 0 { grown.append(carry) }
    components = grown
  }

  /// The sign: that of the largest component.
  var sign: Int {
    guard let largest = components.last else { return 0 }
    return largest > 0 ? 1 : -1
  }
}
