#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The functions of libm that drawings need.
///
/// No place on a map may depend on them, because their last bits differ between machines.
package enum Logarithm {
  /// The logarithm to the base of ten.
  package static func ofTen(_ number: Double) -> Double { log10(number) }

  /// A number raised to a power.
  package static func power(_ number: Double, _ exponent: Double) -> Double {
    pow(number, exponent)
  }
}

/// The functions of libm that great circles need.
///
/// No place on a map may depend on them, because their last bits differ between machines.
package enum Trigonometry {
  /// The sine of an angle in radians.
  package static func sine(_ angle: Double) -> Double { sin(angle) }

  /// The cosine of an angle in radians.
  package static func cosine(_ angle: Double) -> Double { cos(angle) }

  /// The angle in radians whose sine is the given number.
  package static func arcSine(_ sine: Double) -> Double { asin(sine) }

  /// The angle in radians, −π to π, of the direction to (x, y).
  package static func angle(y: Double, x: Double) -> Double { atan2(y, x) }
}
