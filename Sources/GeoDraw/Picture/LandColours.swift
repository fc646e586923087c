import GeoTree

/// What lands are filled with, and what that stands for.
struct LandColours: Sendable {
  let theme: Theme
  let shading: Shading
  /// Where classes of sizes end.
  let bounds: [Double]
  /// From when ages are counted.
  let now: Int64?

  /// How much nearer one stands to a sheet than to a screen of the same width.
  private static let nearness = 3.0
  /// Days, where classes of ages end.
  private static let days: [Int64] = [1, 7, 30, 365, 1825]

  init(_ map: LandMap, _ theme: Theme, _ options: PosterOptions) {
    self.theme = theme
    shading = options.shading
    let lands = map.order.filter { map.lands[$0].map { $0.rank >= 1 && $0.isBordered } ?? false }
    bounds = Look.classBounds(lands.map { map.tree.folders[$0].bytes })
    now = options.date ?? map.tree.tops.compactMap { map.tree.folders[$0].details?.newest }.max()
  }

  /// The colour of a class among so many: the first and the last are those of the ramp.
  private func ramp(_ index: Int, of last: Int) -> Paint {
    let place = Double(index * (theme.ramp.count - 1)) / Double(max(1, last))
    return theme.ramp[Int(place.rounded())]
  }

  /// The colour that a land has by what is below it; nil where colours tell neighbours apart.
  private func shade(_ folder: AtlasFolder) -> Paint? {
    switch shading {
    case .tints: return nil
    case .size:
      guard folder.totals?.bytes != nil else { return theme.unknown }
      let index = bounds.firstIndex { folder.bytes < $0 } ?? bounds.count
      return ramp(index, of: bounds.count)
    case .age:
      guard let newest = folder.details?.newest, let now else { return theme.unknown }
      let age = now - newest
      let index = Self.days.firstIndex { age < $0 * 86_400 } ?? Self.days.count
      // The youngest stand out.
      return ramp(Self.days.count - index, of: Self.days.count)
    case .type:
      guard let type = folder.details?.largestClass else { return theme.unknown }
      return landType(type)
    }
  }

  /// The colour of land that holds mostly one type of files: paler than the type's own.
  private func landType(_ type: Int) -> Paint {
    let base = theme.typeStrength < 0.35 ? theme.land : Paint(0xFFFFFF)
    return base.blended(with: theme.types[min(type, theme.types.count - 1)], theme.typeStrength)
  }

  /// The colour of a land in one of a colour.
  func fill(_ land: DrawnLand, _ folder: AtlasFolder, on ground: Paint) -> Paint {
    if land.rank < 0 { return surroundings(land) }
    if land.rank == 0 { return theme.land }
    if let shade = shade(folder) { return ground.blended(with: shade, land.rank == 1 ? 0.92 : 0.8) }
    let strength = Look.tintStrength(breadth: land.breadth) / 0.66 * theme.tintStrength
    var own = theme.land.blended(with: theme.tints[land.tint], strength)
    if land.rank > 1 { own = own.blended(with: theme.top, 0.22) }
    let part = Look.ownTint(depth: land.rank, around: land.around * Self.nearness)
    return ground.blended(with: own, part)
  }

  /// The colour of what is around what is shown: a breath of its own where it is a land beside it.
  func surroundings(_ land: DrawnLand) -> Paint {
    land.isBeside
      ? theme.surroundings.blended(with: theme.tints[land.tint], 0.16) : theme.surroundings
  }

  /// The colour inside a land's border.
  func edge(_ land: DrawnLand) -> Paint {
    shading == .tints ? theme.edges[land.tint] : theme.borders[min(max(land.rank, 0), 3)]
  }

  /// A colour and what it stands for.
  struct Row: Sendable {
    let colour: Paint
    let words: String
  }

  /// What the colours stand for.
  var legend: [Row] {
    switch shading {
    case .tints:
      return theme.tints.map { Row(colour: theme.land.blended(with: $0, 0.7), words: "") }
    case .size:
      let rows = bounds.enumerated().map { (index, bound) in
        Row(colour: ramp(index, of: bounds.count), words: "under " + SheetText.bound(bound))
      }
      return rows + [Row(colour: ramp(bounds.count, of: bounds.count), words: "more")]
    case .age:
      let words = [
        "within a day", "a week", "a month", "a year", "five years", "longer ago",
      ]
      return words.enumerated().map { (index, words) in
        Row(colour: ramp(Self.days.count - index, of: Self.days.count), words: words)
      }
    case .type:
      return FileType.allCases.map {
        Row(colour: landType(Int($0.rawValue)), words: "\($0.word)")
      }
    }
  }

  /// What stands above those rows.
  var heading: String {
    switch shading {
    case .tints: "tints: tell neighbours apart"
    case .size: "shades: bytes below"
    case .age: "shades: newest file below"
    case .type: "shades: type with the most bytes"
    }
  }
}
