/// Where JSON is read from.
package protocol JSONInput: AnyObject {
  /// Adds the bytes at some place, which follows what was read before.
  ///
  /// - Returns: Whether there were any.
  /// - Throws: If it can't be read.
  func read(at offset: Int64, appendingTo bytes: inout [UInt8]) throws(UnreadableJSON) -> Bool
}

/// The input of JSON can't be read to its end.
package struct UnreadableJSON: Error {
  /// Why, in words.
  package let reason: String

  /// A failure for a reason, such as that of the system.
  package init(_ reason: some CustomStringConvertible) { self.reason = reason.description }
}

/// Reads JSON (RFC 8259) a token at a time, however large it is.
///
/// Bytes above 0x7F stand for themselves in strings, whether they are UTF-8 or not: names are bytes.
package struct JSONReader {
  /// The JSON breaks the rules.
  package enum Failure: Error {
    /// What was expected in its place.
    case expected(String)
    /// Its input can't be read to its end.
    case unreadable(UnreadableJSON)
  }

  /// The longest string, in bytes.
  static let longestString = 16 << 20

  private let input: any JSONInput
  private var buffer: [UInt8] = []
  private var position = 0
  /// Where in the list the buffer begins.
  private var offset: Int64 = 0

  /// The line of the next byte, counted from 1.
  package private(set) var line = 1

  package init(_ input: any JSONInput) { self.input = input }

  /// How many bytes were taken.
  package var count: UInt64 { UInt64(offset) + UInt64(position) }

  /// What is wrong with the byte that was taken last, which is given back.
  private mutating func failure(_ expectation: String) -> Failure {
    position -= 1
    return .expected(expectation)
  }

  /// The next byte, which is not taken; nil at the end.
  @inline(__always)
  mutating func peek() throws(Failure) -> UInt8? {
    if position == buffer.count, try !fill() { return nil }
    return buffer[position]
  }

  private mutating func fill() throws(Failure) -> Bool {
    offset += Int64(buffer.count)
    buffer.removeAll(keepingCapacity: true)
    position = 0
    do throws(UnreadableJSON) {
      return try input.read(at: offset, appendingTo: &buffer)
    } catch {
      throw .unreadable(error)
    }
  }

  /// Takes the next byte.
  @inline(__always)
  mutating func next(expecting expectation: @autoclosure () -> String) throws(Failure) -> UInt8 {
    guard let byte = try peek() else { throw .expected(expectation()) }
    position += 1
    return byte
  }

  /// Takes the byte that was looked at.
  @inline(__always)
  mutating func skip() { position += 1 }

  /// The next byte that is no white space, which is not taken.
  package mutating func peekToken() throws(Failure) -> UInt8? {
    while let byte = try peek() {
      switch byte {
      case 0x0A:
        line += 1
        position += 1
      case 0x20, 0x0D, 0x09: position += 1
      default: return byte
      }
    }
    return nil
  }

  /// Takes the next byte that is no white space if it is a given one.
  package mutating func takeIf(_ character: Unicode.Scalar) throws(Failure) -> Bool {
    guard try peekToken() == UInt8(ascii: character) else { return false }
    position += 1
    return true
  }

  /// Takes the next byte that is no white space, which must be a given one.
  package mutating func take(_ character: Unicode.Scalar) throws(Failure) {
    if try !takeIf(character) { throw .expected("'\(character)'") }
  }

  /// Takes a string, and adds its bytes to others.
  package mutating func takeString(appendingTo bytes: inout [UInt8]) throws(Failure) {
    try take("\"")
    let start = bytes.count
    while true {
      let byte = try next(expecting: "the end of a string")
      switch byte {
      case UInt8(ascii: "\""): return
      case UInt8(ascii: "\\"): try takeEscape(appendingTo: &bytes)
      case 0..<0x20:
        throw failure("a character that a string may have")
      default: bytes.append(byte)
      }
      if bytes.count - start > Self.longestString { throw .expected("a shorter string") }
    }
  }

  private mutating func takeEscape(appendingTo bytes: inout [UInt8]) throws(Failure) {
    switch try next(expecting: "an escape") {
    case UInt8(ascii: "\""): bytes.append(UInt8(ascii: "\""))
    case UInt8(ascii: "\\"): bytes.append(UInt8(ascii: "\\"))
    case UInt8(ascii: "/"): bytes.append(UInt8(ascii: "/"))
    case UInt8(ascii: "b"): bytes.append(0x08)
    case UInt8(ascii: "f"): bytes.append(0x0C)
    case UInt8(ascii: "n"): bytes.append(0x0A)
    case UInt8(ascii: "r"): bytes.append(0x0D)
    case UInt8(ascii: "t"): bytes.append(0x09)
    case UInt8(ascii: "u"):
      var value = try takeHex()
      if 0xD800..<0xDC00 ~= value {
        guard try next(expecting: "the other half of a character") == UInt8(ascii: "\\"),
          try next(expecting: "the other half of a character") == UInt8(ascii: "u")
        else { throw .expected("the other half of a character") }
        let low = try takeHex()
        guard 0xDC00..<0xE000 ~= low else { throw .expected("the other half of a character") }
        value = 0x10000 + (value - 0xD800) << 10 + (low - 0xDC00)
      }
      guard let scalar = Unicode.Scalar(value) else {
        throw .expected("the first half of a character")
      }
      bytes.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
    default: throw failure("an escape that JSON has")
    }
  }

  private mutating func takeHex() throws(Failure) -> UInt32 {
    var value: UInt32 = 0
    for _ in 0..<4 {
      let byte = try next(expecting: "a hexadecimal digit")
      guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue, byte < 0x80 else {
        throw failure("a hexadecimal digit")
      }
      value = value << 4 | UInt32(digit)
    }
    return value
  }
}
