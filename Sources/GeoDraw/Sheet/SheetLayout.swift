import GeoCore

/// The places of the map and of the panel (the cartouche, with title, totals and legend) on a
/// sheet.
struct SheetLayout: Sendable {
  let width, height: Double
  let frame, map, panel: Box
  /// The panel's columns: one on landscape sheets, three on portrait sheets.
  let columns: [Box]
  /// The scale of the panel's texts, 1 for a column of 262 units.
  let scale: Double

  /// The margin around the frame, which holds the degrees, in units.
  static let margin = 27.0
  /// The width of the frame with its band, in units.
  static let band = 12.0

  init(_ size: SheetSize) {
    width = (size.width * SheetSize.unit).rounded()
    height = (size.height * SheetSize.unit).rounded()
    let margin = Self.margin
    if width > height {
      let breadth = Look.clamp(width * 0.215, 190, 400)
      panel = Box(
        left: width - margin - breadth, top: margin, right: width - margin, bottom: height - margin)
      frame = Box(
        left: margin, top: margin, right: panel.left - margin * 0.75, bottom: height - margin)
      columns = [panel.grown(by: -Self.band - breadth * 0.045)]
      scale = Look.clamp((columns[0].width) / 262, 0.6, 1.25)
    } else {
      let tall = Look.clamp(height * 0.25, 190, 420)
      panel = Box(
        left: margin, top: height - margin - tall, right: width - margin, bottom: height - margin)
      frame = Box(
        left: margin, top: margin, right: width - margin, bottom: panel.top - margin)
      let inner = panel.grown(by: -Self.band - 10)
      let gap = 24.0
      let each = (inner.width - 2 * gap) / 3
      columns = (0..<3).map { index in
        let left = inner.left + Double(index) * (each + gap)
        return Box(left: left, top: inner.top, right: left + each, bottom: inner.bottom)
      }
      scale = Look.clamp(min(each / 262, tall / 330), 0.55, 1.15)
    }
    map = frame.grown(by: -Self.band)
  }
}

/// The size of a sheet in millimetres.
package struct SheetSize: Sendable, Hashable {
  package let width, height: Double

  package static let a3 = SheetSize(unchecked: 420, 297)
  /// The sheets A0 to A6 of ISO 216, in landscape.
  private static let isoSheets = [
    (1189, 841), (841, 594), (594, 420), (420, 297), (297, 210), (210, 148), (148, 105),
  ].map { SheetSize(unchecked: $0, $1) }
  /// Nearly 1200 by 630 units, the usual size of link previews.
  package static let link = SheetSize(unchecked: 317.5, 166.7)

  package static let sides = 80...2000

  private init(unchecked width: Double, _ height: Double) {
    (self.width, self.height) = (width, height)
  }

  /// Parses `A0` to `A6`, or `WxH` in millimetres; nil if a side is outside of ``sides``, or more
  /// than three times the other.
  package init?(parsing text: [UInt8]) {
    if text.count == 2, text[0] | 0x20 == UInt8(ascii: "a"), 0x30...0x36 ~= text[1] {
      self = Self.isoSheets[Int(text[1] - 0x30)]
      return
    }
    let sides = text.split(separator: UInt8(ascii: "x"), omittingEmptySubsequences: false)
    guard sides.count == 2, let width = Int64(wholeNumber: sides[0]),
      let height = Int64(wholeNumber: sides[1]), Self.sides.contains(Int(clamping: width)),
      Self.sides.contains(Int(clamping: height)), width <= 3 * height, height <= 3 * width
    else { return nil }
    self.init(unchecked: Double(width), Double(height))
  }

  /// Units per millimetre. A unit is a CSS pixel, of which an inch has 96.
  static let unit = 96 / 25.4
}

package enum Shading: String, Sendable, CaseIterable {
  case tints
  case size
  /// The newest modification time.
  case age
  /// The type of file with the most bytes.
  case type
}

package enum SheetMeasure: Sendable, Hashable {
  /// Room on disk if all roots know it, else bytes.
  case bytes
  case files
  /// A layer that adds up, by its number.
  case layer(Int)
}

package struct PosterOptions: Sendable {
  package var size = SheetSize.a3
  /// The title above the totals; nil for the names of what is drawn.
  package var title: [UInt8]?
  package var isDark = false
  package var shading = Shading.tints
  package var layers = LayerSchema.none
  /// The number of the layer that colours show, in place of ``shading``.
  package var colour: Int?
  package var measure = SheetMeasure.bytes
  /// Unix time of the scan, printed on the sheet and used as the end of all ages; nil if unknown.
  package var date: Int64?
  /// Whether folders with unknown contents are drawn. Where only part of a tree is shown, they may
  /// be folders outside of that part.
  package var showsUnlisted = true
  package var wantsRoom = true
  /// The names of each root's own files, in the order of the engine's roots; empty if unknown.
  package var rootFiles: [NameTable] = []
  /// The own files of the folder that is drawn; they are shown if it has no sub-folders.
  package var files: [PosterFile] = []

  package init() {}
}
