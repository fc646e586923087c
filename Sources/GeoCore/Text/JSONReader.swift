package protocol JSONInput: AnyObject {
  /// Appends the next bytes; false at the end. `offset` is the number of bytes read so far.
  /// Throws ``JSONReader/Failure/unreadable(reason:)``.
  func read(at offset: Int64, appendingTo bytes: inout [UInt8]) throws(JSONReader.Failure) -> Bool
}

/// Reads JSON (RFC 8259) of any size, token by token.
///
/// Bytes above 0x7F in strings are kept as they are, valid UTF-8 or not, because names are bytes.
package struct JSONReader {
  package enum Failure: Error {
    /// The JSON is invalid; with what was expected.
    case expected(String)
    /// The input can't be read; with the reason as text.
    case unreadable(reason: String)
  }

  /// The longest string, in bytes.
  static let longestString = 16 << 20

  private let input: any JSONInput
  private var buffer: [UInt8] = []
  private var position = 0
  /// The offset of the buffer in the input.
  private var offset: Int64 = 0

  /// The line of the next byte, counted from 1.
  package private(set) var line = 1

  package init(_ input: any JSONInput) { self.input = input }

  package var count: UInt64 { UInt64(offset) + UInt64(position) }

  /// A failure at the last byte consumed; moves back to it.
  private mutating func failure(_ expectation: String) -> Failure {
    position -= 1
    return .expected(expectation)
  }

  /// The next byte, without consuming it; nil at the end.
  @inline(__always)
  mutating func peek() throws(Failure) -> UInt8? {
    if position == buffer.count, try !fill() { return nil }
    return buffer[position]
  }

  private mutating func fill() throws(Failure) -> Bool {
    offset += Int64(buffer.count)
    buffer.removeAll(keepingCapacity: true)
    position = 0
    return try input.read(at: offset, appendingTo: &buffer)
  }

  @inline(__always)
  mutating func next(expecting expectation: @autoclosure () -> String) throws(Failure) -> UInt8 {
    guard let byte = try peek() else { throw .expected(expectation()) }
    position += 1
    return byte
  }

  @inline(__always)
  mutating func skip() { position += 1 }

  /// The next byte that isn't white space, without consuming it; nil at the end.
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

  /// Consumes the next byte that isn't white space if it is the given one.
  package mutating func takeIf(_ character: Unicode.Scalar) throws(Failure) -> Bool {
    guard try peekToken() == UInt8(ascii: character) else { return false }
    position += 1
    return true
  }

  /// Consumes the next byte that isn't white space; it must be the given one.
  package mutating func take(_ character: Unicode.Scalar) throws(Failure) {
    if try !takeIf(character) { throw .expected("'\(character)'") }
  }

  package mutating func takeString(appendingTo bytes: inout [UInt8]) throws(Failure) {
    try take("\"")
    let start = bytes.count
    while true {
      let end = endOfPlainBytes()
      bytes.append(contentsOf: buffer[position..<end])
      position = end
      switch try next(expecting: "the end of a string") {
      case UInt8(ascii: "\""):
        if bytes.count - start > Self.longestString { throw .expected("a shorter string") }
        return
      case UInt8(ascii: "\\"): try takeEscape(appendingTo: &bytes)
      case 0..<0x20:
        throw failure("a character that a string may have")
      case let byte: bytes.append(byte)
      }
      if bytes.count - start > Self.longestString { throw .expected("a shorter string") }
    }
  }

  /// The end of the buffered bytes from the position on that a string holds as they are.
  private func endOfPlainBytes() -> Int {
    let bytes = buffer.span
    let ones: UInt64 = 0x0101_0101_0101_0101
    var index = position
    while index + 8 <= bytes.count {
      let word = bytes.loadWord(at: index)
      let (quote, slash) = (word ^ ones &* 0x22, word ^ ones &* 0x5C)
      // The lowest byte that is a quote, a backslash or a control character sets its highest bit
      // (Hacker's Delight, 6-1).
      let found =
        ((quote &- ones) & ~quote | (slash &- ones) & ~slash | (word &- ones &* 0x20) & ~word)
        & (ones &* 0x80)
      if found != 0 { return index + found.trailingZeroBitCount / 8 }
      index += 8
    }
    while index < bytes.count {
      let byte = bytes[index]
      if byte == 0x22 || byte == 0x5C || byte < 0x20 { break }
      index += 1
    }
    return index
  }

  /// Reads the name of a member and the colon after it; returns its index among `names`, nil for
  /// another one. `text` is reusable memory for names with escapes.
  package mutating func takeName(
    among names: JSONNames, using text: inout [UInt8]
  ) throws(Failure) -> Int? {
    if try peekToken() == UInt8(ascii: "\"") {
      position += 1
      let end = endOfPlainBytes()
      position -= 1
      // Most names end in the buffer and have no escape.
      if end < buffer.count, buffer[end] == UInt8(ascii: "\"") {
        let index = names.index(of: buffer.span.extracting((position + 1)..<end))
        position = end + 1
        try take(":")
        return index
      }
    }
    text.removeAll(keepingCapacity: true)
    try takeString(appendingTo: &text)
    try take(":")
    return names.index(of: text.span)
  }

  package mutating func skipLine() throws(Failure) {
    while let byte = try peek() {
      position += 1
      if byte == 0x0A {
        line += 1
        return
      }
    }
  }

  private mutating func takeEscape(appendingTo bytes: inout [UInt8]) throws(Failure) {
    let escape = try next(expecting: "an escape")
    switch escape {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): bytes.append(escape)
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
      guard let digit = try next(expecting: "a hexadecimal digit").hexValue else {
        throw failure("a hexadecimal digit")
      }
      value = value << 4 | UInt32(digit)
    }
    return value
  }
}

