/// A colour with components from 0 to 255.
struct Paint: Sendable, Hashable {
  let red, green, blue: Double

  func blended(with other: Paint, _ fraction: Double) -> Paint {
    Paint(
      red: red + (other.red - red) * fraction, green: green + (other.green - green) * fraction,
      blue: blue + (other.blue - blue) * fraction)
  }

  var text: String {
    "#"
      + [red, green, blue].map { component in
        let value = UInt8(Look.clamp(component.rounded(), 0, 255))
        return (value < 16 ? "0" : "") + String(value, radix: 16)
      }.joined()
  }
}

/// A colour as `0xRRGGBB`.
extension Paint: ExpressibleByIntegerLiteral {
  init(integerLiteral hex: UInt32) {
    self.init(
      red: Double(hex >> 16 & 255), green: Double(hex >> 8 & 255), blue: Double(hex & 255))
  }
}

/// The colours of a sheet, light or dark.
///
/// Lands, borders and names have the colours of the page (`palette.js`). The test cases of the rule
/// `colours` keep both equal. The colours of sea, paper and relief are used by sheets only.
struct Theme: Sendable {
  let paper, panel, line, sea: Paint
  /// The water around coasts, from near to far.
  let shallows: [Paint]
  /// Ground that nothing has taken, and its edge.
  let shelf, shelfEdge: Paint
  let waterline: [Paint]
  let graticule, coast, land, surroundings, bare, unknown: Paint
  let tints, edges: [Paint]
  let tintStrength: Double
  let borders, wood: [Paint]
  let hill, top, shade, sun: Paint
  var inks: [Paint]
  let soft, halo, accent: Paint
  /// The colours of classes of size, from little to much, and of age, from old to new.
  let ramp, ages: [Paint]
  /// The colours of numbers with two arms about 0.
  let arms: [Paint]
  /// The colours of words, the largest share first, and of all others.
  let words: [Paint]
  let otherWord: Paint
  let wordStrength: Double
  /// The colours of ``FileType``, in the order of its cases.
  let types: [Paint]
  let typeStrength: Double
  /// The colours of changes and of their words, in the order of ``SizeChange/Kind``
  /// without `left`, which is as `moved`.
  let changes, changeInks: [Paint]
  let faint, square: Paint

  func colour(of kind: SizeChange.Kind) -> Paint { Self.paint(kind, of: changes) }
  func ink(of kind: SizeChange.Kind) -> Paint { Self.paint(kind, of: changeInks) }

  private static func paint(_ kind: SizeChange.Kind, of paints: [Paint]) -> Paint {
    let kind = kind == .left ? .moved : kind
    return paints[SizeChange.Kind.allCases.filter { $0 != .left }.firstIndex(of: kind) ?? 0]
  }

