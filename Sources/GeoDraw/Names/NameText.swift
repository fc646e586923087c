struct NameText: Sendable {
  /// The pieces that are placed one by one: mostly single letters.
  let letters: [String]
  let widths: [Double]

  private static let maximum = 40

  /// A name in a script whose letters join or run from right to left is always one piece.
  init(
    _ name: some Collection<UInt8>, isCapital: Bool = false, isBold: Bool = false,
    isWhole: Bool = false
  ) {
    var text = String(decoding: name, as: UTF8.self)
    if isCapital { text = text.uppercased() }
    var letters = Array(text)
    if letters.count > Self.maximum { letters = Array(letters.prefix(Self.maximum - 2)) + ["…"] }
    let factor = isBold ? TextWidth.bold : 1
    let widths = letters.map { TextWidth.of($0) * factor }
    if isWhole && !letters.isEmpty || text.unicodeScalars.contains(where: Self.joins) {
      self.letters = [String(letters)]
      self.widths = [widths.reduce(0, +)]
    } else {
      self.letters = letters.map { String($0) }
      self.widths = widths
    }
  }

  var width: Double { widths.reduce(0, +) }

  var text: String { letters.joined() }

  private static func joins(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x0590...0x10FF, 0x1780...0x18AF, 0x200C...0x200F, 0xFB1D...0xFDFF, 0xFE70...0xFEFF: true
    default: false
    }
  }
}

/// Estimated widths of text for any font.
///
/// A drawing contains no font. These are the advance widths of a broad serif font, in thousandths
/// of the size. In a narrower font the letters are a little farther apart.
package enum TextWidth {
  /// The widths of U+0020 to U+007E.
  private static let ascii: [UInt16] = [
    318, 402, 460, 838, 636, 950, 890, 275, 390, 390, 500, 838, 318, 338, 318, 337, 636, 636, 636,
    636, 636, 636, 636, 636, 636, 636, 337, 337, 838, 838, 838, 536, 1000, 722, 735, 765, 802, 730,
    694, 799, 872, 395, 401, 747, 664, 1024, 875, 820, 673, 820, 753, 685, 667, 843, 722, 1028, 712,
    660, 695, 390, 337, 390, 838, 500, 500, 596, 640, 560, 640, 592, 370, 640, 644, 320, 310, 606,
    320, 948, 644, 602, 640, 640, 478, 513, 402, 644, 565, 856, 564, 565, 527, 636, 337, 636, 838,
  ]

  static let bold = 1.09

  package static func of(_ letter: Character) -> Double {
    guard let scalar = letter.unicodeScalars.first else { return 0 }
    let value = scalar.value
    if value >= 0x20, value - 0x20 < UInt32(ascii.count) {
      return Double(ascii[Int(value - 0x20)]) / 1000
    }
    // East Asian scripts and emoji are square.
    if value >= 0x1100 && value < 0x1200 || value >= 0x2E80 { return 1.05 }
    if scalar.properties.isUppercase { return 0.82 }
    return 0.66
  }

  package static func of(_ text: String) -> Double { text.reduce(0) { $0 + of($1) } }

  /// Shortens text to a width: cuts letters from the beginning, or from the end, and puts `…` in their
  /// place.
  static func fitted(
    _ text: String, size: Double, into width: Double, keepsBeginning: Bool = false
  ) -> String {
    if of(text) * size <= width { return text }
    var letters = Array(text)
    // The end of a path is more useful than its beginning.
    while letters.count > 1, (of(String(letters)) + 0.9) * size > width {
      if keepsBeginning { letters.removeLast() } else { letters.removeFirst() }
    }
    return keepsBeginning ? String(letters) + "…" : "…" + String(letters)
  }
}

/// The occupied boxes of a sheet, indexed by square cells of the sheet.
struct TakenBoxes: Sendable {
  private struct Cell: Hashable {
    let x, y: Int
  }

  private var cells: [Cell: [Box]] = [:]
  private static let side = 48.0

  private static func cells(of box: Box) -> [Cell] {
    let (x0, x1) = (Int((box.left / side).rounded(.down)), Int((box.right / side).rounded(.down)))
    let (y0, y1) = (Int((box.top / side).rounded(.down)), Int((box.bottom / side).rounded(.down)))
    return (y0...max(y0, y1)).flatMap { y in (x0...max(x0, x1)).map { Cell(x: $0, y: y) } }
  }

  mutating func add(_ box: Box) {
    for cell in Self.cells(of: box) { cells[cell, default: []].append(box) }
  }

  func isFree(_ box: Box) -> Bool {
    !Self.cells(of: box).contains { cell in
      cells[cell]?.contains { $0.overlaps(box) } ?? false
    }
  }
}
