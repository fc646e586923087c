/// Where a folder is: all that is needed to place whatever is in it.
@frozen public struct FolderPlace: BitwiseCopyable, Hashable, Sendable {
  /// The hash of its path.
  public var seed: UInt64
  /// Its territory on the plan; of a landless folder, the frame of the city that takes it in.
  public var land: Quad
  /// 0 for a root, 1 for its sub-folders, and so on.
  public var depth: Int32
  /// Decimals of its coordinates, 6 to 13.
  public var digits: UInt8
  /// The first zoom at which it is visible.
  public var minzoom: UInt8
  /// Whether it owns land; if not it is a point in the city of its nearest ancestor that does.
  public var isLanded: Bool

  /// A place of the given parts.
  @inlinable
  public init(
    seed: UInt64, land: Quad, depth: Int32, digits: UInt8, minzoom: UInt8, isLanded: Bool
  ) {
    self.seed = seed
    self.land = land
    self.depth = depth
    self.digits = digits
    self.minzoom = minzoom
    self.isLanded = isLanded
  }

  /// The node's 53-bit identifier, exact in a JSON number.
  @inlinable public var id: UInt64 { seed >> 11 }

  /// Its rank on the map.
  public var kind: NodeKind { NodeKind(folderAtDepth: Int(depth)) }
}

/// Where a file is.
@frozen public struct FilePlace: BitwiseCopyable, Hashable, Sendable {
  /// The hash of its path.
  public var seed: UInt64
  /// Its coordinate, in integers of 10^-digits degrees of its ``City``.
  public var coordinate: Coordinate

  /// A place of the given seed and coordinate.
  @inlinable
  public init(seed: UInt64, coordinate: Coordinate) {
    self.seed = seed
    self.coordinate = coordinate
  }

  /// The node's 53-bit identifier, exact in a JSON number.
  @inlinable public var id: UInt64 { seed >> 11 }
}

/// The quads that the files of a folder are spread over: that of its city, and those of its free
/// lots, which are cut when a file first needs one.
///
/// A quad's number is 0 for the city, and one more than the lot's for a lot. The memory is used again
/// from folder to folder.
package struct FileFrames {
  private var city: City
  /// The city's quad.
  private(set) var home: Frame
  /// By their numbers, as far as they were cut for this city.
  private var frames: [Frame] = []
  /// The lots that were cut.
  private var drawn = LotSet()

  /// No quads of any city yet.
  package init() { self.init(of: .nowhere) }

  /// The quads of a city.
  package init(of city: City) {
    self.city = city
    home = Frame(city.frame)
  }

  /// Goes on to another city; those of the same one stay as they are.
  package mutating func enter(_ city: City) {
    if city.folderSeed == self.city.folderSeed, city == self.city { return }
    self.city = city
    home = Frame(city.frame)
    drawn = LotSet()
  }

  /// Whether files may live anywhere but in the city.
  var hasLots: Bool { !city.freeLots.isEmpty }

  /// The number of the quad that a file is in.
  @inline(__always)
  package func number(of seed: UInt64) -> Int {
    let number = SplitMix64.number(seed, 1)
    let lot = ((number & 0xFFFF_FFFF) &<< UInt64(city.lotBits)) &>> 32
    // Without a branch, which nothing could foretell.
    let isFree = UInt64(city.freeLots.rawValue) &>> lot & 1
    let leaves: UInt64 = number &>> 32 < UInt64(city.share) ? 0 : isFree
    return Int(truncatingIfNeeded: leaves &* (lot &+ 1))
  }

  /// Cuts those of some free lots that weren't cut.
  package mutating func draw(_ lots: LotSet) {
    let missing = lots.intersection(city.freeLots).subtracting(drawn)
    if missing.isEmpty { return }
    drawn.formUnion(missing)
    let count = 1 + 1 << Int(city.lotBits)
    if frames.count < count { frames.resize(to: count, home) }
    draw(missing, in: city.countryside, bit: 0, first: 0)
  }

  /// Cuts a quad down to those of its lots that are missing.
  ///
  /// - Parameters:
  ///   - bit: How many cuts led to the quad.
  ///   - first: The number of its first lot.
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

  /// Where a file is on the plan.
  ///
  /// - Parameter number: That of its quad, which must be the city or a lot that was cut.
  @inline(__always)
  package func point(of seed: UInt64, in number: Int) -> PlanPoint {
    number == 0 ? home.point(of: seed) : frames[number].point(of: seed)
  }

  /// Where a file is on the plan; its lot is cut if need be.
  package mutating func point(of seed: UInt64) -> PlanPoint {
    let number = number(of: seed)
    if number > 0 { draw(LotSet(lot: number - 1)) }
    return point(of: seed, in: number)
  }

  /// The quads by their numbers, all free lots cut; nil for a lot that isn't free.
  package mutating func quads() -> [Quad?] {
    draw(city.freeLots)
    return [city.frame]
      + (0..<1 << Int(city.lotBits)).map { lot in
        drawn.contains(LotSet(lot: lot)) ? frames[1 + lot].quad : nil
      }
  }
}

/// A quad that nodes are spread over, as two sides and their vectors.
struct Frame {
  private let north: PlanPoint
  private let south: PlanPoint
  private let northVector: PlanPoint
  private let southVector: PlanPoint

  init(_ quad: Quad) {
    north = quad.q0
    south = quad.q3
    northVector = PlanPoint(x: quad.q1.x - quad.q0.x, y: quad.q1.y - quad.q0.y)
    southVector = PlanPoint(x: quad.q2.x - quad.q3.x, y: quad.q2.y - quad.q3.y)
  }

  /// Where the node of a seed is on the plan, in units of it: as far along as the upper half of
  /// its key says, as far down as the lower half.
  ///
  /// Sums within the plan, which fit as in ``PlanPoint``.
  @inline(__always)
  func point(of seed: UInt64) -> PlanPoint {
    let key = SplitMix64.number(seed, 0)
    let u = Int64(truncatingIfNeeded: key &>> 32)
    let v = Int64(truncatingIfNeeded: key & 0xFFFF_FFFF)
    let top = PlanPoint(
      x: north.x &+ northVector.x.scaled(by: u), y: north.y &+ northVector.y.scaled(by: u))
    let bottom = PlanPoint(
      x: south.x &+ southVector.x.scaled(by: u), y: south.y &+ southVector.y.scaled(by: u))
    return top.lerp(to: bottom, v)
  }

  /// The quad again.
  var quad: Quad {
    Quad(
      north, PlanPoint(x: north.x + northVector.x, y: north.y + northVector.y),
      PlanPoint(x: south.x + southVector.x, y: south.y + southVector.y), south)
  }
}
