import GeoTree

struct LandColours: Sendable {
  let theme: Theme
  let shading: Shading
  let layer: LayerColours?
  let bounds: [Double]
  /// The Unix time at which ages end; nil if unknown.
  let now: Int64?
  /// The upper bounds of the classes of age, in days.
  let ages: [Double]
  let newest: (name: String, time: Int64)?
  /// How lands changed, by index; nil on sheets of one state. Only what changed is tinted.
  let changes: [Int: SizeChange.Kind]?

  private static let changed = 0.24

  /// How many times nearer a sheet is viewed than a screen of the same width.
  private static let nearness = 3.0

  init(
    _ map: LandMap, _ theme: Theme, _ options: PosterOptions,
    changes: [Int: SizeChange.Kind]? = nil
  ) {
    self.theme = theme
    self.changes = changes
    shading = options.shading
    let lands = map.order.filter { map.lands[$0].map { $0.rank >= 1 && $0.isBordered } ?? false }
    layer = options.colour.map { layer in
      let seen = lands.map { (map.tree.folders[$0].cells, map.tree.folders[$0].measured) }
      let files = lands.isEmpty ? options.files : []
      return LayerColours(
        options.layers, layer, seen + files.map { ($0.cells, map.tree.amount(of: $0)) }, theme)
    }
    bounds = Look.classBounds(lands.map { map.tree.folders[$0].measured })
    let now =
      options.date ?? map.tree.tops.compactMap { map.tree.folders[$0].details?.newest }.max()
    self.now = now
    let countries = lands.filter { map.lands[$0]?.rank == 1 }
    let times = (countries.count > 1 ? countries : lands).compactMap { folder in
      map.tree.folders[folder].details?.newest.map { (folder: folder, time: $0) }
    }
    ages = AgeClasses.bounds(times.compactMap { time in now.map { Self.age(time.time, at: $0) } })
    newest = times.max { ($0.time, $1.folder) < ($1.time, $0.folder) }.map {
      (NameText(map.tree.folders[$0.folder].name).text, $0.time)
    }
  }

  func isBlank(_ folder: SheetFolder) -> Bool {
    layer.map { $0.land(folder.cells) == nil } ?? false
  }

  /// An age in days. Some file systems have times at the ends of what a number can be.
  private static func age(_ time: Int64, at now: Int64) -> Double {
    Double(now.subtracting(saturating: time)) / 86_400
  }

  /// The colour of a class; the first and the last class have the ends of the ramp.
  private func ramp(_ index: Int, of last: Int) -> Paint {
    let ramp = shading == .age ? theme.ages : theme.ramp
    let place = Double(index * (ramp.count - 1)) / Double(max(1, last))
    return ramp[Int(place.rounded())]
  }

  private func shade(_ folder: SheetFolder) -> Paint? {
    if let layer { return layer.land(folder.cells) ?? theme.land }
    switch shading {
    case .tints: return nil
    case .size:
      guard folder.amount != nil else { return theme.unknown }
      return ramp(ClassBounds.classOf(folder.measured, in: bounds), of: bounds.count)
    case .age:
      guard let newest = folder.details?.newest, let now else { return theme.unknown }
      // The newest class has the strongest colour.
      let index = ClassBounds.classOf(Self.age(newest, at: now), in: ages)
      return ramp(ages.count - index, of: ages.count)
    case .type:
      return folder.details?.largestClass.map(landType) ?? theme.unknown
    }
  }

  private func landType(_ type: Int) -> Paint {
    let base = theme.typeStrength < 0.35 ? theme.land : 0xFFFFFF
    return base.blended(with: theme.types[min(type, theme.types.count - 1)], theme.typeStrength)
  }

  func fill(_ land: DrawnLand, _ folder: SheetFolder, on ground: Paint) -> Paint {
    if land.rank < 0 { return surroundings(land) }
    if land.rank == 0 { return theme.land }
    if let changes {
      guard let kind = changes[land.folder], kind != .same else { return ground }
      return theme.land.blended(with: theme.colour(of: kind), Self.changed)
    }
    if let shade = shade(folder) { return ground.blended(with: shade, land.rank == 1 ? 0.92 : 0.8) }
    let strength = Look.tintStrength(breadth: land.breadth) / 0.66 * theme.tintStrength
    var own = theme.land.blended(with: theme.tints[Int(land.tint)], strength)
    if land.rank > 1 { own = own.blended(with: theme.top, 0.22) }
    let fraction = Look.ownTint(depth: land.rank, around: land.around * Self.nearness)
    return ground.blended(with: own, fraction)
  }

  func surroundings(_ land: DrawnLand) -> Paint {
    land.isBeside
      ? theme.surroundings.blended(with: theme.tints[Int(land.tint)], 0.16) : theme.surroundings
  }

  func edge(_ land: DrawnLand) -> Paint {
    if let changes {
      guard let kind = changes[land.folder], kind != .same else { return theme.land }
      return theme.colour(of: kind)
    }
    return isTinted ? theme.edges[Int(land.tint)] : theme.borders[min(max(land.rank, 0), 3)]
  }

  var isTinted: Bool { layer == nil && shading == .tints }

  struct Row: Sendable {
    let colour: Paint
    let words: String
    var count = ""
    var isBlank = false
  }

  var legend: [Row] {
    if let layer { return layer.legend }
    switch shading {
    case .tints:
      return theme.tints.map { Row(colour: theme.land.blended(with: $0, 0.7), words: "") }
    case .size:
      let rows = bounds.enumerated().map { (index, bound) in
        Row(colour: ramp(index, of: bounds.count), words: "under " + SheetText.bound(bound))
      }
      return rows + [Row(colour: ramp(bounds.count, of: bounds.count), words: "more")]
    case .age:
      let words = ages.map { "within " + AgeClasses.words($0) }
      return (words + [ages.isEmpty ? "all about equally old" : "longer ago"]).enumerated().map {
        index, words in
        Row(colour: ramp(ages.count - index, of: ages.count), words: words)
      }
    case .type:
      return FileType.allCases.map {
        Row(colour: landType(Int($0.rawValue)), words: "\($0.word)")
      }
    }
  }

  var newestInWords: String? {
    guard layer == nil, shading == .age, let newest else { return nil }
    return "changed last: \(newest.name), \(SheetText.day(newest.time))"
  }

  var heading: String {
    if let layer { return "shades: \(layer.name)" }
    return switch shading {
    case .tints: "tints: distinguish neighbours"
    case .size: "shades: size of the folder"
    case .age: "shades: newest file in it"
    case .type: "shades: type with the most bytes"
    }
  }
}
