/// Parses a line of a map from left to right.
struct LineScanner {
  private let line: [UInt8]
  private(set) var position = 0

  init(_ line: [UInt8]) { self.line = line }

  subscript(range: Range<Int>) -> ArraySlice<UInt8> { line[range] }

  var isAtEnd: Bool { position == line.count }

  mutating func take(_ text: String) -> Bool { take(Array(text.utf8)) }

  mutating func take(_ bytes: [UInt8]) -> Bool {
    guard line.count - position >= bytes.count else { return false }
    for index in bytes.indices where line[position + index] != bytes[index] { return false }
    position += bytes.count
    return true
  }

  mutating func take(ascii character: Unicode.Scalar) -> Bool {
    guard position < line.count, line[position] == UInt8(ascii: character) else { return false }
    position += 1
    return true
  }

  /// Moves past the next occurrence of a text; false without one.
  mutating func skip(past bytes: [UInt8]) -> Bool {
    for next in position..<line.count where line[next] == bytes.first {
      position = next
      if take(bytes) { return true }
    }
    return false
  }

  mutating func integer() -> Int64? {
    let isNegative = take(ascii: "-")
    let start = position
    var number: Int64 = 0
    while position < line.count, let digit = digit(line[position]) {
      let (tens, overflow) = number.multipliedReportingOverflow(by: 10)
      let (sum, carry) = tens.subtractingReportingOverflow(digit)
      if overflow || carry { return nil }
      number = sum
      position += 1
    }
    if position == start { return nil }
    if isNegative { return number }
    return number == .min ? nil : -number
  }

  /// In whole units of 10^-13; nil if it doesn't fit.
  mutating func decimal() -> Int64? {
    let isNegative = take(ascii: "-")
    let start = position
    guard position < line.count, let whole = integer(), whole >= 0, whole <= 180 else { return nil }
    var units = whole
    var decimals = 0
    if take(ascii: ".") {
      while position < line.count, let digit = digit(line[position]), decimals < 13 {
        units = units * 10 + digit
        decimals += 1
        position += 1
      }
      if decimals == 0 { return nil }
    }
    if position == start { return nil }
    for _ in decimals..<13 { units *= 10 }
    return isNegative ? -units : units
  }

  /// Any value but a string, up to the comma or brace after it.
  mutating func token() -> Range<Int> {
    let start = position
    while position < line.count, line[position] != UInt8(ascii: ","),
      line[position] != UInt8(ascii: "}")
    {
      position += 1
    }
    return start..<position
  }

  var isAtString: Bool { position < line.count && line[position] == UInt8(ascii: "\"") }

  mutating func string() -> [UInt8]? {
    guard take(ascii: "\"") else { return nil }
    let start = position
    while position < line.count, line[position] != UInt8(ascii: "\"") {
      if line[position] == UInt8(ascii: "\\") { return escapedString(from: start) }
      position += 1
    }
    if position == line.count { return nil }
    position += 1
    return Array(line[start..<position - 1])
  }

  private mutating func escapedString(from start: Int) -> [UInt8]? {
    var bytes = Array(line[start..<position])
    while position < line.count {
      let byte = line[position]
      position += 1
      if byte == UInt8(ascii: "\"") { return bytes }
      if byte != UInt8(ascii: "\\") {
        bytes.append(byte)
        continue
      }
      guard position < line.count else { return nil }
      let escape = line[position]
      position += 1
      switch escape {
      case UInt8(ascii: "b"): bytes.append(8)
      case UInt8(ascii: "t"): bytes.append(9)
      case UInt8(ascii: "n"): bytes.append(10)
      case UInt8(ascii: "f"): bytes.append(12)
      case UInt8(ascii: "r"): bytes.append(13)
      case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes.append(escape)
      case UInt8(ascii: "u"):
        guard position + 4 <= line.count,
          let code = UInt32(
            String(decoding: line[position..<position + 4], as: UTF8.self), radix: 16),
          let scalar = Unicode.Scalar(code)
        else { return nil }
        position += 4
        bytes.append(contentsOf: Array(String(scalar).utf8))
      default: return nil
      }
    }
    return nil
  }

  private func digit(_ byte: UInt8) -> Int64? {
    let digit = byte &- UInt8(ascii: "0")
    return digit < 10 ? Int64(digit) : nil
  }
}
