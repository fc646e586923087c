import GeoSystem

/// Woods: a tree for each so many files, where the files are, none on high ground.
struct Woods: Sendable {
  /// How many files a tree stands for: 1, 2 or 5 times a power of ten.
  let files: Double
  /// Where the trees stand, from north to south.
  let trees: [Point]
  /// Whether some land was full.
  let isFull: Bool

  /// How far apart trees stand, in units.
  private static let spacing = 3.9
  /// How many trees there should be at most.
  private static let most = 2_400.0
  /// From which height on none grow.
  private static let treeLine = 0.4

  /// The woods of a map's lands.
  init(on map: LandMap, relief: Relief?) {
    let all = map.tree.tops.reduce(0.0) { $0 + Double(map.tree.folders[$1].totals?.files ?? 0) }
    let files = Self.filesForTree(all)
    self.files = files
    var wanted: [Int32: Int] = [:]
    var rest = 0.0
    for folder in map.order where (map.lands[folder]?.rank ?? -1) >= 0 {
      // Files below what isn't drawn grow on the land that is.
      var count = Double(map.tree.folders[folder].totals?.files ?? 0)
      for child in map.tree.folders[folder].children where map.lands[child] != nil {
        count -= Double(map.tree.folders[child].totals?.files ?? 0)
      }
      rest += max(0, count) / files
      let whole = rest.rounded(.down)
      rest -= whole
      if whole > 0 { wanted[Self.ground(of: folder, on: map), default: 0] += Int(min(whole, 1e6)) }
    }
    var (trees, isFull): ([Point], Bool) = ([], false)
    let sites = Self.sites(on: map, relief, wanted)
    for (land, count) in wanted {
      let free = sites[land] ?? []
      if free.count < count { isFull = true }
      trees += free.sorted { ($0.rank, $0.point.x, $0.point.y) < ($1.rank, $1.point.x, $1.point.y) }
        .prefix(count).map(\.point)
    }
    self.isFull = isFull
    self.trees = trees.sorted { ($0.y, $0.x) < ($1.y, $1.x) }
  }

  /// So many files that there are not too many trees.
  static func filesForTree(_ files: Double) -> Double {
    var ten = 1.0
    while true {
      for lead in [1.0, 2, 5] where files / (ten * lead) <= most { return ten * lead }
      ten *= 10
    }
  }

  /// How broad a land is at least that has woods of its own, in units.
  private static let broad = 24.0

  /// The land that the trees of a folder stand on: its own, or a broad one around it.
  private static func ground(of folder: Int, on map: LandMap) -> Int32 {
    var at = folder
    while let land = map.lands[at], land.rank > 1, land.breadth < broad,
      let parent = map.tree.folders[at].parent
    {
      at = parent
    }
    return Int32(at)
  }

  /// Where a tree may stand, and how late.
  private struct Site {
    let point: Point
    let rank: Double
  }

  private static func sites(
    on map: LandMap, _ relief: Relief?, _ wanted: [Int32: Int]
  ) -> [Int32: [Site]] {
    var sites: [Int32: [Site]] = [:]
    let towns = FileGround(of: map, lands: Set(wanted.keys))
    var grounds: [Int32: Int32] = [LandGrid.sea: LandGrid.sea]
    for folder in map.order { grounds[Int32(folder)] = ground(of: folder, on: map) }
    let frame = map.view.frame
    let (across, down) = (Int(frame.width / spacing), Int(frame.height / spacing))
    for row in 0..<down {
      for column in 0..<across {
        let h = Field.mix(column, row, 4711)
        let shift = Point(
          (Double(h & 255) / 255 - 0.5) * 2.6, (Double(h >> 8 & 255) / 255 - 0.5) * 2.6)
        let point =
          Point(
            frame.left + (Double(column) + 0.5) * spacing,
            frame.top + (Double(row) + 0.5) * spacing) + shift
        guard let land = grounds[map.grid.land(at: point)], wanted[land] != nil,
          relief?.level(at: point) ?? 0 < treeLine,
          Self.sides.allSatisfy({ grounds[map.grid.land(at: point + $0)] == land })
        else { continue }
        // Woods are clumps; the thickest of them where the land's own files are.
        let clump = Self.clump(point)
        let grain = Double(h >> 16 & 255) / 255
        let rank = -clump - (towns.holds(point, of: land) ? 1.2 : 0) + 0.35 * grain
        sites[land, default: []].append(Site(point: point, rank: rank))
      }
    }
    return sites
  }

