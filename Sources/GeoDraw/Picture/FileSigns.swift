import GeoCore
import GeoSystem

/// A file of a folder that is drawn.
package struct PosterFile: Sendable {
  package let name: [UInt8]
  /// Nil if unknown.
  package let bytes: Int64?
  /// Room on disk; nil if unknown.
  package let allocated: Int64?
  /// Degrees east and north.
  package let place: (longitude: Double, latitude: Double)

  package init(
    name: [UInt8], bytes: Int64?, allocated: Int64?, place: (longitude: Double, latitude: Double)
  ) {
    (self.name, self.bytes, self.allocated, self.place) = (name, bytes, allocated, place)
  }
}

/// The files of a folder without sub-folders as squares whose areas follow bytes, named as far as
/// there is room.
struct FileSigns: Sendable {
  struct Sign: Sendable {
    let file: PosterFile
    let amount: Int64
    let radius: Double
    let place: Point
    var middle: Point
  }

  /// A name next to its square.
  struct Name: Sendable {
    let text: String
    /// The line below the name; nil for the name alone.
    let amount: String?
    let at: Point
  }

  /// Squares, the largest first.
  private(set) var signs: [Sign] = []
  /// The places of files that are too small for a square.
  private(set) var dots: [Point] = []
  private(set) var names: [Name] = []

  private static let most = (squares: 400, figures: 14)
  /// The half side under which a file is a dot.
  private static let least = 1.5
  private static let sizes = (large: 11.5, figures: 9.5, small: 8.0)

  init?(_ files: [PosterFile], on map: LandMap) {
    guard !files.isEmpty, map.tree.tops.count == 1, let top = map.tree.tops.first,
      map.tree.folders[top].children.isEmpty, let land = map.lands[top]
    else { return nil }
    let view = map.view
    let isRoom = map.tree.isRoom
    let sorted = files.map { (file: $0, amount: max(0, (isRoom ? $0.allocated : $0.bytes) ?? 0)) }
      .sorted { a, b in
        a.amount != b.amount
          ? a.amount > b.amount : a.file.name.lexicographicallyPrecedes(b.file.name)
      }
    let unit = Symbols.unit(
      lands: [], files: sorted.map { Double($0.amount) }, isWorld: false,
      area: land.outline.reduce(0) { $0 + Line.area($1) },
      side: min(view.frame.width, view.frame.height))
    for (file, amount) in sorted {
      let place = view.led(
        view.place(
          x: file.place.longitude / 360 + 0.5, y: Mercator.y(ofLatitude: file.place.latitude)))
      guard view.frame.contains(place) else { continue }
      let radius = Symbols.side(ofRadius: unit * Double(amount).squareRoot()) / 2
      if radius < Self.least || signs.count >= Self.most.squares {
        dots.append(place)
      } else {
        signs.append(Sign(file: file, amount: amount, radius: radius, place: place, middle: place))
      }
    }
    let places = Symbols.pushedApart(
      signs.map { Symbols.Symbol(middle: $0.middle, radius: $0.radius, isSquare: true) })
    for index in signs.indices { signs[index].middle = places[index] }
    placeNames(in: view.frame.grown(by: -4))
  }

  private mutating func placeNames(in frame: Box) {
    var taken = TakenBoxes()
    func take(_ sign: Sign) {
      let (x, y, r) = (sign.middle.x, sign.middle.y, sign.radius)
      taken.take(Box(left: x - r, top: y - r, right: x + r, bottom: y + r))
    }
    // The names of the largest may lie over small squares.
    for sign in signs.prefix(Self.most.figures) { take(sign) }
    for (index, sign) in signs.enumerated() {
      let hasFigures = index < Self.most.figures
      if index == Self.most.figures { for sign in signs[index...] { take(sign) } }
      let text = NameText(sign.file.name).text
      let amount = hasFigures ? SheetText.bytes(Double(sign.amount)) : nil
      let size = hasFigures ? Self.sizes.large : Self.sizes.small
      let width = max(
        TextWidth.of(text) * size, amount.map { TextWidth.of($0) * Self.sizes.figures } ?? 0)
      let height = size * 1.1 + (hasFigures ? Self.sizes.figures * 1.2 : 0)
      // Right, left, below, above.
      let (x, y, far) = (sign.middle.x, sign.middle.y, sign.radius + 2.5)
      let corners = [
        Point(x + far, y - height / 2), Point(x - far - width, y - height / 2),
        Point(x - width / 2, y + far), Point(x - width / 2, y - far - height),
      ]
      for corner in corners {
        let box = Box(
          left: corner.x, top: corner.y, right: corner.x + width, bottom: corner.y + height)
        guard frame.contains(box), taken.isFree(box) else { continue }
        taken.take(box)
        names.append(Name(text: text, amount: amount, at: Point(box.left, box.top + size * 0.9)))
        break
      }
    }
  }

