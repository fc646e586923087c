#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The functions of libm that drawings need. No place on a map depends on them, for their last bits
/// differ from machine to machine.
public enum Logarithm {
  /// The logarithm to the base of ten.
  public static func ofTen(_ number: Double) -> Double { log10(number) }

  /// A number raised to a power.
  public static func power(_ number: Double, _ exponent: Double) -> Double { pow(number, exponent) }
}
