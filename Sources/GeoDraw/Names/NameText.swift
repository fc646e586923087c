import GeoCore

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
