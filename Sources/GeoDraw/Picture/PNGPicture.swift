import GeoCore

/// A picture of few colours, as a file of the PNG format (ISO/IEC 15948).
struct PNGPicture: Sendable {
  /// Red, green, blue and how much they cover, each from 0 to 255.
  struct Colour: Sendable, Hashable {
    var red: UInt8
    var green: UInt8
    var blue: UInt8
    var alpha: UInt8
  }

  let width: Int
  let height: Int
  /// At most 256.
  let palette: [Colour]
  /// An index into the palette for each pixel, row by row.
  let pixels: [UInt8]

  /// The file.
  var file: [UInt8] {
    var file: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    Self.append("IHDR", Self.number(width) + Self.number(height) + [8, 3, 0, 0, 0], to: &file)
    Self.append("PLTE", palette.flatMap { [$0.red, $0.green, $0.blue] }, to: &file)
    Self.append("tRNS", palette.map(\.alpha), to: &file)
    var rows: [UInt8] = []
    rows.reserveCapacity((width + 1) * height)
    for row in 0..<height {
      // No filter: indices of colours are no amounts.
      rows.append(0)
      rows += pixels[(row * width)..<((row + 1) * width)]
    }
    Self.append("IDAT", Zlib.compress(rows), to: &file)
    Self.append("IEND", [], to: &file)
    return file
  }

  private static func number(_ value: Int) -> [UInt8] {
    let value = UInt32(truncatingIfNeeded: value)
    return [24, 16, 8, 0].map { (shift: UInt32) in UInt8(truncatingIfNeeded: value >> shift) }
  }

  private static func append(_ type: String, _ content: [UInt8], to file: inout [UInt8]) {
    let body = Array(type.utf8) + content
    file += number(content.count) + body + number(Int(CRC32.checksum(of: body)))
  }
}
