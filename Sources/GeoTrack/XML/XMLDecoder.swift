/// Decodes a document to UTF-8.
///
/// XML requires UTF-8 and UTF-16; programs for GPS receivers write single-byte sets, too.
struct XMLDecoder {
  enum Encoding {
    case utf8
    case utf16(isBigEndian: Bool)
    /// The UTF-8 of each byte from 0x80 on; empty where the set has no character.
    case singleByte(upperHalf: [[UInt8]])
  }

  var encoding = Encoding.utf8
  /// An incomplete UTF-16 unit or surrogate pair at the end of the last piece.
  private var rest: [UInt8] = []

  /// The encoding that the first bytes indicate, and the length of the byte order mark.
  static func detect(_ bytes: [UInt8]) -> (encoding: Encoding, mark: Int) {
    let head = bytes.prefix(4)
    if head.starts(with: [0xEF, 0xBB, 0xBF]) { return (.utf8, 3) }
    if head.starts(with: [0xFE, 0xFF]) { return (.utf16(isBigEndian: true), 2) }
    if head.starts(with: [0xFF, 0xFE]) { return (.utf16(isBigEndian: false), 2) }
    if head.starts(with: [0x00, 0x3C, 0x00]) { return (.utf16(isBigEndian: true), 0) }
    if head.starts(with: [0x3C, 0x00]) { return (.utf16(isBigEndian: false), 0) }
    return (.utf8, 0)
  }

  /// Applies the encoding of the XML declaration; false if it is unknown or disagrees with the
  /// first bytes.
  mutating func declare(_ name: String) -> Bool {
    let name = name.lowercased()
    if case .utf16 = encoding { return name.hasPrefix("utf-16") || name == "iso-10646-ucs-2" }
    if name == "utf-8" || name == "utf8" { return true }
    guard let scalars = XMLCharacterSet.upperHalf(of: name) else { return false }
    encoding = .singleByte(
      upperHalf: scalars.map { scalar in
        scalar == "\u{FFFD}" ? [] : UTF8.encode(scalar).map(Array.init) ?? []
      })
    return true
  }

  /// Appends bytes as UTF-8; false if they are invalid in the encoding. UTF-8 is appended
  /// unchecked; names and texts are validated where they are used.
  mutating func append(_ piece: [UInt8], to text: inout [UInt8]) -> Bool {
    switch encoding {
    case .utf8: text.append(contentsOf: piece)
    case .singleByte(let upperHalf):
      for byte in piece {
        if byte < 0x80 {
          text.append(byte)
        } else if upperHalf[Int(byte) - 0x80].isEmpty {
          return false
        } else {
          text.append(contentsOf: upperHalf[Int(byte) - 0x80])
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

  var isWithinCharacter: Bool { !rest.isEmpty }
}
