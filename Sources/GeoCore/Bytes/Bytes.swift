extension [UInt8] {
  package var lowercased: [UInt8] { map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 } }
}

extension Collection<UInt8> {
  /// The first index of a text in the bytes. O(bytes · text).
  package func firstIndex(of text: String) -> Index? {
    indices.first { self[$0...].starts(with: text.utf8) }
  }
}

// Paths as bytes: names separated by slashes. A path of the map begins with a label; a path of a
// disk can begin with a slash.

extension UInt8 {
  @inlinable package static var slash: UInt8 { 0x2F }

  @inlinable package var isAlphanumeric: Bool {
    switch self {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: false
    }
  }

  /// The value of a hexadecimal digit; nil for other bytes.
  package var hexValue: UInt8? {
    switch self {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}

extension Collection<UInt8> {
  /// The names of a path, including empty ones before, between and after slashes.
  @inlinable package var components: [SubSequence] {
    split(separator: .slash, omittingEmptySubsequences: false)
  }

  /// The part before the first slash: the label, in a path of the map.
  @inlinable package var firstComponent: SubSequence { prefix { $0 != .slash } }

  /// The number of slashes: the depth, in a path of the map.
  @inlinable package var slashCount: Int { count { $0 == .slash } }
}

extension BidirectionalCollection<UInt8> {
  /// The part after the last slash, or all of the path.
  @inlinable package var lastComponent: SubSequence {
    self[(lastIndex(of: .slash).map { index(after: $0) } ?? startIndex)...]
  }

  /// The part before the last slash; nil without a slash.
  @inlinable package var parentPath: SubSequence? { lastIndex(of: .slash).map { self[..<$0] } }
}

extension RandomAccessCollection<UInt8> {
  /// Whether it is the path of a folder (without a slash at its end), or of its contents at any
  /// depth.
  @inlinable package func isPath(atOrBelow folder: some RandomAccessCollection<UInt8>) -> Bool {
    if count < folder.count || !starts(with: folder) { return false }
    return count == folder.count || self[index(startIndex, offsetBy: folder.count)] == .slash
  }
}

extension [UInt8] {
  @inlinable package mutating func append(component name: some Collection<UInt8>) {
    append(.slash)
    append(contentsOf: name)
  }

  @inlinable package func appending(component name: some Collection<UInt8>) -> [UInt8] {
    var path: [UInt8] = []
    path.reserveCapacity(count + 1 + name.count)
    path += self
    path.append(component: name)
    return path
  }
}

private let zeros = [UInt8](repeating: 0, count: 4096)

extension [UInt8] {
  /// In a debug build `repeatElement` takes a generic step for each byte; copying takes none.
  mutating func append(zeros number: Int) {
    if capacity < count + number { reserveCapacity(Swift.max(count + number, 2 * capacity)) }
    for start in stride(from: 0, to: number, by: zeros.count) {
      self += zeros.prefix(number - start)
    }
  }
}

extension [UInt8] {
  /// Appends a number in LEB128: as few groups of seven bits as it needs, the lowest first. All
  /// bytes except the last have their top bit set.
  @inlinable @inline(__always)
  package mutating func append(varint number: UInt64) {
    var rest = number
    while rest >= 0x80 {
      append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    append(UInt8(truncatingIfNeeded: rest))
  }

  @inlinable @inline(__always)
  package mutating func append(zigzag number: some FixedWidthInteger & SignedInteger) {
    append(varint: Int64(number).zigzag)
  }

  @inlinable @inline(__always)
  package mutating func append<Number: FixedWidthInteger>(little number: Number) {
    unsafe Swift.withUnsafeBytes(of: number.littleEndian) { unsafe append(contentsOf: $0) }
  }

  @inlinable @inline(__always)
  package mutating func overwrite(little number: some FixedWidthInteger, at start: Int) {
    for index in 0..<(number.bitWidth / 8) {
      self[start + index] = UInt8(truncatingIfNeeded: number >> (8 * index))
    }
  }

  /// Appends a length, then the bytes.
  @inlinable
  package mutating func append(text: some Collection<UInt8>) {
    append(varint: UInt64(text.count))
    append(contentsOf: text)
  }

  /// Reads a number in LEB128 that is known to be complete, and moves past it.
  @inlinable
  package func varint(at position: inout Int) -> UInt64 {
    var reader = ByteReader(position..<count)
    defer { position = reader.position }
    return (try? reader.takeVarint(in: span)) ?? 0
  }
}

extension Int64 {
  /// The number in zigzag encoding, small if it is near zero: 0, −1, 1, −2, 2… become 0, 1, 2, 3,
  /// 4….
  @inlinable @inline(__always)
  package var zigzag: UInt64 { UInt64(bitPattern: self << 1 ^ self >> 63) }

  @inlinable @inline(__always)
  package init(zigzag number: UInt64) {
    self = Int64(bitPattern: number >> 1) ^ -Int64(bitPattern: number & 1)
  }
}

/// JSON in the script element of a page.
package enum ScriptData {
  /// Escapes `<`, so that nothing in the JSON ends the element. It can only occur in strings.
  package static func escaped(_ json: some Sequence<UInt8>) -> [UInt8] {
    var text: [UInt8] = []
    for byte in json {
      if byte == UInt8(ascii: "<") { text += "\\u003c".utf8 } else { text.append(byte) }
    }
    return text
  }
}

extension Int64 {
  /// Parses decimal digits: at least one, and nothing else.
  package init?(wholeNumber digits: ArraySlice<UInt8>) {
    if digits.isEmpty { return nil }
    var number: Int64 = 0
    for byte in digits {
      guard UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte else { return nil }
      let (tens, overflow) = number.multipliedReportingOverflow(by: 10)
      let (sum, carry) = tens.addingReportingOverflow(Int64(byte - UInt8(ascii: "0")))
      if overflow || carry { return nil }
      number = sum
    }
    self = number
  }
}

extension BinaryInteger {
  /// The number with a comma between groups of three digits.
  package var grouped: String {
    var text = ""
    for (index, digit) in String(self).reversed().enumerated() {
      if index > 0, index % 3 == 0, digit != "-" { text.append(",") }
      text.append(digit)
    }
    return String(text.reversed())
  }
}

/// Base16 (RFC 4648, section 8) with lower-case letters.
package enum Base16 {
  package static func encode(_ bytes: some Sequence<UInt8>) -> String {
    let bytes = Array(bytes)
    return String(decoding: bytes.span.hexDigits, as: UTF8.self)
  }
}

/// Base64 (RFC 4648, section 4).
package enum Base64 {
  private static let signs = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  package static func encode(_ bytes: [UInt8]) -> String {
    let signs = signs
    var text: [UInt8] = []
    text.reserveCapacity((bytes.count + 2) / 3 * 4)
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<min(start + 3, bytes.count)]
      var bits: UInt32 = 0
      for byte in group { bits = bits << 8 | UInt32(byte) }
      bits <<= UInt32(3 - group.count) * 8
      for place in 0..<4 {
        let sign = signs[Int(bits >> UInt32(18 - 6 * place) & 63)]
        text.append(place <= group.count ? sign : UInt8(ascii: "="))
      }
    }
    return String(decoding: text, as: UTF8.self)
  }
}
