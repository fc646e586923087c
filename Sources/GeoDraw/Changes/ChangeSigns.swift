import GeoChange
import GeoCore
import GeoFormats
import GeoProjection

package struct ComparedStates: Sendable {
  let tree: ChangeTree
  /// Names and times, the old state first.
  let states: [MapState]

  package init(_ tree: ChangeTree, _ states: [MapState]) {
    (self.tree, self.states) = (tree, states)
  }
}

/// The signs of what changed on a map: circles of lands, squares of files, arrows of moves, and their
/// labels.
struct ChangeSigns: Sendable {
  /// A circle, or a square with half of its side as `radius`.
  struct Sign: Sendable {
    let path: [UInt8]
    /// The path of the land, and that of the land around a file; nil for a file in none.
    let land: [UInt8]?
    /// The index of the land; nil for a file.
    let folder: Int?
    let change: SizeChange
    /// The number of files in the state that has the land; nil if unknown.
    let files: Int64?
    let place: Point
    let radius: Double
    var middle: Point

    /// Whether it is a circle much larger than its land, which then shows through.
    var isOver = false

    var isSquare: Bool { folder == nil }
    var box: Box { Box(at: middle, radius, radius) }
  }

  struct Arrow: Sendable {
    let from, to: Point
    let width: Double
    let move: LandMove

    var control: Point {
      let bow = 0.2
      return Point(
        (from.x + to.x) / 2 - (to.y - from.y) * bow, (from.y + to.y) / 2 + (to.x - from.x) * bow)
    }

    /// The same arrow from rim to rim of two circles, which it then doesn't hide; near circles
    /// keep their middles as ends.
    func betweenRims(_ radii: (from: Double, to: Double)) -> Arrow {
      func end(_ middle: Point, _ radius: Double) -> Point {
        let (way, far) = (control - middle, control.distance(to: middle))
        guard far > radius + Self.least else { return middle }
        return Point(middle.x + way.x * radius / far, middle.y + way.y * radius / far)
      }
      return Arrow(from: end(from, radii.from), to: end(to, radii.to), width: width, move: move)
    }

    /// From this length on, half an arrow begins at a rim.
    private static let least = 12.0

    func point(at fraction: Double) -> Point {
      let rest = 1 - fraction
      let (a, b, c) = (rest * rest, 2 * fraction * rest, fraction * fraction)
      return Point(
        a * from.x + b * control.x + c * to.x, a * from.y + b * control.y + c * to.y)
    }
  }

  enum Labelled: Sendable {
    case lands
    /// The largest ones of lands and of files that are not in one.
    case largest(Int)
  }

  /// The changes of the level, the largest difference first, also those without a sign.
  private(set) var changes: [Sign] = []
  /// How many lands and files of the level have another size, and their sum.
  private(set) var whole: (count: Int, bytes: Int64) = (0, 0)
  /// The number and the sum of the files among them that are in no land.
  private(set) var ownGrowth: (files: Int, bytes: Int64) = (0, 0)
  private(set) var moves: [LandMove] = []
  private(set) var counts: [(path: [UInt8], counts: ChangeCounts)] = []
  private(set) var signs: [Sign] = []
  private(set) var arrows: [Arrow] = []
  /// How the lands of the level changed, by index, also those without a sign.
  private(set) var kinds: [Int: SizeChange.Kind] = [:]
  private(set) var named: [Sign] = []
  /// New files with more than half of what a land grew by, by its path: the circle shows them, too.
  private(set) var most: [[UInt8]: (name: [UInt8], bytes: Int64)] = [:]
  private(set) var newFiles: Set<[UInt8]> = []
  /// The radius of a circle of one byte, and the largest amount with a sign.
  private(set) var unit = 0.0
  private(set) var largest = 0.0

  private static let maximum = (lands: 110, files: 90, named: 12, newFiles: 4, arrows: 4)
  /// The least radius of a circle that is drawn, and the least half side of a square.
  private static let minimum = (circle: 1.6, square: 2.6)
  /// New files are large from this part of the largest change on.
  private static let largeFile = 1.0 / 12
  /// Moves of less than this part of the largest change have no arrow.
  private static let littleMove = 0.02
  /// The width of arrows, and what bytes add to it at most.
  private static let thickness = (thin: 1.6, more: 3.6)
  private static let maximumRows = 20_000

