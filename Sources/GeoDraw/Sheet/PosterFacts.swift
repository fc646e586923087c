import GeoCore

struct PosterFacts: Sendable {
  /// A row of the list of parts, its share relative to the largest part.
  struct Part: Sendable {
    let name, bytes, files: String
    let share: Double
    /// How it changed, which gives its bar and number their colours; nil for the usual ones.
    var kind: SizeChange.Kind?
    var growth: Int64 = 0
    var note = ""
  }

  struct Town: Sendable {
    let path, bytes: String
  }

  struct Total: Sendable {
    let number, word: String
    var details: [String] = []
  }

  var above = "A MAP OF"
  let title: String
  var subtitle: String
  var totals: [Total]
  var measure: String
  var partsHeading: String
  var partsColumn = "files"
  var parts: [Part]
  /// How many changes have no row, and the sum of their bytes; nil on sheets of one state.
  var rest: (count: Int, bytes: Int64)?
  var townsHeading = "LARGEST TOWNS"
  var towns: [Town]
  /// The last lines: the date of the scan, or the numbers of files that differ.
  var foot: [String]
  let scaleNote: String
  private let metresPerUnit: Double

  init(
    of map: LandMap, _ options: PosterOptions, towns: [TownScale.Candidate], _ part: PosterPart
  ) {
    let (tree, tops, isFolder) = (map.tree, map.tree.tops, part.isFolder)
    let several = tops.count > 1
    // A single continent is listed by its countries.
    let all = several ? tops : tops.flatMap { tree.folders[$0].children }
    let parts = all.filter { part.parts?.contains(tree.folders[$0].number) ?? true }
    // What is added up: all of the continents, or the lands in sight.
    let shown = part.parts == nil ? tops : parts
    title =
      options.title.map { Self.text($0) }
      ?? Self.title(of: tops, part.parts.map { _ in parts }, tree)
    subtitle = Self.subtitle(
      continents: tops.count, countries: several ? 0 : parts.count, isFolder: isFolder)
    let files = shown.reduce(0) { $0 + (tree.folders[$1].totals?.files ?? 0) }
    let size = shown.reduce(0.0) { $0 + (tree.folders[$1].size ?? 0) }
    let amount = shown.reduce(0.0) { $0 + tree.folders[$1].measured }
    // Input from lists of names has no sizes.
    let isKnown = shown.allSatisfy {
      tree.folders[$0].totals == nil || tree.folders[$0].amount != nil
    }
    // Continents count as folders, too.
    let folders = shown.reduce(0) { $0 + tree.count(below: $1) + 1 }
    totals = [
      Total(number: files.grouped, word: files == 1 ? "file" : "files"),
      Total(
        number: (isKnown ? tree.column(size, amount) : nil) ?? "unknown",
        word: isKnown ? tree.heading : "in all"),
      Total(number: folders.grouped, word: folders == 1 ? "folder" : "folders"),
    ]
    measure = tree.heading
    partsHeading = several ? "CONTINENTS" : isFolder ? "PARTS" : "COUNTRIES"
    let sorted = parts.sorted { (tree.folders[$1].measured, $0) < (tree.folders[$0].measured, $1) }
    let maximum = sorted.first.map { tree.folders[$0].measured } ?? 0
    let loose = part.parts == nil && !parts.isEmpty ? LooseFiles(on: map) : nil
    let greatest = max(maximum, loose?.amount ?? 0)
    var rows = sorted.map { index in
      let folder = tree.folders[index]
      let bytes = tree.column(folder.size, folder.amount) ?? "unknown"
      return Part(
        name: Self.text(folder.name), bytes: folder.totals == nil ? "not read" : bytes,
        files: folder.totals?.files.grouped ?? "–",
        share: greatest > 0 ? folder.measured / greatest : 0)
    }
    if let loose {
      let size = tops.first.map { tree.folders[$0].ownSize } ?? 0
      let share = greatest > 0 ? (loose.amount ?? 0) / greatest : 0
      rows.insert(
        Part(
          name: loose.name,
          bytes: loose.amount.flatMap { tree.column(size, $0) } ?? "unknown",
          files: loose.files.grouped, share: share),
        at: rows.firstIndex { $0.share < share } ?? rows.count)
    }
    self.parts = rows
    self.towns = towns.prefix(12).map { town in
      // With a single continent, its name is left out of the path.
      let path = tree.folders[town.folder].path
      let start = several ? 0 : tree.folders[town.top].path.count + 1
      return Town(path: Self.text(path[start...]), bytes: tree.text(town.amount))
    }
    foot = options.date.map { ["Surveyed " + SheetText.day($0)] } ?? []

    let (view, frame) = (map.view, map.view.frame)
    let (bottom, top) = (Point(frame.left, frame.bottom), Point(frame.left, frame.top))
    let seesEquator = view.world(at: top).y < 0.5 && view.world(at: bottom).y > 0.5
    let latitude = seesEquator ? 0 : Mercator.latitude(ofY: view.world(at: frame.middle).y)
    let place =
      seesEquator
      ? "the equator" : SheetText.degrees(latitude, decimals: 1, positive: "N", negative: "S")
    scaleNote = "at \(place) · Mercator"
    metresPerUnit = Self.girth / view.scale * Trigonometry.cosine(latitude * .pi / 180)
  }

  /// The length of the equator in metres.
  private static let girth = 40_075_016.686

  private static func text(_ bytes: some Collection<UInt8>) -> String {
    String(decoding: bytes, as: UTF8.self)
  }

  /// The names of the continents, or of those of their parts that are in sight.
  private static func title(of tops: [Int], _ parts: [Int]?, _ tree: SheetTree) -> String {
    guard let first = tops.first else { return "OPEN SEA" }
    let names = (parts ?? tops).map { text(tree.folders[$0].name).uppercased() }
    let joined = names.joined(separator: " · ")
    if names.count < 4 && joined.count <= 24 || names.count == 1 { return joined }
    return parts == nil
      ? "THE FILE SYSTEM" : "PART OF " + text(tree.folders[first].name).uppercased()
  }

  private static func subtitle(continents: Int, countries: Int, isFolder: Bool) -> String {
    func count(_ number: Int, _ one: String, _ many: String) -> String {
      SheetText.word(number) + " " + (number == 1 ? one : many)
    }
    if continents > 1 {
      return "in \(count(continents, "continent", "continents")), at true coordinates"
    }
    if continents == 0 { return "no land is in sight" }
    if countries == 0 { return "a land without folders, at true coordinates" }
    let words =
      isFolder
      ? count(countries, "part", "parts") : count(countries, "country", "countries")
    return "in \(words), at true coordinates"
  }

  /// The length of a scale bar in units, and the labels at its middle and end.
  func ruler(_ maximum: Double) -> (length: Double, half: String, whole: String) {
    let metres = maximum * metresPerUnit
    let ten = Logarithm.power(10, Logarithm.ofTen(metres).rounded(.down))
    let lead = [8.0, 6, 5, 4, 3, 2, 1].first { $0 * ten <= metres } ?? 1
    let whole = lead * ten
    return (whole / metresPerUnit, SheetText.length(whole / 2), SheetText.length(whole))
  }
}
