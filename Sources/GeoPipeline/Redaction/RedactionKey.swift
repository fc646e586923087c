import GeoCore
import GeoSystem

/// What names are made of in the place of others: who has it can tell which name stands for a path.
public struct RedactionKey: Sendable, Hashable {
  /// Bytes of a key: as many as the digest has, so that it is no weaker.
  static let length = 32

  let bytes: [UInt8]

  /// A key that nobody can foretell.
  ///
  /// - Throws: Why the system has no such bytes.
  public static func random() throws(Errno) -> RedactionKey {
    RedactionKey(bytes: try ThisProcess.randomBytes(length))
  }

  private init(bytes: [UInt8]) { self.bytes = bytes }

  /// The key that a file's text tells: 64 hexadecimal digits, and nothing else but the end of a line.
  ///
  /// - Parameter text: The file's bytes; nil comes of any others.
  public init?(parsing text: [UInt8]) {
    var digits = text[...]
    if digits.last == UInt8(ascii: "\n") { digits.removeLast() }
    if digits.last == UInt8(ascii: "\r") { digits.removeLast() }
    guard digits.count == 2 * Self.length else { return nil }
    let values = digits.compactMap { Character(UnicodeScalar($0)).hexDigitValue }
    guard values.count == digits.count else { return nil }
    bytes = stride(from: 0, to: values.count, by: 2).map {
      UInt8(values[$0] << 4 | values[$0 + 1])
    }
  }

  /// The text of a file that tells the key.
  public var text: [UInt8] {
    let digits = Array("0123456789abcdef".utf8)
    return bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] } + [UInt8(ascii: "\n")]
  }
}
