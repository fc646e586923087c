import GeoCore
import GeoProjection

struct DrawnLand: Sendable {
  let folder: Int
  /// Its level below the continent: 0 for a continent, negative for folders around it and their
  /// other sub-folders.
  let rank: Int
  let ring: [Point]
  let breadth: Double
  /// The breadth of the land around it in units.
  let around: Double
  let isBordered: Bool
  /// Whether it is a neighbour of the continent, drawn only to show what that borders on.
  let isBeside: Bool
  let tint: UInt8
  /// Its outline with the gaps closed.
  var outline: [[Point]] = []

  var area: Double { outline.reduce(0) { $0 + Line.area($1) } }
  /// The rank of its border; neighbours of the continent have that of a country.
  var borderRank: Int { isBeside ? 1 : max(0, rank) }
}

struct DrawnBorder: Sendable {
  let points: [Point]
  /// The lowest rank of the lands on its sides; 0 for a coast.
  let rank: Int
  let breadth: Double
}

/// The lands of a sheet with the gaps between them closed, and each border line once.
struct LandMap: Sendable {
  let tree: SheetTree
  let view: View
  private(set) var grid: LandGrid
  private(set) var lands: [Int: DrawnLand] = [:]
  /// The folders whose land is drawn, parents first.
  private(set) var order: [Int] = []
  private(set) var borders: [DrawnBorder] = []
  private(set) var hasShelf = false

  /// The least breadth of a drawn land, in units.
  static let finest = 2.5
  /// The least breadth of a land whose sub-folders have borders, in units.
  private static let looked = 64.0
  private static let maximum = 20_000
  private static let rim = 8.0
  /// How far land of roots extends around their sub-folders, and around their own files, in units.
  private static let shore = (land: 25.0, islet: 10.0)

  init(_ tree: SheetTree, on view: View, rootFiles: [NameTable] = []) {
    self.tree = tree
    self.view = view
    grid = LandGrid(over: view.frame.grown(by: Self.rim))
    var level = surroundings()
    while !level.isEmpty {
      var next: [Int] = []
      for folder in level {
        guard let land = lands[folder], land.breadth > 12 || land.rank == 0 else { continue }
        for child in tree.folders[folder].children
        where order.count < Self.maximum && add(child, rank: land.rank + 1, in: folder) {
          next.append(child)
        }
      }
      grow(next)
      level = next
    }
    flood(rootFiles)
    trace()
  }

  /// Whether a folder is a root. Ground of roots that nothing has taken is shelf.
  func isRoot(_ folder: Int) -> Bool { tree.folders[folder].parent == nil }

  func point(_ plan: PlanPoint) -> Point { view.led(view.place(tree.engine.chart(plan))) }

  func point(of folder: Int) -> Point {
    point(tree.engine.planCentre(of: tree.folders[folder].place))
  }

  private mutating func flood(_ rootFiles: [NameTable]) {
    var isFlooded = [Bool](repeating: false, count: tree.folders.count)
    var islets: [Point] = []
    for (number, root) in tree.folders.indices.filter(isRoot).enumerated()
    where lands[root] != nil {
      isFlooded[root] = true
      guard let city = tree.folders[root].city, tree.folders[root].ownFiles > 0 else { continue }
      if number < rootFiles.count {
        var frames = FileFrames(of: city)
        let (names, seed) = (rootFiles[number], city.folderSeed)
        for record in names.records {
          let seed = XXH64.hash(names.bytes.span.extracting(record.range), seed: seed)
          islets.append(point(frames.point(of: seed)))
        }
      } else {
        // Without names it is only known that files are in the city.
        islets.append(point(city.frame.centre))
      }
    }
    hasShelf = grid.flood(
      isFlooded, keeping: Self.shore.land, islets: islets, radius: Self.shore.islet)
  }

  /// Fills in the continents, the folders around them, and the siblings of all these.
  private mutating func surroundings() -> [Int] {
    var tops: [Int] = []
    for top in tree.tops {
      let way = Array(around(Int32(top)).reversed())
      for (index, folder) in way.enumerated() where lands[folder] == nil {
        let parent = index > 0 ? way[index - 1] : nil
        let isFilled = add(folder, rank: index - way.count + 1, in: parent)
        if isFilled, index == way.count - 1 { tops.append(folder) }
        guard isFilled, let parent else { continue }
        let siblings = tree.folders[parent].children.filter { $0 != folder && lands[$0] == nil }
        grow([folder] + siblings.filter { add($0, rank: -1, in: parent, isBeside: true) })
      }
    }
    for other in tree.folders.indices where isRoot(other) && lands[other] == nil {
      guard add(other, rank: -1, in: nil) else { continue }
      grow(tree.folders[other].children.filter { add($0, rank: -1, in: other, isBeside: true) })
    }
    return tops
  }

