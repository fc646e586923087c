/// The quads that contain a folder's files: its city and its free lots, which are cut when first
/// needed.
///
/// Quad 0 is the city; the quad of a lot is the lot's number plus one. The memory is reused from
/// folder to folder.
package struct FileFrames {
  private var city: City
  private(set) var home: Frame
  /// The quads of lots by number, valid if they were cut for this city.
  private var frames: [Frame] = []
  private var drawn = LotSet()

  package init() { self.init(of: .nowhere) }

  package init(of city: City) {
    self.city = city
    home = Frame(city.frame)
  }

  /// Changes to another city; keeps the lots if it is the same one.
  package mutating func enter(_ city: City) {
    if city.folderSeed == self.city.folderSeed, city == self.city { return }
    self.city = city
    home = Frame(city.frame)
    drawn = LotSet()
  }

  var hasLots: Bool { !city.freeLots.isEmpty }

  /// The number of the quad that a file is in.
  @inline(__always)
  package func number(of seed: UInt64) -> Int {
    let number = SplitMix64.number(seed, 1)
    let lot = ((number & 0xFFFF_FFFF) &<< UInt64(city.lotBits)) &>> 32
    // Branchless, because a branch would be unpredictable.
    let isFree = UInt64(city.freeLots.rawValue) &>> lot & 1
    let leaves: UInt64 = number &>> 32 < UInt64(city.share) ? 0 : isFree
    return Int(truncatingIfNeeded: leaves &* (lot &+ 1))
  }

  /// Cuts those of some lots that are free and not cut yet.
  package mutating func draw(_ lots: LotSet) {
    let missing = lots.intersection(city.freeLots).subtracting(drawn)
    if missing.isEmpty { return }
    drawn.formUnion(missing)
    let count = 1 + 1 << Int(city.lotBits)
    if frames.count < count { frames.resize(to: count, home) }
    draw(missing, in: city.countryside, bit: 0, first: 0)
  }

  /// Cuts a quad down to its missing lots.
  private mutating func draw(_ missing: LotSet, in quad: Quad, bit: Int, first: Int) {
    let bits = Int(city.lotBits)
    if bit == bits {
      frames[1 + first] = Frame(Ground.frame(ofLot: quad))
      return
    }
    let middle = first + 1 << (bits - bit - 1)
    let end = first + 1 << (bits - bit)
    let key = UInt64(first) << UInt64(64 - bits)
    let (a, b) = quad.cut(atBit: bit, of: key, seed: city.folderSeed)
    if missing.hasAny(of: first..<middle) { draw(missing, in: a, bit: bit + 1, first: first) }
    if missing.hasAny(of: middle..<end) { draw(missing, in: b, bit: bit + 1, first: middle) }
  }

  /// The point of a file on the plan.
  ///
  /// - Parameter number: The number of its quad, which must be the city or a lot that was cut.
  @inline(__always)
  package func point(of seed: UInt64, in number: Int) -> PlanPoint {
    number == 0 ? home.point(of: seed) : frames[number].point(of: seed)
  }

  /// The point of a file on the plan; cuts its lot if needed.
  package mutating func point(of seed: UInt64) -> PlanPoint {
    let number = number(of: seed)
    if number > 0 { draw(LotSet(lot: number - 1)) }
    return point(of: seed, in: number)
  }

  /// All quads by number, with all free lots cut; nil for a lot that isn't free.
  package mutating func quads() -> [Quad?] {
    draw(city.freeLots)
    return [city.frame]
      + (0..<1 << Int(city.lotBits)).map { lot in
        drawn.contains(LotSet(lot: lot)) ? frames[1 + lot].quad : nil
      }
  }
}
