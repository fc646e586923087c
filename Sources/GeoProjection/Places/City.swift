/// Where a folder's own files are: in its city, and in those lots of its countryside that no
/// sub-folder has taken.
@frozen public struct City: BitwiseCopyable, Hashable, Sendable {
  /// The seed of the folder whose files these are: it begins their hashes.
  public var folderSeed: UInt64
  /// The quad that files in the city are spread over, on the plan.
  public var frame: Quad
  /// What the lots are cut from; of no account if none is free.
  public var countryside: Quad
  /// The lots that are free; none in layout ``Layout/pinned`` or of a folder without land.
  public var freeLots: LotSet
  /// How many cuts make the lots, 0 to 4.
  public var lotBits: UInt8
  /// Decimals of its files' coordinates, 6 to 13.
  public var digits: UInt8
  /// The first zoom at which its files are visible.
  public var minzoom: UInt8
  /// What part of the files stays in the city although their lots are free, in units of 2^-32.
  public var share: UInt32

  /// A city without lots.
  @inlinable
  public init(folderSeed: UInt64, frame: Quad, digits: UInt8, minzoom: UInt8) {
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
  /// The city of a folder that owns land.
  ///
  /// - Parameters:
  ///   - taken: The lots that sub-folders have.
  ///   - fileCount: How many entries of the listing are no folders.
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

  /// The city of the folder that isn't anywhere.
  package static var nowhere: City {
    let origin = PlanPoint(x: 0, y: 0)
    return City(
      folderSeed: 0, frame: Quad(origin, origin, origin, origin), digits: 6, minzoom: 0)
  }

  /// The city that the nodes of a folder without land are in: that of its nearest ancestor with
  /// land.
  init(ofLandless folder: FolderPlace) {
    self.init(
      folderSeed: folder.seed, frame: folder.land, digits: folder.digits, minzoom: folder.minzoom)
  }
}

/// The outline of ground on which files of a folder stand.
public struct TownGround: Hashable, Sendable {
  /// About how many files stand on it.
  public let files: Int
  /// Its outline, not closed, in integers of 10^-``digits`` degrees.
  public let ring: [Coordinate]
  /// Decimals of its coordinates.
  public let digits: UInt8
}

extension City {
  /// About how many files stand on one of its quads: in a lot its part of those that don't stay in the
  /// city, and in the city the rest.
  ///
  /// - Parameters:
  ///   - number: 0 for the city, one more than the lot's for a free lot.
  ///   - fileCount: How many files there are in all.
  package func residents(ofQuad number: Int, of fileCount: Int) -> Int {
    let leaving = Double(fileCount) * (1 - Double(share) * 0x1p-32)
    let each = Int(leaving) >> Int(lotBits)
    return number == 0 ? fileCount - each * freeLots.count : each
  }
}

extension GeoProjectionEngine {
  /// How wide the ground of files has to be to be drawn before they are, in units of a tile's grid.
  package static let leastTown: Int64 = 40

  /// The ground on which a folder's files stand, as far as it is to be drawn before they come into sight.
  ///
  /// Its sides are curves on the map, which points follow the more, the less deep the folder is.
  ///
  /// - Parameters:
  ///   - city: Where the files are.
  ///   - folder: The folder.
  ///   - fileCount: How many files there are.
  /// - Complexity: O(lots).
  package func towns(of city: City, in folder: FolderPlace, fileCount: Int) -> [TownGround] {
    guard folder.isLanded, fileCount > 0, city.minzoom > folder.minzoom else { return [] }
    // It is drawn largest at the zoom before.
    let zoom = Int(city.minzoom) - 1
    let least = Self.leastTown << Int64(max(0, 50 - zoom))
    let degrees = Degrees(digits: min(city.digits, UInt8(2 + zoom * 3 / 10)))
    let steps = Int64(max(1, Self.coastCount(atDepth: folder.depth) / 32))
    var frames = FileFrames(of: city)
    return frames.quads().enumerated().compactMap { number, quad in
      let files = city.residents(ofQuad: number, of: fileCount)
      guard let quad, files > 0, quad.breadth >= least else { return nil }
      return TownGround(
        files: files, ring: outline(of: quad, steps: steps, degrees), digits: degrees.digits)
    }
  }
}
