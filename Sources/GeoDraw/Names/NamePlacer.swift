import GeoCore

package struct LandName: Sendable {
  package let folder, rank: Int
  package let letters: [String]
  package let placed: PlacedLetters
}

package struct Town: Sendable {
  package let folder: Int
  package let point: Point
  /// 0, 1 or 2: over the first, second or third bound of ``TownScale``.
  package let sign: Int
  package let name: String
  package let middle: Point
  package let box: Box
}

/// Places names, the most important first. No name touches another, and each letter of a land's
/// name is on that land.
struct NamePlacer {
  private let map: LandMap
  private var taken = TakenBoxes()
  private(set) var names: [LandName] = []
  private(set) var notes: [LandName] = []
  private(set) var towns: [Town] = []
  private(set) var loose: (files: LooseFiles, box: Box)?

  private static let gap = 0.8
  static let townSize = 8.0

  private static let maximum = 1500

  init(_ map: LandMap, clearOf taken: TakenBoxes = TakenBoxes()) {
    self.map = map
    self.taken = taken
  }

  /// Places the names of countries, except some, small and without capitals.
  mutating func placeCountries(except named: Set<Int>) {
    for folder in map.order where rank(of: folder) == 1 && !named.contains(folder) {
      if names.count < Self.maximum, isNamed(folder) { placeLand(folder, Self.faint) }
    }
    for folder in map.order where map.lands[folder]?.isBeside == true { placeLand(folder) }
  }

  private static let faint = [Style(sizes: [10, 8.5, 7], tracks: [0.12, 0.03])]

  mutating func place(_ scale: TownScale) {
    let tops = map.order.filter { rank(of: $0) == 0 }
    // The title has the name of a single one.
    if tops.count > 1 { for folder in tops { placeLand(folder) } }
    placeLooseFiles()
    let towns = scale.towns(on: map)
    var isPlaced: Set<Int> = []
    for top in tops {
      for town in towns.filter({ $0.top == top }).prefix(4) where placeTown(town) {
        isPlaced.insert(town.folder)
      }
    }
    for rank in 1...3 {
      let lands = map.order.filter { self.rank(of: $0) == rank && isNamed($0) }
        .map { (folder: $0, area: map.lands[$0]?.area ?? 0) }
        .sorted { ($1.area, $0.folder) < ($0.area, $1.folder) }
      for land in lands where names.count < Self.maximum {
        // A town's name is the land's.
        if rank == 1 || !isPlaced.contains(land.folder) { placeLand(land.folder) }
      }
      // Towns take precedence over lands smaller than a country.
      if rank == 1 {
        for town in towns where !isPlaced.contains(town.folder) && placeTown(town) {
          isPlaced.insert(town.folder)
        }
      }
    }
    for folder in map.order where map.lands[folder]?.isBeside == true { placeLand(folder) }
    // Sizes use the room that is left.
    for name in names where name.rank <= 1 { placeNote(below: name) }
  }

  private func rank(of folder: Int) -> Int { map.lands[folder]?.rank ?? .max }

  private func isNamed(_ folder: Int) -> Bool {
    guard let land = map.lands[folder], land.isBordered else { return false }
    return land.rank == 1 || land.breadth > 18
  }

  // MARK: Lands

  private struct Style {
    var isCapital = false
    var isBold = false
    /// Whether letters are placed together, not one by one.
    var isWhole = false
    var sizes: [Double]
    let tracks: [Double]
  }

  private static func sizes(_ minimum: Double, _ maximum: Double, at breadth: Double) -> [Double] {
    var sizes: [Double] = []
    var size = max(minimum, min(maximum, breadth))
    while size > minimum {
      sizes.append((size * 2).rounded() / 2)
      size *= 0.84
    }
    return sizes + [minimum]
  }