  /// The largest files, for a list.
  var largest: [PosterFacts.Town] {
    signs.prefix(Self.most.figures).map {
      PosterFacts.Town(
        path: String(decoding: $0.file.name, as: UTF8.self),
        bytes: SheetText.bytes(Double($0.amount)))
    }
  }

  func paint(_ theme: Theme, _ pen: inout Pen) {
    if !dots.isEmpty {
      pen.svg.line(
        "<path d=\"\(SVGText.dots(dots))\" fill=\"none\" stroke=\"\(theme.square.text)\" "
          + "stroke-linecap=\"square\" stroke-width=\"1.3\" stroke-opacity=\".6\"/>")
    }
    for sign in signs {
      let (x, y, r) = (sign.middle.x, sign.middle.y, sign.radius)
      if sign.middle.distance(to: sign.place) >= max(5, 0.75 * r) {
        pen.path(
          [[sign.place, sign.middle]], "stroke=\"\(theme.square.text)\" stroke-width=\".7\"")
      }
      pen.box(
        Box(left: x - r, top: y - r, right: x + r, bottom: y + r),
        "fill=\"\(theme.square.text)\" fill-opacity=\".78\" stroke=\"\(theme.halo.text)\" "
          + "stroke-width=\".8\"")
    }
    pen.svg.line("<defs>")
    pen.group("id=\"f\"") { pen in
      for name in names {
        let isLarge = name.amount != nil
        var style = Pen.Style(
          size: isLarge ? Self.sizes.large : Self.sizes.small,
          fill: isLarge ? theme.square.text : theme.soft.text)
        style.isItalic = isLarge
        pen.text(name.text, at: name.at, style)
        guard let amount = name.amount else { continue }
        pen.text(
          amount, at: Point(name.at.x, name.at.y + Self.sizes.figures * 1.2),
          Pen.Style(size: Self.sizes.figures, fill: theme.soft.text))
      }
    }
    pen.svg.line("</defs>")
    pen.svg.line(
      "<use xlink:href=\"#f\" stroke=\"\(theme.halo.text)\" stroke-width=\"2.2\" "
        + "stroke-linejoin=\"round\" stroke-opacity=\".8\"/>")
    pen.svg.line("<use xlink:href=\"#f\"/>")
  }
}

/// Woods: each tree stands for a number of files. Trees grow in clumps, near the files.
struct Woods: Sendable {
  /// The number of files that a tree stands for: 1, 2 or 5 times a power of ten.
  let files: Double
  /// The places of the trees, from north to south.
  let trees: [Point]
  /// Whether some land has no room for all of its trees.
  let isFull: Bool

  /// The least distance between trees, and the side of the squares that have one each, in units.
  private static let apart = 3.1
  private static let spacing = 3.4
  /// The largest number of trees.
  private static let most = 2_400.0

  /// No woods.
  static let none = Woods()

  private init() { (files, trees, isFull) = (1, [], false) }

  /// Plants the woods of a map's lands.
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
    let sites = Self.sites(on: map, wanted)
    for (land, count) in wanted {
      let free = sites[land] ?? []
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

  /// The number of files for each tree that keeps the trees within ``most``.
  static func filesForTree(_ files: Double) -> Double {
    var ten = 1.0
    while true {
      for lead in [1.0, 2, 5] where files / (ten * lead) <= most { return ten * lead }
      ten *= 10
    }
  }

  /// The least breadth of a land with woods of its own, in units.
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
  private struct Site {
    let point: Point
    let rank: Double
  }

  private static func sites(on map: LandMap, _ wanted: [Int32: Int]) -> [Int32: [Site]] {
    var sites: [Int32: [Site]] = [:]
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
        sites[land, default: []].append(Site(point: point, rank: rank))
      }
    }
    return sites
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
