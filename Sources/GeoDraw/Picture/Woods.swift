import GeoProjection

/// Woods: each tree stands for a number of files. Trees grow in clumps, near the files.
struct Woods: Sendable {
  /// The number of files that a tree stands for: 1, 2 or 5 times a power of ten.
  let files: Double
  /// The places of the trees, from north to south.
  let trees: [Point]
  let isFull: Bool

  /// The least distance between trees, and the side of the squares that have one each, in units.
  private static let apart = 3.1
  private static let spacing = 3.4
  private static let maximum = 2_400.0

  static let none = Woods()

  private init() { (files, trees, isFull) = (1, [], false) }

  init(on map: LandMap) {
    let all = map.tree.tops.reduce(0.0) { $0 + Double(map.tree.folders[$1].totals?.files ?? 0) }
    let files = Self.filesForTree(all)
    self.files = files
    var wanted: [Int32: Int] = [:]
    var rest = 0.0
    let shares = Self.shares(of: map)
    for folder in map.order where (map.lands[folder]?.rank ?? -1) >= 0 && !map.isRoot(folder) {
      // Files of folders that aren't drawn count for the land around them.
      var count = Double(map.tree.folders[folder].totals?.files ?? 0)
      for child in map.tree.folders[folder].children where map.lands[child] != nil {
        count -= Double(map.tree.folders[child].totals?.files ?? 0)
      }
      rest += max(0, count) * (shares[folder] ?? 1) / files
      let whole = rest.rounded(.down)
      rest -= whole
      if whole > 0 { wanted[Self.ground(of: folder, on: map), default: 0] += Int(min(whole, 1e6)) }
    }
    var (trees, isFull): ([Point], Bool) = ([], false)
    let spots = Self.spots(on: map, wanted)
    for (land, count) in wanted {
      let free = spots[land] ?? []
      if free.count < count { isFull = true }
      trees += free.sorted { ($0.rank, $0.point.x, $0.point.y) < ($1.rank, $1.point.x, $1.point.y) }
        .prefix(count).map(\.point)
    }
    self.isFull = isFull
    self.trees = trees.sorted { ($0.y, $0.x) < ($1.y, $1.x) }
  }

  /// The share of each land that is in sight, of lands that are partly out of it.
  private static func shares(of map: LandMap) -> [Int: Double] {
    var cells: [Int: Int] = [:]
    for land in map.grid.cells where land != LandGrid.sea { cells[Int(land), default: 0] += 1 }
    // Lands follow those around them.
    for folder in map.order.reversed() {
      guard let parent = map.tree.folders[folder].parent else { continue }
      cells[parent, default: 0] += cells[folder] ?? 0
    }
    var shares: [Int: Double] = [:]
    for folder in map.order {
      guard let land = map.lands[folder], !land.ring.allSatisfy(map.grid.frame.contains)
      else { continue }
      let seen = Double(cells[folder] ?? 0) * map.grid.step * map.grid.step
      shares[folder] = min(1, seen / max(1, Line.area(land.ring)))
    }
    return shares
  }

  static func filesForTree(_ files: Double) -> Double {
    var ten = 1.0
    while true {
      for lead in [1.0, 2, 5] where files / (ten * lead) <= maximum { return ten * lead }
      ten *= 10
    }
  }

  private static let broad = 24.0

  /// The land on which a folder's trees grow: its own, or the nearest broad one around it.
  private static func ground(of folder: Int, on map: LandMap) -> Int32 {
    var at = folder
    while let land = map.lands[at], land.rank > 1, land.breadth < broad,
      let parent = map.tree.folders[at].parent
    {
      at = parent
    }
    return Int32(at)
  }

  /// A possible place of a tree; places with a low rank are used first.
  private typealias Spot = (point: Point, rank: Double)

