extension Quad {
  /// Cuts the quad in two, across its longer extent.
  ///
  /// - Parameters:
  ///   - first: Where the cut meets the northern (or western) side, in units of 2^-32.
  ///   - second: Where it meets the southern (or eastern) side.
  /// - Returns: The western (or northern) part, then the other one.
  package func cut(_ first: Int64, _ second: Int64) -> (Quad, Quad) {
    cut(first, second, acrossWidth: axes.isWide)
  }

  /// Cuts the quad in two where bit `bit` of a key decides.
  ///
  /// - Parameters:
  ///   - bit: Which bit, 0 (the highest) to 63.
  ///   - key: A key; of its bits only those before `bit` count.
  ///   - seed: The seed of the folder whose land is cut.
  /// - Returns: The part of those whose bit is 0, then that of those whose bit is 1.
  package func cut(atBit bit: Int, of key: UInt64, seed: UInt64) -> (Quad, Quad) {
    let axes = axes
    let before = bit == 0 ? 0 : key >> (64 - UInt64(bit))
    // The index wraps: with 63 bits before it, it may pass 2^64.
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
