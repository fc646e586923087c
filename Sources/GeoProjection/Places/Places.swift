/// The place of a folder: all that is needed to place its contents.
@frozen public struct FolderPlace: BitwiseCopyable, Hashable, Sendable {
  @usableFromInline package var seed: UInt64
  /// Its territory on the plan; for a folder without land, the frame of the city that contains it.
  @usableFromInline package var land: Quad
  /// 0 for a root, 1 for its sub-folders, and so on.
  public var depth: Int32
  /// Decimals of its coordinates, 6 to 13.
  public var digits: UInt8
  /// The first zoom at which it is visible.
  public var minzoom: UInt8
  /// Whether it owns land. A folder without land is a point in the city of its nearest ancestor with
  /// land.
  public var isLanded: Bool

  @inlinable
  package init(
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

  /// Its kind on the map.
  public var kind: NodeKind { NodeKind(folderAtDepth: Int(depth)) }
}

/// The place of a file.
@frozen public struct FilePlace: BitwiseCopyable, Hashable, Sendable {
  @usableFromInline package var seed: UInt64
  /// Its coordinate, in integers of 10^-digits degrees of its ``City``.
  public var coordinate: Coordinate

  @inlinable
  package init(seed: UInt64, coordinate: Coordinate) {
    self.seed = seed
    self.coordinate = coordinate
  }

  /// The node's 53-bit identifier, exact in a JSON number.
  @inlinable public var id: UInt64 { seed >> 11 }
}

/// A quad that contains nodes, as two sides and their vectors.
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

  /// The point of a node on the plan: the upper half of its key gives the fraction from west to
  /// east, the lower half from north to south.
  ///
  /// The sums stay within the plan and can't overflow; see ``PlanPoint``.
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

  var quad: Quad {
    Quad(
      north, PlanPoint(x: north.x + northVector.x, y: north.y + northVector.y),
      PlanPoint(x: south.x + southVector.x, y: south.y + southVector.y), south)
  }
}

/// The area of a folder's own files: its city, and the lots that no sub-folder has taken.
@frozen public struct City: BitwiseCopyable, Hashable, Sendable {
  /// The seed of the folder, from which the seeds of its files are hashed.
  @usableFromInline package var folderSeed: UInt64
  /// The quad that files in the city are spread over, on the plan.
  @usableFromInline package var frame: Quad
  /// The quad that the lots are cut from; unused if no lot is free.
  @usableFromInline package var countryside: Quad
  /// The lots that are free; none in layout `pinned` or of a folder without land.
  @usableFromInline package var freeLots: LotSet
  /// The number of cuts that make the lots, 0 to 4.
  @usableFromInline package var lotBits: UInt8
  /// Decimals of its files' coordinates, 6 to 13.
  public var digits: UInt8
  /// The first zoom at which its files are visible.
  public var minzoom: UInt8
  /// The share of files that stay in the city although their lots are free, in units of 2^-32.
  @usableFromInline package var share: UInt32

  @inlinable
  package init(folderSeed: UInt64, frame: Quad, digits: UInt8, minzoom: UInt8) {
    self.folderSeed = folderSeed
    self.frame = frame
    self.digits = digits
    self.minzoom = minzoom
    countryside = frame
    freeLots = LotSet()
    lotBits = 0
    share = 0
  }
}

extension City {
  init(
    of folder: FolderPlace, ground: Ground, layout: Layout, taken: LotSet, fileCount: Int
  ) {
    let bits = ShareOut.lotBits(depth: folder.depth)
    let share = Ground.cityShare(depth: folder.depth)
    var crowd = max(1, fileCount)
    if layout == .settled {
      crowd = Minzoom.crowd(
        files: fileCount, cityEighths: Int(share >> 29), lotBits: bits, taken: taken.count)
    }
    self.init(
      folderSeed: folder.seed, frame: ground.frame, digits: folder.digits,
      minzoom: Minzoom.files(
        breadth: ground.city.breadth, crowd: crowd, folder: folder.minzoom))
    guard layout == .settled else { return }
    countryside = ground.countryside
    freeLots = LotSet(lotBits: bits).subtracting(taken)
    lotBits = UInt8(truncatingIfNeeded: bits)
    self.share = UInt32(truncatingIfNeeded: share)
  }

  /// A placeholder for the roots, which are in no folder's city.
  package static var nowhere: City {
    let origin = PlanPoint(x: 0, y: 0)
    return City(
      folderSeed: 0, frame: Quad(origin, origin, origin, origin), digits: 6, minzoom: 0)
  }

  /// The city for the nodes of a folder without land: that of its nearest ancestor with land.
  init(ofLandless folder: FolderPlace) {
    self.init(
      folderSeed: folder.seed, frame: folder.land, digits: folder.digits, minzoom: folder.minzoom)
  }
}

/// An area that holds files of a folder.
package struct TownGround: Hashable, Sendable {
  /// The estimated number of files in it.
  package let files: Int
  /// Its outline, not closed, in integers of 10^-``digits`` degrees.
  package let ring: [Coordinate]
  /// Decimals of its coordinates.
  package let digits: UInt8
}

extension City {
  /// Estimates the number of files in one of its quads.
  ///
  /// Each lot has an equal part of the files that may leave the city; the city has the rest.
  ///
  /// - Parameter number: 0 for the city; for a free lot, the lot's number plus one.
  package func residents(ofQuad number: Int, of fileCount: Int) -> Int {
    let leaving = Double(fileCount) * (1 - Double(share) * 0x1p-32)
    let each = Int(leaving) >> Int(lotBits)
    return number == 0 ? fileCount - each * freeLots.count : each
  }
}

extension GeoProjectionEngine {
  /// The least breadth of an area in ``towns(of:in:fileCount:)``, in units of a tile's grid.
  package static let minimumTown: Int64 = 40

  /// The areas of a folder's files that are large enough to draw at zooms where the files are
  /// hidden.
  ///
  /// The sides are curves on the map. Shallower folders get more points to follow them.
  ///
  /// - Complexity: O(lots).
  package func towns(of city: City, in folder: FolderPlace, fileCount: Int) -> [TownGround] {
    guard folder.isLanded, fileCount > 0, city.minzoom > folder.minzoom else { return [] }
    // The zoom before the files appear shows the areas largest.
    let zoom = Int(city.minzoom) - 1
    let minimum = Self.minimumTown << Int64(max(0, 50 - zoom))
    let degrees = Degrees(digits: min(city.digits, UInt8(2 + zoom * 3 / 10)))
    let steps = Int64(max(1, Self.coastCount(atDepth: folder.depth) / 32))
    var frames = FileFrames(of: city)
    return frames.quads().enumerated().compactMap { number, quad in
      let files = city.residents(ofQuad: number, of: fileCount)
      guard let quad, files > 0, quad.breadth >= minimum else { return nil }
      return TownGround(
        files: files, ring: outline(of: quad, steps: steps, degrees), digits: degrees.digits)
    }
  }
}
