import GeoCore

/// Splits a table into records and fields: CSV (RFC 4180), or lines with tabs between fields.
///
/// Memory is limited by the longest record. Empty lines are skipped.
struct TableReader {
  static let longestRecord = 1 << 20

  private let input: ListInput
  private let separator: UInt8
  private let hasQuotes: Bool
  private var offset: Int64 = 0
  private var isWhole = false
  private var next = (start: 0, line: 1)

  private(set) var buffer: [UInt8] = []
  /// The ranges of the record's fields, without quotes.
  private(set) var fields: [Range<Int>] = []
  private(set) var line = 0
  private var doubled: [Int] = []

  /// Without quotes if the separator is a tab.
  init(_ input: ListInput, separator: UInt8) {
    self.input = input
    self.separator = separator
    hasQuotes = separator != 0x09
  }

  var place: String { "\(input.name), line \(line)" }

  subscript(field: Int) -> ArraySlice<UInt8> { buffer[fields[field]] }

  mutating func advance() throws(Failure) -> Bool {
    while true {
      line = next.line
      switch parse() {
      case .record(let end, let lineEnds):
        // An empty field in quotes begins after its quote.
        let isEmpty = fields.count == 1 && fields[0].isEmpty && fields[0].lowerBound == next.start
        next = (end, line + lineEnds)
        if isEmpty { continue }
        if !doubled.isEmpty { removeDoubledQuotes() }
        return true
      case .unfinished where isWhole: throw .usage("\(place): a quote is not closed")
      case .unfinished:
        if buffer.count - next.start > Self.longestRecord {
          throw .usage(
            "\(place): the record is longer than \(Self.longestRecord >> 20) MiB"
              + (hasQuotes ? "; perhaps a quote is not closed" : ""))
        }
        try fill()
      case .textAfterQuote:
        throw .usage("\(place): text follows a closing quote; double quotes that are in a field")
      case .end: return false
      }
    }
  }

  private mutating func fill() throws(Failure) {
    buffer.removeSubrange(..<next.start)
    next.start = 0
    let count = buffer.count
    isWhole = try !input.block(at: offset, appendingTo: &buffer)
    offset += Int64(buffer.count - count)
  }

  private enum Outcome {
    /// A record, with its end in the buffer and the line ends up to there.
    case record(end: Int, lineEnds: Int)
    /// The record's end is not in the buffer.
    case unfinished
    case textAfterQuote
    case end
  }

  private mutating func parse() -> Outcome {
    fields.removeAll(keepingCapacity: true)
    doubled.removeAll(keepingCapacity: true)
    let buffer = buffer
    let bytes = buffer.span
    let (count, separator) = (bytes.count, separator)
    var (index, lineEnds) = (next.start, 0)
    if index == count { return isWhole ? .end : .unfinished }
    while true {
      if hasQuotes, index < count, bytes[index] == Self.quote {
        let start = index + 1
        index = start
        while true {
          while index < count, bytes[index] != Self.quote {
            if bytes[index] == Self.lineEnd { lineEnds += 1 }
            index += 1
          }
          if index == count { return .unfinished }
          if index + 1 == count, !isWhole { return .unfinished }
          if index + 1 == count || bytes[index + 1] != Self.quote { break }
          if doubled.last != fields.count { doubled.append(fields.count) }
          index += 2
        }
        fields.append(start..<index)
        index += 1
        if index < count, bytes[index] == 0x0D {
          if index + 1 == count, !isWhole { return .unfinished }
          if index + 1 == count || bytes[index + 1] == Self.lineEnd { index += 1 }
        }
        if index == count { return isWhole ? .record(end: index, lineEnds: lineEnds) : .unfinished }
        if bytes[index] != separator, bytes[index] != Self.lineEnd { return .textAfterQuote }
      } else {
        let start = index
        while index < count, bytes[index] != separator, bytes[index] != Self.lineEnd { index += 1 }
        if index == count, !isWhole { return .unfinished }
        let isLast = index == count || bytes[index] == Self.lineEnd
        let hasReturn = isLast && index > start && bytes[index - 1] == 0x0D
        fields.append(start..<(hasReturn ? index - 1 : index))
        if index == count { return .record(end: index, lineEnds: lineEnds) }
      }
      index += 1
      if bytes[index - 1] == Self.lineEnd { return .record(end: index, lineEnds: lineEnds + 1) }
    }
  }

  private static let quote = UInt8(ascii: "\"")
  private static let lineEnd: UInt8 = 0x0A

  /// Moves the bytes of fields together where quotes are doubled.
  private mutating func removeDoubledQuotes() {
    for field in doubled {
      var (from, to) = (fields[field].lowerBound, fields[field].lowerBound)
      while from < fields[field].upperBound {
        buffer[to] = buffer[from]
        from += buffer[from] == Self.quote ? 2 : 1
        to += 1
      }
      fields[field] = fields[field].lowerBound..<to
    }
  }
}

extension ListInput {
  func block(at offset: Int64, appendingTo bytes: inout [UInt8]) throws(Failure) -> Bool {
    try rethrowing(readBlock(at: offset, appendingTo: &bytes), as: Failure.unreadableLayer)
  }
}

extension Failure {
  static func unreadableLayer(_ error: ListError) -> Failure {
    guard case .unreadable(let name, let reason) = error else { return Failure(error) }
    return Failure(.source, "can't read '\(name)': \(reason)", cause: error)
  }
}
