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
