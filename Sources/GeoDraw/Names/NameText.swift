import GeoCore
import GeoProjection
import GeoSystem

/// The name of a folder as it is written on a map, letter by letter.
struct NameText: Sendable {
  /// What is set as one.
  let letters: [String]
  /// Their widths at a size of 1.
  let widths: [Double]

  /// How many letters are shown at most.
  private static let most = 40

  /// A name of raw bytes.
  ///
  /// Each letter gets a place of its own; names in scripts whose letters join, or run to the left, are
  /// set as one.
  init(_ name: some Collection<UInt8>, isCapital: Bool = false, isBold: Bool = false) {
    var text = String(decoding: name, as: UTF8.self)
    if isCapital { text = text.uppercased() }
    var letters = Array(text)
    if letters.count > Self.most { letters = Array(letters.prefix(Self.most - 2)) + ["…"] }
    let factor = isBold ? TextWidth.bold : 1
    let widths = letters.map { TextWidth.of($0) * factor }
    if text.unicodeScalars.contains(where: Self.joins) {
      self.letters = [String(letters)]
      self.widths = [widths.reduce(0, +)]
    } else {
      self.letters = letters.map { String($0) }
      self.widths = widths
    }
  }

  /// The width of all of it at a size of 1.
  var width: Double { widths.reduce(0, +) }

  /// The text as one.
  var text: String { letters.joined() }

  /// Whether letters of a script can't be set by themselves.
  private static func joins(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x0590...0x10FF, 0x1780...0x18AF, 0x200C...0x200F, 0xFB1D...0xFDFF, 0xFE70...0xFEFF: true
    default: false
    }
  }
}

/// How wide texts are, whatever font they are set in.
///
/// No font comes with a drawing. These are the advance widths of a serif broader than most, in
/// thousandths of the size: in a narrower one letters stand a little apart.
package enum TextWidth {
  /// From U+0020 to U+007E.
  private static let ascii: [UInt16] = [
    318, 402, 460, 838, 636, 950, 890, 275, 390, 390, 500, 838, 318, 338, 318, 337, 636, 636, 636,
    636, 636, 636, 636, 636, 636, 636, 337, 337, 838, 838, 838, 536, 1000, 722, 735, 765, 802, 730,
    694, 799, 872, 395, 401, 747, 664, 1024, 875, 820, 673, 820, 753, 685, 667, 843, 722, 1028, 712,
    660, 695, 390, 337, 390, 838, 500, 500, 596, 640, 560, 640, 592, 370, 640, 644, 320, 310, 606,
    320, 948, 644, 602, 640, 640, 478, 513, 402, 644, 565, 856, 564, 565, 527, 636, 337, 636, 838,
  ]

  /// What a bold letter is wider by.
  static let bold = 1.09

  /// The width of a letter at a size of 1.
  package static func of(_ letter: Character) -> Double {
    guard let scalar = letter.unicodeScalars.first else { return 0 }
    let value = scalar.value
    if value >= 0x20, value - 0x20 < UInt32(ascii.count) {
      return Double(ascii[Int(value - 0x20)]) / 1000
    }
    // Scripts of the east are set in squares, and pictures are.
    if value >= 0x1100 && value < 0x1200 || value >= 0x2E80 { return 1.05 }
    if scalar.properties.isUppercase { return 0.82 }
    return 0.66
  }

  /// The width of a text at a size of 1.
  package static func of(_ text: String) -> Double { text.reduce(0) { $0 + of($1) } }

  /// As much of a text as is no wider than a limit, with a sign where something was left out.
  static func fitted(_ text: String, size: Double, into width: Double) -> String {
    if of(text) * size <= width { return text }
    var letters = Array(text)
    // What a path ends in tells more than what it begins with.
    while letters.count > 1, (of(String(letters)) + 0.9) * size > width { letters.removeFirst() }
    return "…" + String(letters)
  }
}

/// What makes a folder a town: how many bytes are below it, as suits all that is shown.
package struct TownScale: Sendable, Hashable {
  /// Bytes from which on a folder is a town, a large one, a very large one.
  package let bounds: [Double]

  /// Bounds for a sheet on which so many bytes are shown: a 1,600th of them, a 130th, a 13th, each
  /// rounded to 1, 2 or 5 times a power of ten.
  package init(bytes: Double) {
    bounds = [1600.0, 130, 13].map { Self.round(max(1, bytes) / $0) }
  }

  private static func round(_ value: Double) -> Double {
    let ten = Logarithm.power(10, Logarithm.ofTen(max(1, value)).rounded(.down))
    let lead = value / ten
    return ten * (lead < 1.5 ? 1 : lead < 3.5 ? 2 : lead < 7.5 ? 5 : 10)
  }

  /// A folder that is a town if it finds room for its name.
  struct Candidate: Sendable {
    let folder: Int
    let top: Int
    let point: Point
    let sign: Int
    let bytes: Double
  }

  /// The towns of a map, the largest first, of which none lies in another: a folder most of whose
  /// bytes are below one of its sub-folders leaves it to that one.
  func towns(on map: LandMap) -> [Candidate] {
    var found: [Candidate] = []
    for top in map.tree.tops {
      for country in map.tree.folders[top].children {
        for state in map.tree.folders[country].children {
          add(state, of: top, on: map, to: &found)
        }
      }
    }
    return found.sorted { ($1.bytes, $0.folder) < ($0.bytes, $1.folder) }
  }

  /// What part of a folder's bytes makes one of its sub-folders the town.
  private static let most = 0.6

  private func add(
    _ first: Int, of top: Int, on map: LandMap, to found: inout [Candidate]
  ) {
    var folder = first
    let folders = map.tree.folders
    while let child = folders[folder].children.max(by: { folders[$0].bytes < folders[$1].bytes }),
      folders[child].bytes > folders[folder].bytes * Self.most
    {
      folder = child
    }
    let bytes = folders[folder].bytes
    guard let sign = bounds.lastIndex(where: { bytes >= $0 }) else { return }
    let plan = map.tree.engine.planCentre(of: folders[folder].place)
    let point = map.view.led(map.view.place(map.tree.engine.chart(plan)))
    found.append(
      Candidate(folder: folder, top: top, point: point, sign: sign, bytes: bytes))
  }
}

/// Boxes of a sheet that something stands in, found by the part of the sheet.
struct TakenBoxes: Sendable {
  private struct Cell: Hashable {
    let x: Int
    let y: Int
  }

  private var cells: [Cell: [Box]] = [:]
  private static let side = 48.0

  private static func cells(of box: Box) -> [Cell] {
    let (x0, x1) = (Int((box.left / side).rounded(.down)), Int((box.right / side).rounded(.down)))
    let (y0, y1) = (Int((box.top / side).rounded(.down)), Int((box.bottom / side).rounded(.down)))
    return (y0...max(y0, y1)).flatMap { y in (x0...max(x0, x1)).map { Cell(x: $0, y: y) } }
  }

  mutating func take(_ box: Box) {
    for cell in Self.cells(of: box) { cells[cell, default: []].append(box) }
  }

  func isFree(_ box: Box) -> Bool {
    !Self.cells(of: box).contains { cell in
      cells[cell]?.contains { $0.overlaps(box) } ?? false
    }
  }
}
