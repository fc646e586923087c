import GeoCore

/// How large a sheet is, in millimetres.
package struct SheetSize: Sendable, Hashable {
  package let width: Double
  package let height: Double

  package static let a3 = SheetSize(unchecked: 420, 297)
  package static let a2 = SheetSize(unchecked: 594, 420)
  /// Nearly 1200 by 630 units, as programs show pictures of links.
  package static let link = SheetSize(unchecked: 317.5, 166.7)

  /// Millimetres that a side may have.
  package static let sides = 80...2000

  private init(unchecked width: Double, _ height: Double) {
    self.width = width
    self.height = height
  }

  /// `A3`, `A2`, or `WxH` in millimetres; nil for anything else, and for sides that are too short, too
  /// long, or more than three to one.
  package init?(parsing text: [UInt8]) {
    switch String(decoding: text, as: UTF8.self).uppercased() {
    case "A3": self = .a3
    case "A2": self = .a2
    default:
      let sides = text.split(separator: UInt8(ascii: "x"), omittingEmptySubsequences: false)
      guard sides.count == 2, let width = Int64(wholeNumber: sides[0]),
        let height = Int64(wholeNumber: sides[1]), Self.sides.contains(Int(clamping: width)),
        Self.sides.contains(Int(clamping: height)), width <= 3 * height, height <= 3 * width
      else { return nil }
      self.init(unchecked: Double(width), Double(height))
    }
  }

  /// How many units of a drawing a millimetre has: those of CSS, 96 to the inch.
  static let unit = 96 / 25.4
}

/// What the colours of lands tell.
package enum Shading: String, Sendable, CaseIterable {
  /// Neighbours apart.
  case tints
  /// How many bytes are below.
  case size
  /// When anything below was changed last.
  case age
  /// Which type of file has the most bytes below.
  case type
}

/// What is drawn, and how.
package struct PosterOptions: Sendable {
  package var size = SheetSize.a3
  /// What stands above the totals; nil for the name of what is drawn.
  package var title: [UInt8]?
  package var isDark = false
  package var shading = Shading.tints
  /// Unix time of what is drawn, to be written on it; ages are counted from then.
  package var date: Int64?
  /// Whether folders are drawn of which nobody knows what is below them: where a part of a tree is shown,
  /// they may be those that aren't.
  package var showsUnlisted = true

  package init() {}
}