  private mutating func add(
    _ folder: Int, rank: Int, in parent: Int?, isBeside: Bool = false
  ) -> Bool {
    let place = tree.folders[folder].place
    let breadth = view.length(place.land.breadth)
    guard breadth >= Self.finest || rank <= 0 && !isBeside else { return false }
    var plan: [PlanPoint] = []
    tree.engine.planCoastline(of: place, into: &plan)
    let ring = view.drawn(plan.map { tree.engine.chart($0) })
    guard let box = Box(around: ring), box.overlaps(grid.frame) else { return false }
    let around = parent.flatMap { lands[$0]?.breadth } ?? .infinity
    grid.fill(
      ring, with: Int32(folder), in: parent.map { Int32($0) } ?? LandGrid.sea)
    lands[folder] = DrawnLand(
      folder: folder, rank: rank, ring: ring, breadth: breadth, around: around,
      isBordered: rank <= 1 || around >= Self.looked && breadth >= 4, isBeside: isBeside,
      tint: tree.folders[folder].tint)
    order.append(folder)
    return true
  }

  private mutating func grow(_ level: [Int]) {
    var (reaches, margin): ([Int32: Double], Double) = ([:], 1.5)
    for folder in level {
      guard let land = lands[folder], let box = Box(around: land.ring) else { continue }
      // A coast line leaves up to a seventeenth of a land's extent on each side, and its cell a
      // little more.
      let reach = 0.066 * max(box.width, box.height) + 1.5
      reaches[Int32(folder)] = min(reach, 60)
      if land.rank == 1 { margin = 2.5 }
    }
    grid.grow(reaches, margin: margin)
  }

  // MARK: Lines

  private mutating func trace() {
    var arcs = BorderTracer(grid).trace()
    for index in arcs.indices {
      let smooth = Line.smoothed(arcs[index].points, rounds: 3)
      arcs[index].points = Line.simplified(smooth, tolerance: 0.35)
    }
    // Closed lines around a cell or two are artefacts of the grid.
    arcs.removeAll { $0.start == $0.end && $0.points.count < 5 }
    // A line belongs to the outlines of all lands that are on exactly one of its sides.
    var parts: [Int: [(arc: Int, isForward: Bool)]] = [:]
    for (index, arc) in arcs.enumerated() {
      let (left, right) = (around(arc.left), around(arc.right))
      let (onLeft, onRight) = (
        left.filter { !right.contains($0) }, right.filter { !left.contains($0) }
      )
      for folder in onLeft { parts[folder, default: []].append((index, false)) }
      for folder in onRight { parts[folder, default: []].append((index, true)) }
      addBorder(arc, onLeft, onRight)
    }
    for (folder, parts) in parts { lands[folder]?.outline = Self.rings(of: parts, in: arcs) }
  }

  /// A cell's land and the folders around it, from the inside out.
  private func around(_ land: Int32) -> [Int] {
    land == LandGrid.sea ? [] : Array(sequence(first: Int(land)) { tree.folders[$0].parent })
  }

  /// Records a border line. Each list ends with the outermost land.
  private mutating func addBorder(_ arc: BorderArc, _ left: [Int], _ right: [Int]) {
    let outermost = [left.last, right.last].compactMap { $0 }.compactMap { lands[$0] }
    if left.isEmpty || right.isEmpty {
      guard let land = outermost.first, land.isBordered else { return }
      // A coast towards the sea, or a land's border towards the bare land around it.
      borders.append(
        DrawnBorder(points: arc.points, rank: land.borderRank, breadth: land.breadth))
      return
    }
    guard outermost.count == 2, outermost.contains(where: \.isBordered) else { return }
    borders.append(
      DrawnBorder(
        points: arc.points, rank: min(outermost[0].borderRank, outermost[1].borderRank),
        breadth: min(outermost[0].breadth, outermost[1].breadth)))
  }

  private static func rings(
    of parts: [(arc: Int, isForward: Bool)], in arcs: [BorderArc]
  ) -> [[Point]] {
    var starting: [Int: [Int]] = [:]
    func ends(_ part: (arc: Int, isForward: Bool)) -> (from: Int, to: Int) {
      let arc = arcs[part.arc]
      return part.isForward ? (arc.start, arc.end) : (arc.end, arc.start)
    }
    for (index, part) in parts.enumerated() { starting[ends(part).from, default: []].append(index) }
    var isUsed = [Bool](repeating: false, count: parts.count)
    var rings: [[Point]] = []
    for first in parts.indices where !isUsed[first] {
      var ring: [Point] = []
      var next: Int? = first
      while let index = next {
        isUsed[index] = true
        let points = arcs[parts[index].arc].points
        ring += (parts[index].isForward ? points : points.reversed()).dropLast()
        next = starting[ends(parts[index]).to]?.first { !isUsed[$0] }
      }
      if ring.count > 2 { rings.append(ring) }
    }
    return rings
  }
}
