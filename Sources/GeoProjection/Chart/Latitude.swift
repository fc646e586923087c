/// The inverse of the Mercator projection, as a quotient of polynomials.
///
/// Only +, × and ÷ of IEEE doubles in a fixed order, without fused multiply-add, so that every
/// machine has the same bits. Within 5 units in the last place of the exact value.
enum Latitude {
  /// Latitude in degrees of −1…1, the signed distance from the equator in half worlds.
  @inline(__always)
  static func degrees(_ r: Double) -> Double { degrees(SIMD4(repeating: r))[0] }

  /// Four latitudes at a time, each computed as it is alone.
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
