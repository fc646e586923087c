/// Decodes text that begins with a byte order mark, as PowerShell writes what a program prints: to
/// UTF-8 without the mark, with line feeds for its line ends.
///
/// Half a surrogate pair, which names of Windows can have, becomes the three bytes of its number.
struct MarkedText {
  private enum Encoding { case utf8, utf16, bigEndian }

  private static let marks: [(bytes: [UInt8], encoding: Encoding)] = [
    ([0xEF, 0xBB, 0xBF], .utf8), ([0xFF, 0xFE], .utf16), ([0xFE, 0xFF], .bigEndian),
  ]

  static let longestMark = 3

  let mark: Int
  private let encoding: Encoding
  /// Half of a unit.
  private var half: UInt8?
  private var lead: UInt32?
  private var hasReturn = false

  init?(_ beginning: [UInt8]) {
    guard let found = Self.marks.first(where: { beginning.starts(with: $0.bytes) }) else {
      return nil
    }
    (mark, encoding) = (found.bytes.count, found.encoding)
  }

  /// Whether a mark may begin with these bytes, so that more decide it.
  static func needsMore(_ bytes: [UInt8]) -> Bool {
    marks.contains { $0.bytes.count > bytes.count && $0.bytes.starts(with: bytes) }
  }

  static func decoded(_ bytes: [UInt8]) -> [UInt8] {
    guard var decoder = MarkedText(bytes) else { return bytes }
    var text: [UInt8] = []
    decoder.decode(bytes[decoder.mark...], to: &text)
    return text
  }

  mutating func decode(_ bytes: ArraySlice<UInt8>, to text: inout [UInt8]) {
    for byte in bytes {
      if encoding == .utf8 {
        put(byte, to: &text)
      } else if let first = half {
        half = nil
        let (high, low) = encoding == .bigEndian ? (first, byte) : (byte, first)
        put(unit: UInt32(high) << 8 | UInt32(low), to: &text)
      } else {
        half = byte
      }
    }
  }

  mutating func finish(to text: inout [UInt8]) {
    if let lead { put(number: lead, to: &text) }
    if hasReturn { text.append(0x0D) }
    (lead, hasReturn) = (nil, false)
  }

  private mutating func put(unit: UInt32, to text: inout [UInt8]) {
    if let lead {
      self.lead = nil
      if 0xDC00..<0xE000 ~= unit {
        return put(number: 0x1_0000 + (lead - 0xD800) << 10 + (unit - 0xDC00), to: &text)
      }
      put(number: lead, to: &text)
    }
    if 0xD800..<0xDC00 ~= unit {
      lead = unit
    } else {
      put(number: unit, to: &text)
    }
  }

  private mutating func put(number: UInt32, to text: inout [UInt8]) {
    func put(_ bits: UInt32) { self.put(UInt8(truncatingIfNeeded: bits), to: &text) }
    switch number {
    case ..<0x80: put(number)
    case ..<0x800: put(0xC0 | number >> 6)
    case ..<0x1_0000:
      put(0xE0 | number >> 12)
      put(0x80 | number >> 6 & 0x3F)
    default:
      put(0xF0 | number >> 18)
      put(0x80 | number >> 12 & 0x3F)
      put(0x80 | number >> 6 & 0x3F)
    }
    if number >= 0x80 { put(0x80 | number & 0x3F) }
  }

  private mutating func put(_ byte: UInt8, to text: inout [UInt8]) {
    if hasReturn, byte != 0x0A { text.append(0x0D) }
    hasReturn = byte == 0x0D
    if !hasReturn { text.append(byte) }
  }
}
