/// Numbers positions along a Hilbert curve over the world, so that near positions mostly have near
/// numbers, and files in its order can be read by box.
///
/// The curve is that of D. Hilbert ("Über die stetige Abbildung einer Linie auf ein Flächenstück",
/// 1891) with 2^32 cells a side. It is followed four levels at a time: a square has one of four
/// orientations, and a table gives for each orientation and each 16th of both sides the number of
/// that part, 0 to 255, and its orientation.
package struct WorldCurve: Sendable {
  /// By orientation, then x and y of four bits each: the number on the curve, and in the high byte
  /// the next orientation.
  private let steps: [UInt16]

  package init() {
    steps = (0..<1024).map { Self.step(state: $0 >> 8, x: $0 >> 4 & 15, y: $0 & 15) }
  }

  private static func step(state: Int, x: Int, y: Int) -> UInt16 {
    var isSwapped = state & 1 == 1
    var isMirrored = state & 2 == 2
    var number = 0
    for level in (0..<4).reversed() {
      var (a, b) = (x >> level & 1, y >> level & 1)
      if isSwapped { (a, b) = (b, a) }
      if isMirrored { (a, b) = (1 - a, 1 - b) }
      number = number << 2 | (3 * a) ^ b
      if b == 0 {
        if a == 1 { isMirrored.toggle() }
        isSwapped.toggle()
      }
    }
    return UInt16(number | (isSwapped ? 256 : 0) | (isMirrored ? 512 : 0))
  }

  /// Takes eight table look-ups.
  @inline(__always)
  package func index(x: UInt32, y: UInt32) -> UInt64 {
    var index: UInt64 = 0
    var state: UInt16 = 0
    var shift: UInt32 = 28
    while true {
      let cell = (x &>> shift & 15) &<< 4 | (y &>> shift & 15)
      let step = steps[Int(state &<< 8 | UInt16(truncatingIfNeeded: cell))]
      index = index &<< 8 | UInt64(step & 255)
      state = step &>> 8
      if shift == 0 { return index }
      shift &-= 4
    }
  }

  /// The number of the cell that contains a position in degrees; positions outside of the world are
  /// moved to its edge.
  @inline(__always)
  package func index(longitude: Double, latitude: Double) -> UInt64 {
    index(
      x: Self.cell((longitude + 180) * (4_294_967_296.0 / 360)),
      y: Self.cell((latitude + 90) * (4_294_967_296.0 / 180)))
  }

  @inline(__always)
  private static func cell(_ number: Double) -> UInt32 {
    // Written so that NaN gives 0.
    number >= 4_294_967_295 ? .max : number > 0 ? UInt32(number) : 0
  }
}
