/// Goes through the bytes of a line.
struct ByteScanner {
  private let bytes: [UInt8]
  private(set) var position = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Whether a text comes next.
  func isAt(_ text: StaticString) -> Bool {
    let count = text.utf8CodeUnitCount
    guard count <= bytes.count - position else { return false }
    for index in 0..<count where bytes[position + index] != text.byte(at: index) { return false }
    return true
  }

  /// Takes a text if it comes next.
  mutating func take(_ text: StaticString) -> Bool {
    guard isAt(text) else { return false }
    position += text.utf8CodeUnitCount
    return true
  }

  /// Goes behind the next occurrence of a text.
  mutating func skip(through text: StaticString) -> Bool {
    let first = text.byte(at: 0)
    while position < bytes.count {
      if bytes[position] == first, take(text) { return true }
      position += 1
    }
    return false
  }

  /// The rest of a string whose opening quote was taken, without its escapes.
  mutating func string() -> [UInt8]? {
    let start = position
    guard skipString() else { return nil }
    let raw = bytes[start..<(position - 1)]
    return raw.contains(UInt8(ascii: "\\")) ? Self.unescaped(raw) : Array(raw)
  }

  /// Goes behind the end of a string.
  mutating func skipString() -> Bool {
    while position < bytes.count {
      let byte = bytes[position]
      position += 1
      if byte == UInt8(ascii: "\"") { return true }
      if byte == UInt8(ascii: "\\") { position += 1 }
    }
    return false
  }

  private static func unescaped(_ raw: ArraySlice<UInt8>) -> [UInt8]? {
    var text: [UInt8] = []
    var rest = raw
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "\\") else {
        text.append(byte)
        continue
      }
      switch rest.popFirst() {
      case UInt8(ascii: "b"): text.append(8)
      case UInt8(ascii: "t"): text.append(9)
      case UInt8(ascii: "n"): text.append(10)
      case UInt8(ascii: "f"): text.append(12)
      case UInt8(ascii: "r"): text.append(13)
      case UInt8(ascii: "u"):
        guard rest.count >= 4, rest.popFirst() == UInt8(ascii: "0"),
          rest.popFirst() == UInt8(ascii: "0"), let high = hex(rest.popFirst()),
          let low = hex(rest.popFirst())
        else { return nil }
        let scalar = high << 4 | low
        if scalar >= 0x80 { text.append(0xC0 | scalar >> 6) }
        text.append(scalar < 0x80 ? scalar : 0x80 | scalar & 0x3F)
      case let byte?: text.append(byte)
      case nil: return nil
      }
    }
    return text
  }

  /// The rest of a percent-encoded string whose opening quote was taken.
  mutating func percentString() -> [UInt8]? {
    guard let raw = string() else { return nil }
    var text: [UInt8] = []
    var rest = raw[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        text.append(byte)
        continue
      }
      guard let high = Self.hex(rest.popFirst()), let low = Self.hex(rest.popFirst()) else {
        return nil
      }
      text.append(high << 4 | low)
    }
    return text
  }

  private static func hex(_ byte: UInt8?) -> UInt8? {
    switch byte {
    case let byte? where UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte: byte - UInt8(ascii: "0")
    case let byte? where UInt8(ascii: "a")...UInt8(ascii: "f") ~= byte: byte - 87
    case let byte? where UInt8(ascii: "A")...UInt8(ascii: "F") ~= byte: byte - 55
    default: nil
    }
  }

  /// A whole number; nil if there is none that fits.
  mutating func number() -> Int64? {
    let isNegative = take("-")
    let start = position
    var number: Int64 = 0
    while position < bytes.count, UInt8(ascii: "0")...UInt8(ascii: "9") ~= bytes[position] {
      let digit = Int64(bytes[position] - UInt8(ascii: "0"))
      let (tens, overflow) = number.multipliedReportingOverflow(by: 10)
      let (sum, carry) = tens.addingReportingOverflow(isNegative ? -digit : digit)
      if overflow || carry { return nil }
      number = sum
      position += 1
    }
    return position > start ? number : nil
  }

  /// Goes behind a number, decimals and all.
  mutating func skipNumber() -> Bool {
    let start = position
    while position < bytes.count, bytes[position] != UInt8(ascii: ","),
      bytes[position] != UInt8(ascii: "}")
    {
      position += 1
    }
    return position > start
  }
}

extension StaticString {
  /// One of its bytes; all that are used here are ASCII.
  fileprivate func byte(at index: Int) -> UInt8 {
    precondition(hasPointerRepresentation && index < utf8CodeUnitCount)
    return unsafe utf8Start[index]
  }
}
