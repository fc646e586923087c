import GeoCore
import GeoFormats

/// Splits a map into lines and classifies them.
///
/// Bytes can arrive in pieces of any size. The separators between lines are checked here, to the
/// byte.
struct MapLines {
  enum Kind: Sendable {
    case header
    /// A feature, without its separators.
    case feature
    case footer
  }

  /// The map's format, from its first bytes; nil before them.
  private(set) var format: OutputFormat?
  /// The number of complete lines.
  private(set) var number = 0
  /// The part of the current line that was read so far.
  private var line: [UInt8] = []
  /// What may come next.
  private var expected = Expected.beginning

  private enum Expected { case beginning, feature, featureOrEnd, footer, nothing }

  /// The longest line: a path can have several hundred thousand bytes, each spelt with six.
  private static let longest = 64 << 20

  private static let collection = Array("{\"type\":\"FeatureCollection\"".utf8)
  private static let footer = Array("],\"summary\":".utf8)

  /// Reads the next bytes.
  ///
  /// - Parameter body: Called for each line that ends in them.
  mutating func take(
    _ bytes: Span<UInt8>, _ body: (Kind, [UInt8]) throws(MapFault) -> Void
  ) throws(MapFault) {
    var start = 0
    for index in 0..<bytes.count where bytes[index] == UInt8(ascii: "\n") {
      append(bytes.extracting(start..<index))
      start = index + 1
      try end(body)
    }
    append(bytes.extracting(start..<bytes.count))
    if line.count > Self.longest { throw fault("this line is too long to be a map's") }
  }

  /// Ends the input, and checks that the map is complete.
  func finish() throws(MapFault) {
    if !line.isEmpty { throw fault("the map is cut off: its last line has no end") }
    switch expected {
    case .nothing: return
    case .featureOrEnd where format != .geojson: return
    case .beginning: throw fault("the file is empty")
    default: throw fault("the map is cut off: more lines were to come")
    }
  }

  private mutating func append(_ bytes: Span<UInt8>) {
    unsafe bytes.withUnsafeBufferPointer { unsafe line.append(contentsOf: $0) }
  }

  private mutating func end(
    _ body: (Kind, [UInt8]) throws(MapFault) -> Void
  ) throws(MapFault) {
    let kind = try kindOfLine()
    try body(kind, line)
    line.removeAll(keepingCapacity: true)
    number += 1
  }

  /// Classifies the line and removes its separators.
  private mutating func kindOfLine() throws(MapFault) -> Kind {
    if expected == .beginning {
      if line.starts(with: Self.collection) {
        format = .geojson
        // In an empty map the footer follows the header.
        expected = .featureOrEnd
        return .header
      }
      format = line.first == 0x1E ? .geojsonseq : .geojsonl
      expected = .featureOrEnd
    }
    if format == .geojsonseq {
      if line.first != 0x1E { throw fault("no record separator before the feature") }
      line.removeFirst()
    }
    if format != .geojson { return .feature }
    switch expected {
    case .beginning, .nothing: throw fault("text after the end of the map")
    case .footer where line.starts(with: Self.footer),
      .featureOrEnd where line.starts(with: Self.footer):
      expected = .nothing
      return .footer
    case .footer: throw fault("no comma between this feature and the one before")
    case .feature where line.starts(with: Self.footer):
      throw fault("there is a comma after the last feature")
    case .feature, .featureOrEnd:
      expected = line.last == UInt8(ascii: ",") ? .feature : .footer
      if expected == .feature { line.removeLast() }
      return .feature
    }
  }

  /// A fault of the current line.
  func fault(_ what: String) -> MapFault { MapFault(line: number + 1, what: what) }
}

/// Parses a line of a map from left to right.
struct LineScanner {
  private let line: [UInt8]
  private(set) var position = 0

  init(_ line: [UInt8]) { self.line = line }

  var isAtEnd: Bool { position == line.count }

  /// Consumes a text if it comes next.
  mutating func take(_ text: [UInt8]) -> Bool {
    if text.count > line.count - position { return false }
    for index in text.indices where line[position + index] != text[index] { return false }
    position += text.count
    return true
  }

  /// Consumes a text if it comes next; slower, for rare members.
  mutating func take(_ text: String) -> Bool { take(Array(text.utf8)) }

  /// Moves past the next occurrence of a text; false if not found.
  mutating func skip(past text: [UInt8]) -> Bool {
    guard let first = text.first else { return true }
    let end = line.count
    var next = position
    while next < end {
      if line[next] == first {
        position = next
        if take(text) { return true }
      }
      next += 1
    }
    return false
  }

  /// Parses an integer of 64 bits, or nil.
  mutating func integer() -> Int64? {
    let isNegative = take([UInt8(ascii: "-")])
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

  /// Parses a decimal number as whole units of 10^-13, or nil if it doesn't fit.
  mutating func decimal() -> Int64? {
    let isNegative = take([UInt8(ascii: "-")])
    let start = position
    guard position < line.count, let whole = integer(), whole >= 0, whole <= 180 else { return nil }
    var units = whole
    var decimals = 0
    if take([UInt8(ascii: ".")]) {
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

  /// Parses a JSON string as geomapper writes it, into bytes, or nil.
  mutating func string() -> [UInt8]? {
    guard take([UInt8(ascii: "\"")]) else { return nil }
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
