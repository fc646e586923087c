/// The text after the last dot of a file name, at most 16 bytes, in lower case.
///
/// Stored in two words instead of a string, because one is looked up for each file.
package struct FileExtension: Hashable, Sendable {
  private var words: (UInt64, UInt64) = (0, 0)

  /// The extension of names without one.
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
        words.0 |= lower << UInt64(8 * length)
      } else {
        words.1 |= lower << UInt64(8 * (length - 8))
      }
      length += 1
      index -= 1
    }
    words = (0, 0)
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "+"),
      UInt8(ascii: "-"):
      true
    default: false
    }
  }

  /// The extension without the dot; empty for ``none``.
  package var text: String {
    var bytes: [UInt8] = []
    for word in [words.0, words.1] {
      for place in 0..<8 {
        let byte = UInt8(truncatingIfNeeded: word >> UInt64(8 * place))
        if byte != 0 { bytes.insert(byte, at: 0) }
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  package static func == (a: FileExtension, b: FileExtension) -> Bool { a.words == b.words }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(words.0)
    hasher.combine(words.1)
  }
}
