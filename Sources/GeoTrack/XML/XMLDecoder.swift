/// Turns the bytes of a document into UTF-8.
///
/// UTF-8 and UTF-16 are those that every reader of XML has to know; ISO-8859-1 and US-ASCII are there
/// because old receivers write them.
struct XMLDecoder {
  enum Encoding {
    case utf8
    case ascii
    case latin1
    case utf16(isBigEndian: Bool)

    /// Whether it can be told from the first bytes alone, so that a declaration changes nothing.
    var isUnicode: Bool {
      switch self {
      case .utf8, .utf16: true
      case .ascii, .latin1: false
      }
    }
  }

  var encoding = Encoding.utf8
  /// The first half of a character of UTF-16, or of a unit, that a piece ended with.
  private var rest: [UInt8] = []

  /// The encoding that the first bytes tell, and how many of them are a byte order mark.
  static func detect(_ bytes: [UInt8]) -> (encoding: Encoding, mark: Int) {
    let head = bytes.prefix(4)
    if head.starts(with: [0xEF, 0xBB, 0xBF]) { return (.utf8, 3) }
    if head.starts(with: [0xFE, 0xFF]) { return (.utf16(isBigEndian: true), 2) }
    if head.starts(with: [0xFF, 0xFE]) { return (.utf16(isBigEndian: false), 2) }
    if head.starts(with: [0x00, 0x3C, 0x00]) { return (.utf16(isBigEndian: true), 0) }
    if head.starts(with: [0x3C, 0x00]) { return (.utf16(isBigEndian: false), 0) }
    return (.utf8, 0)
  }

  /// Takes an encoding's name from the XML declaration into account.
  ///
  /// - Returns: Whether it is known, and agrees with what the bytes are.
  mutating func declare(_ name: String) -> Bool {
    let name = name.lowercased()
    if case .utf16 = encoding { return name.hasPrefix("utf-16") || name == "iso-10646-ucs-2" }
    switch name {
    case "utf-8", "utf8": return true
    case "us-ascii", "ascii": encoding = .ascii
    case "iso-8859-1", "latin1", "latin-1", "iso8859-1": encoding = .latin1
    default: return false
    }
    return true
  }

  /// Adds bytes as UTF-8.
  ///
  /// - Returns: Whether they were well-formed, as far as the encoding can tell; UTF-8 is added as it
  ///   is, for names and texts are looked at where they are used.
  mutating func append(_ piece: [UInt8], to text: inout [UInt8]) -> Bool {
    switch encoding {
    case .utf8: text.append(contentsOf: piece)
    case .ascii:
      let end = piece.firstIndex { $0 >= 0x80 } ?? piece.count
      text.append(contentsOf: piece[..<end])
      return end == piece.count
    case .latin1:
      for byte in piece {
        if byte < 0x80 {
          text.append(byte)
        } else {
          text.append(0xC0 | byte >> 6)
          text.append(0x80 | byte & 0x3F)
        }
      }
    case .utf16(let isBigEndian): return append(utf16: piece, isBigEndian, to: &text)
    }
    return true
  }

  private mutating func append(
    utf16 piece: [UInt8], _ isBigEndian: Bool, to text: inout [UInt8]
  ) -> Bool {
    let bytes = rest + piece
    func unit(at index: Int) -> UInt32 {
      let (a, b) = (UInt32(bytes[index]), UInt32(bytes[index + 1]))
      return isBigEndian ? a << 8 | b : b << 8 | a
    }
    var index = 0
    while index + 1 < bytes.count {
      var value = unit(at: index)
      var length = 2
      if 0xD800..<0xDC00 ~= value {
        if index + 3 >= bytes.count { break }
        let low = unit(at: index + 2)
        guard 0xDC00..<0xE000 ~= low else { return false }
        value = 0x10000 + (value - 0xD800) << 10 + (low - 0xDC00)
        length = 4
      }
      guard let scalar = Unicode.Scalar(value), let encoded = UTF8.encode(scalar) else {
        return false
      }
      text.append(contentsOf: encoded)
      index += length
    }
    rest = Array(bytes[index...])
    return true
  }

  /// Whether a character was begun and not ended.
  var isWithinCharacter: Bool { !rest.isEmpty }
}
