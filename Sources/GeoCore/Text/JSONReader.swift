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

extension JSONReader {
  /// A number as far as exports need it.
  package enum Number: Equatable {
    /// A whole number without an exponent; negative ones in two's complement.
    case whole(magnitude: UInt64, isNegative: Bool)
    /// Any other.
    case other
  }

  /// Takes a number.
  package mutating func takeNumber() throws(Failure) -> Number {
    let isNegative = try takeIf("-")
    var magnitude: UInt64 = 0
    var isWhole = true
    var digits = 0
    var leadsWithZero = false
    while let byte = try peek(), let digit = byte.decimalDigit {
      skip()
      if digits == 0 { leadsWithZero = digit == 0 }
      digits += 1
      let (tens, overflow) = magnitude.multipliedReportingOverflow(by: 10)
      let (sum, carry) = tens.addingReportingOverflow(UInt64(digit))
      if overflow || carry { isWhole = false }
      magnitude = sum
    }
    if digits == 0 || (leadsWithZero && digits > 1) { throw .expected("a number") }
    if try peek() == UInt8(ascii: ".") {
      skip()
      isWhole = false
      try takeDigits()
    }
    if let byte = try peek(), byte | 0x20 == UInt8(ascii: "e") {
      skip()
      isWhole = false
      if let sign = try peek(), sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") {
        skip()
      }
      try takeDigits()
    }
    return isWhole ? .whole(magnitude: magnitude, isNegative: isNegative) : .other
  }

  private mutating func takeDigits() throws(Failure) {
    var digits = 0
    while let byte = try peek(), byte.decimalDigit != nil {
      skip()
      digits += 1
    }
    if digits == 0 { throw .expected("a digit") }
  }

  /// Takes a number as the double that is nearest to it.
  package mutating func takeDecimal() throws(Failure) -> Double {
    var text: [UInt8] = []
    _ = try peekToken()
    while let byte = try peek(), Self.numberBytes.contains(byte), text.count < Self.longestNumber {
      text.append(byte)
      skip()
    }
    // The grammar is looked at by whoever takes numbers of other readers.
    var reader = JSONReader(JSONBytes(text))
    _ = try reader.takeNumber()
    guard reader.count == UInt64(text.count),
      let number = Double(String(decoding: text, as: UTF8.self)), number.isFinite
    else { throw .expected("a number") }
    return number
  }

  private static let numberBytes = Set("0123456789+-.eE".utf8)
  /// The longest number, in bytes.
  private static let longestNumber = 400

  /// Takes `true`, `false` or `null`; nil for the last.
  package mutating func takeWord() throws(Failure) -> Bool? {
    let isTrue = try peekToken() == UInt8(ascii: "t")
    let isFalse = try peekToken() == UInt8(ascii: "f")
    let word: StaticString = isTrue ? "true" : isFalse ? "false" : "null"
    for byte in "\(word)".utf8 where try next(expecting: "'\(word)'") != byte {
      throw .expected("a value")
    }
    return isTrue ? true : isFalse ? false : nil
  }

  /// Takes any value, and forgets it; however deep it is nested, one bit a level is kept.
  package mutating func skipValue() throws(Failure) {
    var isObject: [Bool] = []
    var ignored: [UInt8] = []
    repeat {
      switch try peekToken() {
      case UInt8(ascii: "{")?:
        try take("{")
        isObject.append(true)
        if try peekToken() != UInt8(ascii: "}") {
          try takeName(ignoring: &ignored)
          continue
        }
      case UInt8(ascii: "[")?:
        try take("[")
        isObject.append(false)
        if try peekToken() != UInt8(ascii: "]") { continue }
      case UInt8(ascii: "\"")?:
        ignored.removeAll(keepingCapacity: true)
        try takeString(appendingTo: &ignored)
      case UInt8(ascii: "t")?, UInt8(ascii: "f")?, UInt8(ascii: "n")?: _ = try takeWord()
      default: _ = try takeNumber()
      }
      // What ends with this value, and what begins after it.
      while let object = isObject.last {
        if try takeIf(object ? "}" : "]") {
          isObject.removeLast()
          continue
        }
        try take(",")
        if object { try takeName(ignoring: &ignored) }
        break
      }
    } while !isObject.isEmpty
  }

  private mutating func takeName(ignoring bytes: inout [UInt8]) throws(Failure) {
    bytes.removeAll(keepingCapacity: true)
    try takeString(appendingTo: &bytes)
    try take(":")
  }
}

extension UInt8 {
  /// The value of a decimal digit.
  fileprivate var decimalDigit: UInt8? {
    UInt8(ascii: "0")...UInt8(ascii: "9") ~= self ? self - UInt8(ascii: "0") : nil
  }
}

/// JSON in memory.
package final class JSONBytes: JSONInput {
  private let bytes: [UInt8]

  /// JSON of some bytes.
  package init(_ bytes: [UInt8]) { self.bytes = bytes }

  package func read(
    at offset: Int64, appendingTo other: inout [UInt8]
  ) throws(UnreadableJSON) -> Bool {
    if offset >= Int64(bytes.count) { return false }
    other += bytes[Int(offset)...]
    return true
  }
}
