import GeoCore
import GeoProjection
import GeoSystem

/// What the cartouche tells, in words.
struct PosterFacts: Sendable {
  /// A part of what is shown, with its share of all bytes.
  struct Part: Sendable {
    let name: String
    let bytes: String
    let files: String
    let share: Double
  }

  struct Town: Sendable {
    let path: String
    let bytes: String
  }

  struct Total: Sendable {
    let number: String
    let word: String
  }

  let title: String
  let subtitle: String
  let totals: [Total]
  let partsHeading: String
  let parts: [Part]
  let towns: [Town]
  /// When it was surveyed, if somebody said so.
  let date: String?
  /// Where the scale holds.
  let scaleNote: String
  private let metresPerUnit: Double

  init(
    of map: LandMap, _ options: PosterOptions, towns: [TownScale.Candidate],
    isFolder: Bool
  ) {
    let tree = map.tree
    let tops = tree.tops
    let several = tops.count > 1
    // A single continent is told about by its countries.
    let parts = several ? tops : tops.flatMap { tree.folders[$0].children }
    let countries = tops.reduce(0) { $0 + tree.folders[$1].children.count }
    title = options.title.map(Self.text) ?? Self.title(of: tops, tree)
    subtitle = Self.subtitle(continents: tops.count, countries: countries, isFolder: isFolder)
    let all = tops.map { tree.folders[$0].totals }
    let files = all.reduce(0) { $0 + ($1?.files ?? 0) }
    let bytes = all.reduce(0.0) { $0 + Double($1?.bytes ?? 0) }
    // Lists of names know no sizes.
    let isKnown = all.allSatisfy { $0 == nil || $0?.bytes != nil }
    // The continents themselves are folders, too.
    let folders = tops.reduce(0) { $0 + tree.count(below: $1) + 1 }
    totals = [
      Total(number: files.grouped, word: files == 1 ? "file" : "files"),
      Total(number: isKnown ? SheetText.bytes(bytes) : "unknown", word: "in all"),
      Total(
        number: folders.grouped, word: folders == 1 ? "folder" : "folders"),
    ]
    partsHeading = several ? "CONTINENTS" : isFolder ? "PARTS" : "COUNTRIES"
    let sorted = parts.sorted { (tree.folders[$1].bytes, $0) < (tree.folders[$0].bytes, $1) }
    let most = sorted.first.map { tree.folders[$0].bytes } ?? 0
    self.parts = sorted.map { index in
      let folder = tree.folders[index]
      return Part(
        name: Self.text(Array(folder.name)),
        bytes: Self.bytes(of: folder),
        files: folder.totals.map { $0.files.grouped } ?? "–",
        share: most > 0 ? folder.bytes / most : 0)
    }
    self.towns = towns.prefix(12).map { town in
      // With one continent the path within it says enough.
      let path = tree.folders[town.folder].path
      let start = several ? 0 : tree.folders[town.top].path.count + 1
      return Town(path: Self.text(Array(path[start...])), bytes: SheetText.bytes(town.bytes))
    }
    date = options.date.map { "Surveyed " + SheetText.day($0) }

    let middle = map.view.world(at: map.view.frame.middle)
    let corner = map.view.world(at: Point(map.view.frame.left, map.view.frame.bottom))
    let top = map.view.world(at: Point(map.view.frame.left, map.view.frame.top))
    let seesEquator = top.y < 0.5 && corner.y > 0.5
    let latitude = seesEquator ? 0 : Mercator.latitude(ofY: middle.y)
    let place =
      seesEquator
      ? "at the equator"
      : "at " + SheetText.degrees(latitude, decimals: 1, positive: "N", negative: "S")
    scaleNote = place + " · Mercator"
    metresPerUnit =
      Self.girth / map.view.scale * Trigonometry.cosine(latitude * .pi / 180)
  }

  private static func bytes(of folder: AtlasFolder) -> String {
    guard let totals = folder.totals else { return "not read" }
    return totals.bytes.map { SheetText.bytes(Double($0)) } ?? "unknown"
  }

  /// The length of the equator in metres.
  private static let girth = 40_075_016.686

  private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

  private static func title(of tops: [Int], _ tree: AtlasTree) -> String {
    let names = tops.map { text(Array(tree.folders[$0].name)).uppercased() }
    let joined = names.joined(separator: " · ")
    return names.count < 4 && joined.count <= 24 || names.count == 1 ? joined : "THE FILE SYSTEM"
  }

  private static func subtitle(continents: Int, countries: Int, isFolder: Bool) -> String {
    func count(_ number: Int, _ one: String, _ many: String) -> String {
      SheetText.word(number) + " " + (number == 1 ? one : many)
    }
    if continents > 1 {
      return "in \(count(continents, "continent", "continents")), at true coordinates"
    }
    if countries == 0 { return "a land without folders, at true coordinates" }
    let words =
      isFolder
      ? count(countries, "part", "parts") : count(countries, "country", "countries")
    return "in \(words), at true coordinates"
  }

  /// A scale, and what its half and its whole are.
  struct Ruler {
    let length: Double
    let half: String
    let whole: String
  }

  /// A round scale that is no longer than so many units.
  func ruler(_ most: Double) -> Ruler {
    let metres = most * metresPerUnit
    let ten = Logarithm.power(10, Logarithm.ofTen(metres).rounded(.down))
    let lead = [8.0, 6, 5, 4, 3, 2, 1].first { $0 * ten <= metres } ?? 1
    let whole = lead * ten
    return Ruler(
      length: whole / metresPerUnit, half: SheetText.length(whole / 2),
      whole: SheetText.length(whole))
  }
}
