/// SplitMix64: the same numbers from the same seed, on every machine.
struct Random: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  /// A generator for one part of a whole, independent of the numbers drawn for other parts.
  init(seed: UInt64, part: Int) {
    var mixer = Random(seed: seed ^ UInt64(truncatingIfNeeded: part) &* 0xD6E8_FEB8_6659_FD93)
    state = mixer.next()
  }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ z >> 30) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ z >> 27) &* 0x94D0_49BB_1331_11EB
    return z ^ z >> 31
  }

  /// A number from 0 to `limit` − 1; 0 if `limit` is less than 1.
  mutating func below(_ limit: Int) -> Int {
    limit <= 1 ? 0 : Int(next().multipliedFullWidth(by: UInt64(limit)).high)
  }

  /// A number from 0 up to but not including 1.
  mutating func unit() -> Double { Double(next() >> 11) * 0x1p-53 }

  /// True with probability 1/n.
  mutating func oneIn(_ n: Int) -> Bool { below(n) == 0 }

  /// A roughly normal number of mean 0 and deviation 1, as the sum of twelve uniform ones.
  ///
  /// Only additions are used: mathematical libraries differ between machines.
  mutating func normal() -> Double {
    var sum = -6.0
    for _ in 0..<12 { sum += unit() }
    return sum
  }

  /// A number spread around 2^`middle`, with a deviation of `spread` powers of two.
  mutating func powerOfTwo(around middle: Double, spread: Double) -> Int {
    let exponent = max(0, min(40, middle + spread * normal()))
    let whole = exponent.rounded(.down)
    return Int((1 + exponent - whole) * Double(1 << Int(whole)))
  }

  mutating func pick<Element>(_ list: [Element]) -> Element { list[below(list.count)] }

  mutating func shuffle<Element>(_ list: inout [Element]) {
    for last in stride(from: list.count - 1, to: 0, by: -1) { list.swapAt(last, below(last + 1)) }
  }
}
