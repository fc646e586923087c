import GeoCore
import GeoProjection

/// The files that are in a folder itself, with their numbers, and their name at the ground that they
/// take.
struct LooseFiles: Sendable {
  let files: Int64
  let amount: Double?
  private let words: String?
  let ground: Point

  let name: String
  /// The part of a folder's amount from which on they have a name on the map.
  private static let little = 0.05
  private static let size = 9.0

  /// Nil if several folders are drawn as continents, and for a folder without such files, or with
  /// nothing else.
  init?(on map: LandMap) {
    guard map.tree.tops.count == 1, let top = map.tree.tops.first else { return nil }
    let folder = map.tree.folders[top]
    guard folder.ownFiles > 0, !folder.children.isEmpty, let city = folder.city else { return nil }
    name = "files of \(NameText(folder.name).text) here"
    files = folder.ownFiles
    amount = folder.amount.map { _ in folder.ownAmount }
    words = map.tree.measure == .files ? nil : amount.map { map.tree.text($0) }
    ground = map.point(city.frame.centre)
  }

  func areNamed(in all: Double) -> Bool {
    guard files > 1, let amount else { return false }
    return amount >= Self.little * all && amount > 0
  }

  var lines: [String] {
    [name, (words.map { $0 + " · " } ?? "") + SheetText.files(files)]
  }

  var places: [Box] {
    let width: Double = (lines.map { TextWidth.of($0) }.max() ?? 0) * Self.size
    let height: Double = 2.3 * Self.size
    let middles = (-3...3).flatMap { row in
      (-3...3).map { column in
        Point(
          ground.x + Double(column) * 0.4 * width, ground.y + Double(row) * 0.7 * height)
      }
    }
    return middles.sorted { $0.distance(to: ground) < $1.distance(to: ground) }
      .map { Box(at: $0, width / 2, height / 2) }
  }

  func paint(in box: Box, _ pen: inout Pen) {
    for (row, line) in lines.enumerated() {
      let x = SVGText.number(box.middle.x)
      let y = SVGText.number(box.top + (0.9 + 1.15 * Double(row)) * Self.size)
      let size = SVGText.number(Self.size)
      pen.svg.line(
        "<text x=\"\(x)\" y=\"\(y)\" font-size=\"\(size)\">\(SVGText.escaped(line))</text>")
    }
  }
}
