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
  private static let treeLine = 0.42

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
      if whole > 0 { wanted[Int32(folder)] = Int(min(whole, 1e6)) }
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

  /// Where a tree may stand, and how late.
  private struct Site {
    let point: Point
    let rank: Double
  }

  private static func sites(
    on map: LandMap, _ relief: Relief?, _ wanted: [Int32: Int]
  ) -> [Int32: [Site]] {
    var sites: [Int32: [Site]] = [:]
    let towns = TownGround(of: map, lands: Set(wanted.keys))
    let frame = map.view.frame
    let (across, down) = (Int(frame.width / spacing), Int(frame.height / spacing))
    for row in 0..<down {
      for column in 0..<across {
        let h = Field.mix(column, row, 4711)
        let shift = Point(
          (Double(h & 255) / 255 - 0.5) * 1.5, (Double(h >> 8 & 255) / 255 - 0.5) * 1.5)
        let point =
          Point(
            frame.left + (Double(column) + 0.5) * spacing,
            frame.top + (Double(row) + 0.5) * spacing) + shift
        let land = map.grid.land(at: point)
        guard wanted[land] != nil, relief?.level(at: point) ?? 0 < treeLine,
          isInside(point, land, map.grid)
        else { continue }
        // Woods are clumps; the thickest of them where the land's own files are.
        let clump = Field.value(point.x / 21, point.y / 21, seed: 97)
        let grain = Double(h >> 16 & 255) / 255
        let rank = -clump - (towns.holds(point, of: land) ? 1.2 : 0) + 0.35 * grain
        sites[land, default: []].append(Site(point: point, rank: rank))
      }
    }
    return sites
  }

  /// Whether a tree doesn't stand on a border.
  private static func isInside(_ point: Point, _ land: Int32, _ grid: LandGrid) -> Bool {
    [(-2.2, 0), (2.2, 0), (0, -2.2), (0, 2.2)].allSatisfy { (x, y) in
      grid.land(at: point + Point(x, y)) == land
    }
  }
}
