/// The generator that turns a seed into numbers.
///
/// SplitMix64 (Steele, Lea and Flood, 2014), whose i-th output can be had without the ones before.
public enum SplitMix64 {
  /// The `index`-th output, counted from 0, of the generator whose state starts at `seed`.
  ///
  /// Defined for every index; sums and products wrap, as the generator means them.
  @inlinable
  public static func number(_ seed: UInt64, _ index: UInt64) -> UInt64 {
    var z = seed &+ (index &+ 1) &* 0x9E37_79B9_7F4A_7C15
    z = (z ^ z >> 30) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ z >> 27) &* 0x94D0_49BB_1331_11EB
    return z ^ z >> 31
  }
}
