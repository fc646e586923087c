/// Reads the text of manifests and part headers.
///
/// There is one way to write them, so anything else is refused, to the byte.
struct TextReader {
  private let bytes: ArraySlice<UInt8>
  private var position: Int

  init(_ bytes: ArraySlice<UInt8>) {
    self.bytes = bytes
    position = bytes.startIndex
  }

  var isAtEnd: Bool { position == bytes.endIndex }

  /// Reads a text if it comes next.
  mutating func take(_ text: String) -> Bool {
    guard bytes[position...].starts(with: text.utf8) else { return false }
    position += text.utf8.count
    return true
  }

  /// Reads a text that must come next.
  mutating func skip(_ text: String) throws(ShardManifestError) {
    if !take(text) { throw .malformed }
  }

  /// Reads a decimal number: no sign but `-`, no leading zeros.
  mutating func number() throws(ShardManifestError) -> Int64 {
    let isNegative = take("-")
    let start = position
    var number: Int64 = 0
    while position < bytes.endIndex, let digit = Self.digit(bytes[position]) {
      let (tens, overflow) = number.multipliedReportingOverflow(by: 10)
      let (sum, carry) = tens.subtractingReportingOverflow(digit)
      if overflow || carry { throw .malformed }
      number = sum
      position += 1
    }
    let hasZeros = position > start + 1 && bytes[start] == UInt8(ascii: "0")
    if position == start || hasZeros || (isNegative && number == 0) { throw .malformed }
    if isNegative { return number }
    let (positive, overflow) = Int64(0).subtractingReportingOverflow(number)
    if overflow { throw .malformed }
    return positive
  }

  /// Reads a count, below 2^50 so that sums can't overflow.
  mutating func count() throws(ShardManifestError) -> Int {
    let number = try number()
    guard (0..<(1 << 50)).contains(number) else { throw .malformed }
    return Int(number)
  }

  /// Reads sixteen hexadecimal digits.
  mutating func hex() throws(ShardManifestError) -> UInt64 {
    guard position + 16 <= bytes.endIndex else { throw .malformed }
    var number: UInt64 = 0
    for byte in bytes[position..<(position + 16)] {
      guard let digit = Self.digit(byte) ?? Self.letter(byte, from: UInt8(ascii: "a")) else {
        throw .malformed
      }
      number = number << 4 | UInt64(digit)
    }
    position += 16
    return number
  }

  /// Reads a percent-encoded path in quotes.
  mutating func path() throws(ShardManifestError) -> [UInt8] {
    try skip("\"")
    var path: [UInt8] = []
    while position < bytes.endIndex, bytes[position] != UInt8(ascii: "\"") {
      let byte = bytes[position]
      position += 1
      guard byte == UInt8(ascii: "%") else {
        path.append(byte)
        continue
      }
      guard position + 2 <= bytes.endIndex else { throw .malformed }
      var value: Int64 = 0
      for byte in bytes[position..<(position + 2)] {
        guard let digit = Self.digit(byte) ?? Self.letter(byte, from: UInt8(ascii: "A")) else {
          throw .malformed
        }
        value = value << 4 | digit
      }
      path.append(UInt8(value))
      position += 2
    }
    try skip("\"")
    return path
  }

  /// Reads a list in brackets.
  mutating func list<Element>(
    _ element: (inout TextReader) throws(ShardManifestError) -> Element
  ) throws(ShardManifestError) -> [Element] {
    try skip("[")
    var list: [Element] = []
    if take("]") { return list }
    repeat { list.append(try element(&self)) } while take(",")
    try skip("]")
    return list
  }

  /// Reads one of the raw values of an enumeration, in quotes.
  mutating func word<Word: RawRepresentable<String> & CaseIterable>() throws(ShardManifestError)
    -> Word
  {
    for word in Word.allCases where take("\"\(word.rawValue)\"") { return word }
    throw .malformed
  }

  private static func digit(_ byte: UInt8) -> Int64? {
    UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte ? Int64(byte - UInt8(ascii: "0")) : nil
  }

  private static func letter(_ byte: UInt8, from first: UInt8) -> Int64? {
    first...(first + 5) ~= byte ? Int64(byte - first) + 10 : nil
  }
}