  init(
    _ states: ComparedStates, on map: LandMap, parts: Set<Int>?, isWorld: Bool,
    _ labelled: Labelled = .lands
  ) {
    let (tree, engine, view) = (states.tree, map.tree.engine, map.view)
    let roots = map.tree.tops.map { map.tree.folders[$0].path }
    var lands: [(thing: (folder: Int, files: Int64?), change: SizeChange?)] = []
    var own: [(thing: PlacedChange, change: SizeChange?)] = []
    for top in map.tree.tops {
      let folder = map.tree.folders[top]
      let number = tree.number(of: folder.path.components)
      let children = folder.children.filter {
        parts?.contains(map.tree.folders[$0].number) ?? true
      }
      let names = NameTable(children.map { Array(map.tree.folders[$0].name) }, kind: .directory)
      for (child, number) in zip(children, tree.numbers(of: names, in: number)) {
        guard let sums = tree.sums(ofFolder: number) else { continue }
        let difference = tree.difference(ofFolder: number)
        let change = SizeChange(
          ofFolder: difference?.change ?? .none, from: sums.old.bytes(tree.measure),
          to: sums.new.bytes(tree.measure), isTouched: difference != nil)
        if let change { kinds[child] = change.kind }
        if let below = difference?.below {
          counts.append((map.tree.folders[child].path, below.counts))
        }
        let isGone = difference?.change == .removed
        lands.append(((child, isGone ? sums.old.files : sums.new.files), change))
      }
      if parts == nil {
        own += tree.ownChanges(of: number, by: engine).map {
          ($0, SizeChange(ofFile: $0.change, size: $0.size, was: $0.was))
        }
      }
    }
    func sum(_ changes: [SizeChange?]) -> (Int, Int64) {
      let growths = changes.compactMap { $0?.growth }.filter { $0 != 0 }
      return (growths.count, growths.reduce(0) { $0.adding(saturating: $1) })
    }
    ownGrowth = sum(own.map(\.change))
    whole = sum(lands.map(\.change) + own.map(\.change))
    let (shownLands, shownFiles) = (SizeChange.shown(lands), SizeChange.shown(own))
    let (landChanges, fileChanges) = (shownLands.map(\.change), shownFiles.map(\.change))
    let change = (landChanges + fileChanges).map(\.growth.magnitude).max()
    let large = tree.largestNewFiles(Self.maximumRows, by: engine).filter { file in
      guard let size = file.size, let change else { return false }
      return Double(size) >= Double(change) * Self.largeFile
        && roots.contains { file.path.isPath(atOrBelow: $0) && file.path.parentPath != $0[...] }
    }.prefix(Self.maximum.newFiles)
    let deep = large.filter { file in
      let land = Self.land(of: file.path, in: roots)
      let own = shownLands.first { map.tree.folders[$0.thing.folder].path == land }
      guard let land, let own, let size = file.size, own.change.growth > 0,
        Double(size) * 2 > Double(own.change.growth)
      else { return true }
      if most[land] == nil { most[land] = (Array(file.path.lastComponent), size) }
      return false
    }
    newFiles = Set(deep.map(\.path))

    let sizes = (
      lands: landChanges.map { Double($0.larger) }, files: fileChanges.map { Double($0.larger) }
    )
    largest = (sizes.lands + sizes.files).max() ?? 0
    unit = Symbols.unit(
      lands: sizes.lands, files: sizes.files, isWorld: isWorld,
      area: map.tree.tops.reduce(0.0) { $0 + (map.lands[$1]?.area ?? 0) },
      side: min(view.frame.width, view.frame.height))

    let circles = shownLands.map { land, change in
      let path = map.tree.folders[land.folder].path
      let point = map.point(of: land.folder)
      let radius = max(Self.minimum.circle, unit * Double(change.larger).squareRoot())
      let area = map.lands[land.folder]?.area ?? .infinity
      return Sign(
        path: path, land: path, folder: land.folder, change: change, files: land.files,
        place: point, radius: radius, middle: point,
        isOver: radius > Self.over.radius && .pi * radius * radius > Self.over.factor * area)
    }
    let newChanges = deep.map {
      (thing: $0, change: SizeChange(.added, from: 0, to: $0.size ?? 0))
    }
    let squares = (newChanges + shownFiles).map { file, change in
      let point = view.led(
        view.place(longitude: file.place.longitude, latitude: file.place.latitude))
      let radius = unit * Double(change.larger).squareRoot()
      return Sign(
        path: file.path, land: Self.land(of: file.path, in: roots), folder: nil, change: change,
        files: nil, place: point, radius: Symbols.side(ofRadius: radius) / 2, middle: point)
    }
    func shown(_ signs: [Sign], _ maximum: Int) -> ArraySlice<Sign> {
      signs.filter { view.frame.contains($0.place) }.prefix(maximum)
    }
    signs += shown(circles, Self.maximum.lands)
    signs += shown(squares.filter { $0.radius >= Self.minimum.square }, Self.maximum.files)
    changes = (circles + squares.dropFirst(deep.count)).sorted {
      $0.change.growth.magnitude > $1.change.growth.magnitude
    }
    chooseNamed(labelled)
    pushApart()
    findMoves(in: tree, roots, on: map)
  }