  /// How thick woods are at a point: two fields askew, so that no grid shows.
  private static func clump(_ point: Point) -> Double {
    let (x, y) = (point.x + 0.5 * point.y, point.y - 0.5 * point.x)
    return 0.7 * Field.value(x / 46, y / 46, seed: 97)
      + 0.3 * Field.value(y / 17, x / 17, seed: 98)
  }

  /// How far trees keep away from borders.
  private static let sides = [Point(-2.2, 0), Point(2.2, 0), Point(0, -2.2), Point(0, 2.2)]
}

/// Smooth noise that belongs to the world, so that nothing swims while one looks elsewhere.
package enum Field {
  /// A well-mixed 32-bit number for three others.
  package static func mix(_ a: Int, _ b: Int, _ c: Int) -> UInt32 {
    let (a, b, c) = (
      UInt32(truncatingIfNeeded: a), UInt32(truncatingIfNeeded: b), UInt32(truncatingIfNeeded: c)
    )
    var h = ((a ^ 0x9E37_79B9) &* 0x85EB_CA6B) ^ ((b ^ 0x1656_67B1) &* 0xC2B2_AE35)
    h = (h ^ (h >> 15) ^ c) &* 0x2C1B_3C6D
    h = (h ^ (h >> 12)) &* 0x297A_2D39
    return h ^ (h >> 15)
  }

  /// A smooth field between −1 and 1 with one value for each corner of a grid of whole numbers.
  package static func value(_ x: Double, _ y: Double, seed: Int) -> Double {
    let (left, top) = (x.rounded(.down), y.rounded(.down))
    let (fx, fy) = (x - left, y - top)
    let (ix, iy) = (Int(left), Int(top))
    let (sx, sy) = (fx * fx * (3 - 2 * fx), fy * fy * (3 - 2 * fy))
    let above =
      corner(ix, iy, seed) * (1 - sx) + corner(ix + 1, iy, seed) * sx
    let below =
      corner(ix, iy + 1, seed) * (1 - sx) + corner(ix + 1, iy + 1, seed) * sx
    return above * (1 - sy) + below * sy
  }

  private static func corner(_ x: Int, _ y: Int, _ seed: Int) -> Double {
    Double(mix(x, y, seed) & 0xFFFF) / 32767.5 - 1
  }

  /// How far lines are led astray at most, and how wide the waves are, in pixels.
  private static let amplitude = 1.7
  private static let cell = 40.0

  /// How far a line is led away from a point, in pixels, so that it looks drawn by hand.
  ///
  /// Lines that share the point stay shared, and what is nested stays nested: the field bends by less
  /// than it is wide.
  package static func wander(_ x: Double, _ y: Double) -> Point {
    Point(
      amplitude * value(x / cell, y / cell, seed: 7),
      amplitude * value(x / cell, y / cell, seed: 8))
  }

  /// Ridges from 0 to 1, sharp above and broad below. `x` and `y` are cells of relief.
  package static func ridges(_ x: Double, _ y: Double) -> Double {
    var sum = 0.0
    var weight = 0.68
    var size = 15.0
    for octave in 0..<3 {
      let value =
        1 - abs(value((x + 0.35 * y) / size, (y - 0.35 * x) / size, seed: 51 + octave))
      sum += weight * value * value
      weight *= 0.36
      size *= 0.46
    }
    return sum / 1.013
  }
}
