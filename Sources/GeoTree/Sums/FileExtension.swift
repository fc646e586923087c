import GeoCore

/// The text after the last dot of a file name, at most 16 bytes, in lower case.
///
/// Stored in two words instead of a string, because one is looked up for each file.
package struct FileExtension: Hashable, Sendable {
  private var low: UInt64 = 0
  private var high: UInt64 = 0

  package static let none = FileExtension()

  private init() {}

  /// Finds the extension of a name; ``none`` for a name whose only dot is its first byte, and for
  /// extensions longer than 16 bytes or with bytes other than ASCII letters, digits, `_`, `+` and
  /// `-`.
  package init(of name: Span<UInt8>) {
    var index = name.count - 1
    var length = 0
    while index > 0, length <= 16 {
      let byte = name[index]
      if byte == UInt8(ascii: ".") { return }
      guard Self.isPlain(byte), length < 16 else { break }
      let lower = UInt64(UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte ? byte | 0x20 : byte)
      if length < 8 {
        low |= lower << UInt64(8 * length)
      } else {
        high |= lower << UInt64(8 * (length - 8))
      }
      length += 1
      index -= 1
    }
    (low, high) = (0, 0)
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    byte.isAlphanumeric || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "+")
      || byte == UInt8(ascii: "-")
  }

  /// The extension without the dot; empty for ``none``.
  package var text: String {
    var bytes: [UInt8] = []
    for place in 0..<16 {
      let byte = UInt8(truncatingIfNeeded: (place < 8 ? low : high) >> UInt64(8 * (place % 8)))
      if byte != 0 { bytes.insert(byte, at: 0) }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