  static let light = Theme(
    paper: 0xF7F0DF, panel: 0xFCF6E8, line: 0x2B2118, sea: 0xA3C0C6,
    shallows: [0xCFE0E0, 0xC6DADB, 0xBFD4D7, 0xB7CED2, 0xB0C9CE, 0xA9C4CA], shelf: 0xC3D9D8,
    shelfEdge: 0x5F8A8F, waterline: [0x86ADB8, 0x8EB3BD, 0x94B7C0, 0x98BAC2, 0x9CBCC4, 0x9FBEC5],
    graticule: 0xFFFFFF, coast: 0x5B4A35, land: 0xF3EBD5, surroundings: 0xEBE6D8, bare: 0x94733F,
    unknown: 0xE4E2DA, tints: [0xE9C79C, 0xCCD3A4, 0xDFBAB2, 0xB7CDBF, 0xEAD993, 0xCBBCD0],
    edges: [0xB26B24, 0x6C8030, 0xA04C47, 0x3F7A66, 0xA78716, 0x74568C], tintStrength: 0.62,
    borders: [0x3D4F4D, 0x4A3A2A, 0x5D4A37, 0x75614C], wood: [0x3F5A34, 0x5E7F46, 0x8FAE6A],
    hill: 0xB9966A, top: 0xFAF6EA, shade: 0x5A3C1C, sun: 0xFFFBEC,
    inks: [0x7D2413, 0x2B2118, 0x33281D, 0x3C3125], soft: 0x54493B, halo: 0xFCF6E6,
    accent: 0x8F2F1B, ramp: [0xFDF7E3, 0xFAE7B9, 0xF5D096, 0xECB67F, 0xDD9D7B, 0xCC8D86],
    ages: [0xF6F7F0, 0xFAD5B2, 0xF5B274, 0xEE8494, 0xBA6F9D],
    arms: [0x6F9FD8, 0xA9C6EA, 0xDBE7F3, 0xF6E6D0, 0xEFBA84, 0xDD8A52],
    words: [
      0x1896FC, 0xE7BE40, 0xDD65BA, 0x20BC67, 0xAF8001, 0xABB2F4, 0x9C52BE, 0xB4EB89, 0x0F8651,
      0x7DEFF7,
    ],
    otherWord: 0x9A9790, wordStrength: 0.8,
    types: [0x1F3A86, 0xECD044, 0x36BF8B, 0xD68CC2, 0x7A3A14, 0xDD6A30, 0x4F8FDC, 0x66645F],
    typeStrength: 0.4, changes: [0x0F9F86, 0xCC3D26, 0xD98A12, 0x5C63DC, 0x45423A, 0x8D8778],
    changeInks: [0x00604F, 0xA5301B, 0x804C00, 0x434AC0, 0x33302A, 0x54493B], faint: 0x6B6455,
    square: 0x2B4A6F)

  static let dark = Theme(
    paper: 0x14191D, panel: 0x1B2227, line: 0xC9B48F, sea: 0x12202A,
    shallows: [0x223846, 0x1F3441, 0x1C303C, 0x192C38, 0x172833, 0x14242E], shelf: 0x1D3340,
    shelfEdge: 0x5E8795, waterline: [0x35525F, 0x2D4855, 0x27414E, 0x233A47, 0x1F3440, 0x1B2E3A],
    graticule: 0x9FC0D2, coast: 0xDCC9A0, land: 0x2B2E2B, surroundings: 0x23272A, bare: 0xC8AA78,
    unknown: 0x3A3D40, tints: [0x5C4630, 0x4A5233, 0x5D3C39, 0x345348, 0x57502A, 0x4C4157],
    edges: [0xD69A5C, 0xA3B865, 0xD0807A, 0x6FB39C, 0xD2B952, 0xA98CC4], tintStrength: 0.66,
    borders: [0x93A9AB, 0xC9B48F, 0xAC9A7C, 0x8F8169], wood: [0x141E12, 0x46613B, 0x6E8C58],
    hill: 0x6B5335, top: 0x8C7A5C, shade: 0x080705, sun: 0xE2D0AA,
    inks: [0xFFB89C, 0xF7F2E6, 0xEFE8DA, 0xE3DBCB], soft: 0xC9C0AE, halo: 0x121618,
    accent: 0xFF8A5C, ramp: [0x2A3138, 0x363B52, 0x4B4462, 0x60505F, 0x705850, 0x735B33],
    ages: [0x212325, 0x1E3651, 0x4E3E81, 0x854C5D, 0x7E7038],
    arms: [0x2F6DB0, 0x27507D, 0x22374D, 0x3F3328, 0x6B4A22, 0x96601C],
    words: [
      0x7A89FC, 0xE4AC3A, 0x50894F, 0xEE6CA9, 0xB2BA8D, 0x852E79, 0x9A7309, 0xD9A0F1, 0x8E1C16,
      0x1944A4,
    ],
    otherWord: 0x6B6966, wordStrength: 0.52,
    types: [0x3A80E0, 0xF2DE78, 0x36C28C, 0xC060B0, 0x94663E, 0xEC7838, 0xB3D7F2, 0x7F7B78],
    typeStrength: 0.29, changes: [0x35E0C2, 0xFF6F61, 0xF0A93B, 0x8F97FF, 0xDCD8CD, 0x9AA09A],
    changeInks: [0x35E0C2, 0xFF8A7D, 0xF0A93B, 0xA9AFFF, 0xE9E5DA, 0xC9C0AE], faint: 0x9C978A,
    square: 0x9DC0E6)
}
