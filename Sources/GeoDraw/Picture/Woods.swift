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