  private static func styles(_ land: DrawnLand) -> [Style] {
    switch land.rank {
    case 0:
      return [
        Style(
          isCapital: true, isBold: true, sizes: sizes(13, 44, at: land.breadth / 8),
          tracks: [1.6, 0.9, 0.45, 0.2, 0.05])
      ]
    case 1:
      let capitals = Style(
        isCapital: true, sizes: sizes(12.5, 17, at: land.breadth / 8), tracks: [0.7, 0.45])
      let plain = Style(sizes: sizes(7, 17, at: land.breadth / 4.2), tracks: [0.3, 0.12, 0.03])
      return land.breadth > 100 ? [capitals, plain] : [plain]
    default:
      return [Style(sizes: sizes(6.5, 11.5, at: land.breadth / 6), tracks: [0.25, 0.1, 0.02])]
    }
  }

  private mutating func placeLand(_ folder: Int, _ styles: [Style]? = nil) {
    guard let land = map.lands[folder] else { return }
    let hull = Hull(visible(shape(of: land)))
    guard let line = NameLine(through: hull, isContinent: land.rank == 0) else { return }
    for (style, line) in Self.attempts(styles ?? Self.styles(land), line, hull) {
      let name = map.tree.folders[folder].name
      let text = NameText(
        name, isCapital: style.isCapital, isBold: style.isBold, isWhole: style.isWhole)
      if text.letters.isEmpty { return }
      let placed = PlacedLetters(
        in: hull, along: line, widths: text.widths, sizes: style.sizes, tracks: style.tracks
      ) { isFree($0, on: folder) }
      guard let placed else { continue }
      for letter in placed.letters { taken.add(letter.box) }
      names.append(
        LandName(
          folder: folder, rank: land.isBeside ? 3 : land.rank, letters: text.letters,
          placed: placed))
      return
    }
  }

  /// The least size of letters that are turned, in units.
  private static let minimumTurned = 10.0

  /// Styles with the lines to try: small letters are level, so that they can be read.
  private static func attempts(
    _ styles: [Style], _ line: NameLine, _ hull: Hull
  ) -> [(Style, NameLine)] {
    if line.isLevel { return styles.map { ($0, line) } }
    var attempts: [(Style, NameLine)] = []
    for var style in styles {
      style.sizes.removeAll { $0 < minimumTurned }
      attempts.append((style, line))
    }
    guard var last = styles.last, let level = NameLine(across: hull) else { return attempts }
    last.sizes.removeAll { $0 > minimumTurned }
    last.isWhole = true
    return attempts + [(last, level)]
  }

  /// The size of a note relative to the name above it, with its bounds in units.
  private static let noteSize = (fraction: 0.52, minimum: 6.0, maximum: 11.0)

  /// The offsets of level notes from the middle of their land, in multiples of the size.
  private static let levels = [1.4, -1.4, 2.8, -2.8, 4.2, -4.2, 6, -6, 8, -8]

  /// Places a land's bytes and files along the same line as its name.
  private mutating func placeNote(below name: LandName) {
    let holder = map.tree.folders[name.folder]
    guard let land = map.lands[name.folder], let totals = holder.totals,
      case let hull = Hull(visible(shape(of: land))),
      let line = NameLine(through: hull, isContinent: land.rank == 0)
    else { return }
    let amount = map.tree.measure == .files ? nil : holder.amount
    let words = [amount.map { map.tree.text($0) }, SheetText.files(totals.files)].compactMap { $0 }
    var text = NameText((totals.files == 0 ? "empty" : words.joined(separator: " · ")).utf8)
    let (fraction, minimum, maximum) = Self.noteSize
    let small = Look.clamp(name.placed.size * fraction, minimum, maximum)
    let isTurned = name.placed.letters.contains { abs($0.angle) > NameLine.level }
    let size = isTurned ? Self.minimumTurned : small
    // The upright boxes around slanting letters are larger than the letters.
    let far = name.placed.size * 0.5 + size * 0.65
    let asides = [1, 1.25, 1.5, 1.8].map { (name.placed.aside + far * $0) / size }
    let isFree = { (letter: PlacedLetter) in self.isFree(letter, on: name.folder) }
    var placed = PlacedLetters(
      in: hull, along: line, widths: text.widths, sizes: [size], tracks: [0.04],
      asides: asides, middle: name.placed.middle, isFree: isFree)
    if placed == nil, isTurned, let level = NameLine(across: hull) {
      text = NameText(text.text.utf8, isWhole: true)
      placed = PlacedLetters(
        in: hull, along: level, widths: text.widths, sizes: [max(small, 7)], tracks: [0.04],
        asides: Self.levels, isFree: isFree)
    }
    guard let placed else { return }
    for letter in placed.letters { taken.add(letter.box) }
    notes.append(
      LandName(folder: name.folder, rank: name.rank, letters: text.letters, placed: placed))
  }