  private static func spots(on map: LandMap, _ wanted: [Int32: Int]) -> [Int32: [Spot]] {
    var spots: [Int32: [Spot]] = [:]
    let towns = FileGround(of: map, lands: Set(wanted.keys))
    var grounds: [Int32: Int32] = [LandGrid.sea: LandGrid.sea]
    for folder in map.order { grounds[Int32(folder)] = ground(of: folder, on: map) }
    let frame = map.view.frame
    let (across, down) = (Int(frame.width / spacing), Int(frame.height / spacing))
    // Of places that are too near to each other the first one stays, so that there are no rows.
    var last: [Point?] = []
    var row: [Point?] = []
    for y in 0..<down {
      (last, row) = (row, [])
      for x in 0..<across {
        let h = Field.mix(x, y, 4711)
        let point = Point(
          frame.left + (Double(x) + Double(h & 255) / 255) * spacing,
          frame.top + (Double(y) + Double(h >> 8 & 255) / 255) * spacing)
        let around = row.suffix(1) + last.dropFirst(max(0, x - 1)).prefix(3)
        if around.contains(where: { $0.map { $0.distance(to: point) < apart } ?? false }) {
          row.append(nil)
          continue
        }
        row.append(point)
        guard let land = grounds[map.grid.land(at: point)], wanted[land] != nil,
          Self.sides.allSatisfy({ grounds[map.grid.land(at: point + $0)] == land })
        else { continue }
        // The densest clumps are where the land's own files are.
        let grain = Double(h >> 16 & 255) / 255
        let rank =
          -Self.clump(point) - (towns.holds(point, of: land) ? 0.5 : 0) + 0.12 * grain
        spots[land, default: []].append((point, rank))
      }
    }
    return spots
  }

  /// The density of woods at a point: two skewed noise fields, so that their grids don't show.
  private static func clump(_ point: Point) -> Double {
    let (x, y) = (point.x + 0.5 * point.y, point.y - 0.5 * point.x)
    return 0.6 * Field.value(x / 38, y / 38, seed: 97)
      + 0.4 * Field.value(y / 13, x / 13, seed: 98)
  }

  /// The offsets at which a tree's surroundings must be of the same land, to keep it off borders
  /// and out of gaps between them.
  private static let sides = [
    Point(-4, 0), Point(4, 0), Point(0, -4), Point(0, 4), Point(-2.6, -2.6), Point(2.6, -2.6),
    Point(-2.6, 2.6), Point(2.6, 2.6),
  ]
}

extension Woods {
  /// Draws a tree at each point: its shadow, its crown, and a highlight.
  static func paint(_ trees: [Point], _ theme: Theme, _ pen: inout Pen) {
    if trees.isEmpty { return }
    let layers = [(0.55, 0.75, "3.3", ".75"), (0, 0, "3", "1"), (-0.45, -0.55, "1.3", ".9")]
    pen.group("fill=\"none\" stroke-linecap=\"round\"") { pen in
      for (colour, (x, y, width, opacity)) in zip(theme.wood, layers) {
        let dots = SVGText.dots(trees.map { $0 + Point(x, y) })
        pen.svg.line("<path d=\"\(dots)\" \(colour.stroke(width, opacity))/>")
      }
    }
  }
}

/// The areas that hold the files of some lands: their cities and free lots.
private struct FileGround {
  private var rings: [Int32: [[Point]]] = [:]

  init(of map: LandMap, lands: Set<Int32>) {
    for land in lands {
      let folder = map.tree.folders[Int(land)]
      guard folder.ownFiles > 0, var frames = folder.city.map({ FileFrames(of: $0) }) else {
        continue
      }
      rings[land] = frames.quads().compactMap { $0 }.map { quad in
        map.view.drawn([quad.q0, quad.q1, quad.q2, quad.q3].map { map.tree.engine.chart($0) })
      }
    }
  }

  func holds(_ point: Point, of land: Int32) -> Bool {
    rings[land]?.contains { Line.encloses($0, point) } ?? false
  }
}
