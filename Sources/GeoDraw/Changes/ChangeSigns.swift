import GeoChange
import GeoCore
import GeoFormats
import GeoProjection

package struct ComparedStates: Sendable {
  /// Their differences, with totals of both states.
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
    /// The middle of the sign, which may be pushed aside.
    var middle: Point

    /// Whether it is a circle much larger than its land, which then shows through.
    var isOver = false

    var isSquare: Bool { folder == nil }
    var box: Box {
      Box(
        left: middle.x - radius, top: middle.y - radius, right: middle.x + radius,
        bottom: middle.y + radius)
    }
  }

  struct Arrow: Sendable {
    let from: Point
    let to: Point
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
      let control = self.control
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

  /// A change of a land or of a file that is not in one.
  struct Change: Sendable {
    let path: [UInt8]
    let change: SizeChange
    let files: Int64?
    let isLand: Bool
  }

  enum Labelled: Sendable {
    case lands
    /// The largest ones of lands and of files that are not in one.
    case largest(Int)
  }

  /// The changes of the level, the largest difference first, also those without a sign.
  private(set) var changes: [Change] = []
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
  /// Signs with a label, the most important first.
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
    let change = (shownLands.map(\.change) + shownFiles.map(\.change)).map(\.growth.magnitude).max()
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
    let files =
      deep.map { (thing: $0, change: SizeChange(.added, from: 0, to: $0.size ?? 0)) } + shownFiles

    func amounts(_ changes: [SizeChange]) -> [Double] { changes.map { Double($0.larger) } }
    let sizes = (amounts(shownLands.map(\.change)), amounts(shownFiles.map(\.change)))
    largest = (sizes.0 + sizes.1).max() ?? 0
    let area = map.tree.tops.reduce(0.0) { sum, top in
      sum + (map.lands[top]?.outline ?? []).reduce(0) { $0 + Line.area($1) }
    }
    unit = Symbols.unit(
      lands: sizes.0, files: sizes.1, isWorld: isWorld, area: area,
      side: min(view.frame.width, view.frame.height))
    newFiles = Set(deep.map(\.path))

    add(
      shownLands.map { land, change in
        let folder = map.tree.folders[land.folder]
        let point = view.led(view.place(engine.chart(engine.planCentre(of: folder.place))))
        return Sign(
          path: folder.path, land: folder.path, folder: land.folder, change: change,
          files: land.files, place: point,
          radius: max(Self.minimum.circle, unit * Double(change.larger).squareRoot()),
          middle: point)
      }, maximum: Self.maximum.lands, in: view.frame)
    add(
      files.map { file, change in
        let point = view.led(
          view.place(
            x: file.place.longitude / 360 + 0.5, y: Mercator.y(ofLatitude: file.place.latitude)))
        let radius = unit * Double(change.larger).squareRoot()
        return Sign(
          path: file.path, land: Self.land(of: file.path, in: roots), folder: nil, change: change,
          files: nil, place: point,
          radius: Symbols.side(ofRadius: radius) / 2, middle: point)
      }.filter { $0.radius >= Self.minimum.square }, maximum: Self.maximum.files, in: view.frame)
    let all =
      shownLands.map { land, change in
        Change(
          path: map.tree.folders[land.folder].path, change: change, files: land.files, isLand: true)
      }
      + shownFiles.map {
        Change(path: $0.thing.path, change: $0.change, files: nil, isLand: false)
      }
    changes = all.indices.sorted { a, b in
      (all[b].change.growth.magnitude, a) < (all[a].change.growth.magnitude, b)
    }.map { all[$0] }
    markLarge(on: map)
    chooseNamed(labelled)
    pushApart()
    findMoves(in: tree, roots, on: map)
  }

  /// Circles of this radius are drawn lighter if they are larger than their land by so much.
  private static let over = (radius: 18.0, factor: 2.0)

  private mutating func markLarge(on map: LandMap) {
    for index in signs.indices where signs[index].radius > Self.over.radius {
      guard let land = signs[index].folder.flatMap({ map.lands[$0] }) else { continue }
      let area = land.outline.reduce(0) { $0 + Line.area($1) }
      let radius = signs[index].radius
      signs[index].isOver = .pi * radius * radius > Self.over.factor * area
    }
  }

  private mutating func chooseNamed(_ labelled: Labelled) {
    if case .largest(let maximum) = labelled {
      named = changes.prefix(maximum).compactMap { change in
        signs.first { $0.path == change.path }
      }
      return
    }
    let landed = signs.filter { $0.folder != nil }
    named = Array((landed.isEmpty ? signs : landed).prefix(Self.maximum.named))
    if !landed.isEmpty {
      named.insert(
        contentsOf: signs.filter { newFiles.contains($0.path) }, at: min(3, named.count))
    }
  }

  private mutating func add(_ more: [Sign], maximum: Int, in frame: Box) {
    signs += more.filter { frame.contains($0.place) }.prefix(maximum)
  }

  private mutating func pushApart() {
    let order = signs.indices.sorted { (signs[$1].radius, $0) < (signs[$0].radius, $1) }
    signs = order.map { signs[$0] }
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
    let settled = Dictionary(
      signs.map { ($0.path, $0.middle) }, uniquingKeysWith: { first, _ in first })
    named = named.compactMap { sign in
      guard let middle = settled[sign.path] else { return nil }
      var sign = sign
      sign.middle = middle
      return sign
    }
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
    let circles = Dictionary(
      signs.filter { $0.folder != nil }.map { ($0.path, $0) },
      uniquingKeysWith: { first, _ in first })
    var places: [[UInt8]: Point] = [:]
    for top in map.tree.tops {
      for child in map.tree.folders[top].children {
        let folder = map.tree.folders[child]
        let plan = map.tree.engine.planCentre(of: folder.place)
        places[folder.path] =
          circles[folder.path]?.middle ?? map.view.led(map.view.place(map.tree.engine.chart(plan)))
      }
    }
    let sums = LandMove.sums(moves) { Self.land(of: $0, in: roots) }
    self.moves = sums
    for move in sums.prefix(Self.maximum.arrows)
    where Double(move.bytes) >= largest * Self.littleMove {
      guard let from = places[move.from], let to = places[move.to],
        map.view.frame.contains(from) || map.view.frame.contains(to)
      else { continue }
      let fraction = largest > 0 ? min(1, (Double(move.bytes) / largest).squareRoot()) : 0
      let width = Self.thickness.thin + Self.thickness.more * fraction
      let arrow = Arrow(from: from, to: to, width: width, move: move)
      arrows.append(
        arrow.betweenRims((circles[move.from]?.radius ?? 0, circles[move.to]?.radius ?? 0)))
    }
  }
}