  /// The points around a land; of a continent, those around the land that is taken.
  private func shape(of land: DrawnLand) -> [Point] {
    land.rank == 0 && !land.outline.isEmpty ? Array(land.outline.joined()) : land.ring
  }

  private func visible(_ ring: [Point]) -> [Point] {
    let frame = map.view.frame.grown(by: -6)
    if ring.allSatisfy(frame.contains) { return ring }
    return ring.map {
      Point(
        Look.clamp($0.x, frame.left, frame.right), Look.clamp($0.y, frame.top, frame.bottom))
    }
  }

  private func isFree(_ letter: PlacedLetter, on folder: Int) -> Bool {
    let box = letter.box.grown(by: Self.gap)
    guard map.view.frame.contains(box), taken.isFree(box) else { return false }
    let corners = letter.corners
    let sides = (0..<4).map { index in
      let (a, b) = (corners[index], corners[(index + 1) % 4])
      return Point((a.x + b.x) / 2, (a.y + b.y) / 2)
    }
    let land = Int32(folder)
    return (corners + sides + [letter.point]).allSatisfy { map.grid.holds(land, $0) }
  }

  private mutating func placeLooseFiles() {
    guard let files = LooseFiles(on: map), let top = map.tree.tops.first,
      files.areNamed(in: map.tree.folders[top].measured), map.view.frame.contains(files.ground),
      let box = files.places.first(where: { map.view.frame.contains($0) && taken.isFree($0) })
    else { return }
    taken.add(box)
    loose = (files, box)
  }

  // MARK: Towns

  /// The positions of a name around its sign, in the order to try: right, left, above, below,
  /// diagonal.
  private static let anchors: [(x: Double, y: Double)] = [
    (1, 0), (-1, 0), (0, -1), (0, 1), (1, -0.7), (1, 0.7), (-1, -0.7), (-1, 0.7),
  ]

  private static let apart = 9.0

  private mutating func placeTown(_ town: TownScale.Candidate) -> Bool {
    let point = town.point
    let half = [2.8, 3.6, 4.0][town.sign]
    let sign = Box(at: point, half, half)
    let frame = map.view.frame
    guard frame.contains(sign), taken.isFree(sign),
      !towns.contains(where: { $0.point.distance(to: point) < Self.apart })
    else { return false }
    let name = NameText(map.tree.folders[town.folder].name)
    let (width, height) = (name.width * Self.townSize, Self.townSize)
    for (x, y) in Self.anchors {
      let middle = Point(
        point.x + x * (half + 1.6 + width / 2), point.y + y * (half + 0.8 + height / 2))
      let box = Box(at: middle, width / 2, height / 2)
      guard frame.contains(box), taken.isFree(box.grown(by: Self.gap)) else { continue }
      taken.add(box)
      taken.add(sign)
      towns.append(
        Town(
          folder: town.folder, point: point, sign: town.sign, name: name.text, middle: middle,
          box: box))
      return true
    }
    return false
  }
}