extension JSONReader {
  /// A number, as precise as exports need it.
  package enum Number: Equatable {
    /// A whole number without a fraction or an exponent, whose magnitude fits 64 bits.
    case whole(magnitude: UInt64, isNegative: Bool)
    /// Any other.
    case other
  }

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

  /// Reads a number as the nearest double.
  package mutating func takeDecimal() throws(Failure) -> Double {
    var text: [UInt8] = []
    try takeNumber(appendingTo: &text)
    guard let number = Double(String(decoding: text, as: UTF8.self)), number.isFinite else {
      throw .expected("a number")
    }
    return number
  }

  /// Reads a number and appends its text.
  package mutating func takeNumber(appendingTo text: inout [UInt8]) throws(Failure) {
    _ = try peekToken()
    var end = position
    while end < buffer.count, Self.isOfNumber(buffer[end]) { end += 1 }
    if end < buffer.count {
      // It ends in the buffer, as most do.
      let start = position
      _ = try takeNumber()
      if position != end { throw .expected("a number") }
      text += buffer[start..<end]
      return
    }
    let start = text.count
    while let byte = try peek(), Self.isOfNumber(byte), text.count - start < Self.longestNumber {
      text.append(byte)
      skip()
    }
    // A second reader checks the grammar.
    var reader = JSONReader(JSONBytes(Array(text[start...])))
    _ = try reader.takeNumber()
    guard reader.count == UInt64(text.count - start) else { throw .expected("a number") }
  }

  private static func isOfNumber(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "+"),
      UInt8(ascii: "."), UInt8(ascii: "e"), UInt8(ascii: "E"):
      true
    default: false
    }
  }

  /// The longest number, in bytes.
  private static let longestNumber = 400

  /// Reads `true`, `false` or `null`; nil for the last.
  package mutating func takeWord() throws(Failure) -> Bool? {
    let (word, value): ([UInt8], Bool?)
    switch try peekToken() {
    case UInt8(ascii: "t")?: (word, value) = (Self.words.true, true)
    case UInt8(ascii: "f")?: (word, value) = (Self.words.false, false)
    default: (word, value) = (Self.words.null, nil)
    }
    for byte in word
    where try next(expecting: "'\(String(decoding: word, as: UTF8.self))'") != byte {
      throw .expected("a value")
    }
    return value
  }

  private static let words = (
    true: Array("true".utf8), false: Array("false".utf8), null: Array("null".utf8)
  )

  /// Skips a value of any kind and depth; each level of nesting takes one byte of memory.
  package mutating func skipValue() throws(Failure) {
    if let byte = try peekToken(), byte != UInt8(ascii: "{"), byte != UInt8(ascii: "[") {
      return try skipScalar(byte)
    }
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
      case let byte: try skipScalar(byte ?? 0)
      }
      // Closes the objects and arrays that end with this value, and moves to the next value.
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

  /// Skips a string, a number or a word, which begins with `byte`.
  private mutating func skipScalar(_ byte: UInt8) throws(Failure) {
    switch byte {
    case UInt8(ascii: "\""): try skipString()
    case UInt8(ascii: "t"), UInt8(ascii: "f"), UInt8(ascii: "n"): _ = try takeWord()
    default: _ = try takeNumber()
    }
  }

  private mutating func skipString() throws(Failure) {
    // Most strings end in the buffer and have no escape.
    let start = position
    position += 1
    let end = endOfPlainBytes()
    if end < buffer.count, buffer[end] == UInt8(ascii: "\"") {
      position = end + 1
      return
    }
    position = start
    var ignored: [UInt8] = []
    try takeString(appendingTo: &ignored)
  }

  private mutating func takeName(ignoring bytes: inout [UInt8]) throws(Failure) {
    bytes.removeAll(keepingCapacity: true)
    try takeString(appendingTo: &bytes)
    try take(":")
  }
}

extension UInt8 {
  fileprivate var decimalDigit: UInt8? {
    UInt8(ascii: "0")...UInt8(ascii: "9") ~= self ? self - UInt8(ascii: "0") : nil
  }
}

/// Names of members, to find by their bytes.
package struct JSONNames: Sendable {
  private let names: [[UInt8]]
  /// The first eight bytes of each name, to compare quickly.
  private let words: [UInt64]

  package init(_ names: [String]) {
    self.names = names.map { Array($0.utf8) }
    words = self.names.map { name in
      let bytes = name.span
      return bytes.bigEndianPrefix
    }
  }

  package subscript(index: Int) -> String { String(decoding: names[index], as: UTF8.self) }

  func index(of name: Span<UInt8>) -> Int? {
    let word = name.bigEndianPrefix
    for index in words.indices where words[index] == word {
      let bytes = names[index]
      if name.equals(bytes.span) { return index }
    }
    return nil
  }
}

/// JSON in memory.
package final class JSONBytes: JSONInput {
  private let bytes: [UInt8]

  package init(_ bytes: [UInt8]) { self.bytes = bytes }

  package func read(
    at offset: Int64, appendingTo other: inout [UInt8]
  ) throws(JSONReader.Failure) -> Bool {
    if offset >= Int64(bytes.count) { return false }
    other += bytes[Int(offset)...]
    return true
  }
}
