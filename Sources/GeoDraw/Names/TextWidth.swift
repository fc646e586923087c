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