  /// Circles of this radius are drawn lighter if they are larger than their land by so much.
  private static let over = (radius: 18.0, factor: 2.0)

  private mutating func chooseNamed(_ labelled: Labelled) {
    if case .largest(let maximum) = labelled {
      named = changes.prefix(maximum).compactMap { change in
        signs.first { $0.path == change.path }
      }
      return
    }
    let circles = signs.filter { !$0.isSquare }
    named = Array((circles.isEmpty ? signs : circles).prefix(Self.maximum.named))
    if !circles.isEmpty {
      named.insert(
        contentsOf: signs.filter { newFiles.contains($0.path) }, at: min(3, named.count))
    }
  }

  /// A file and a folder can have one path, in two states.
  private func sign(of path: [UInt8], isSquare: Bool) -> Sign? {
    signs.first { $0.path == path && $0.isSquare == isSquare }
  }

  private mutating func pushApart() {
    signs.sort { $0.radius > $1.radius }
    let lands = Dictionary(
      signs.compactMap { sign in sign.folder.map { (sign.path, $0) } },
      uniquingKeysWith: { first, _ in first })
    let symbols = signs.map { sign in
      Symbols.Symbol(
        middle: sign.middle, radius: sign.radius, isSquare: sign.isSquare,
        group: sign.land.flatMap { lands[$0] })
    }
    let places = Symbols.pushedApart(symbols)
    let rooms = Symbols.withRoom(symbols, places)
    for index in signs.indices { signs[index].middle = places[index] }
    // Through a light circle its land is seen. In a folder without sub-folders all files stay.
    let light = Set(signs.filter(\.isOver).compactMap(\.land))
    if !lands.isEmpty {
      signs = zip(signs, rooms).filter { sign, hasRoom in
        hasRoom && !(sign.isSquare && sign.land.map(light.contains) ?? false)
      }.map(\.0)
    }
    named = named.compactMap { sign(of: $0.path, isSquare: $0.isSquare) }
  }

  /// The land that has a path, or is it; nil outside of the roots.
  private static func land(of path: [UInt8], in roots: [[UInt8]]) -> [UInt8]? {
    roots.first { path.isPath(atOrBelow: $0) && path.count > $0.count }.map { root in
      Array(path.prefix(root.count + 1) + path[(root.count + 1)...].prefix { $0 != .slash })
    }
  }

  private mutating func findMoves(in tree: ChangeTree, _ roots: [[UInt8]], on map: LandMap) {
    let moves = tree.moves(Self.maximumRows).map {
      LandMove(from: $0.from, to: $0.to, files: $0.files, bytes: $0.bytes)
    }
    let children = map.tree.tops.flatMap { map.tree.folders[$0].children }
    func circle(_ path: [UInt8]) -> (middle: Point, radius: Double)? {
      if let sign = sign(of: path, isSquare: false) { return (sign.middle, sign.radius) }
      return children.first { map.tree.folders[$0].path == path }.map { (map.point(of: $0), 0) }
    }
    let sums = LandMove.sums(moves) { Self.land(of: $0, in: roots) }
    self.moves = sums
    for move in sums.prefix(Self.maximum.arrows)
    where Double(move.bytes) >= largest * Self.littleMove {
      guard let from = circle(move.from), let to = circle(move.to),
        map.view.frame.contains(from.middle) || map.view.frame.contains(to.middle)
      else { continue }
      let fraction = largest > 0 ? min(1, (Double(move.bytes) / largest).squareRoot()) : 0
      let width = Self.thickness.thin + Self.thickness.more * fraction
      let arrow = Arrow(from: from.middle, to: to.middle, width: width, move: move)
      arrows.append(arrow.betweenRims((from.radius, to.radius)))
    }
  }
}
