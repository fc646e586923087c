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
