import GeoCore

/// Parses the output of `unzip -l`.
///
/// Times have no zone, so they are unknown. Names are as unzip shows them: it writes control
/// characters as `^J`, which a name may also have itself.
struct UnzipParser: ListingParser {
  private enum Stage { case head, entries, total, end }

  private var reader: RecordReader
  private var stage = Stage.head
  /// Whether the lines are those of an empty archive so far.
  private var isEmpty = false

  init(_ input: ListInput, _ source: ListSource) {
    reader = RecordReader(input, separator: UInt8(ascii: "\n"))
  }

  mutating func next(
    into entry: inout ListedEntry, faults: inout [ListFault]
  ) throws(ListError) -> ListStep {
    while true {
      let reason: String?
      switch try reader.advance() {
      case .end:
        if stage == .head, isEmpty { stage = .end }
        if stage != .end {
          faults.append(
            ListFault(
              position: reader.count + 1,
              reason: stage == .head
                ? "no header as 'unzip -l' has it" : "the total is missing: it was cut off"))
          stage = .end
        }
        return .end
      case .tooLong: reason = "it is longer than \(RecordReader.longest >> 20) MiB"
      case .record:
        var line = reader.buffer[reader.record]
        // A line end of Windows; unzip shows a carriage return in a name as `^M`.
        if line.last == 0x0D { line.removeLast() }
        switch stage {
        case .head:
          if Self.isRule(line) { stage = .entries }
          isEmpty = reader.count == 1 ? Self.isTitle(line) : isEmpty && Self.isWarning(line)
          continue
        case .entries where Self.isRule(line):
          stage = .total
          continue
        case .entries: reason = Self.parse(line, into: &entry)
        case .total:
          stage = .end
          continue
        case .end:
          if line.isEmpty { continue }
          reason = "it is after the total: list one archive at a time"
        }
      }
      if let reason {
        faults.append(ListFault(position: reader.count, reason: reason))
        return .fault
      }
      entry.position = reader.count
      entry.kept = 0
      return .entry
    }
  }

  /// Whether a line is the rule below the header or above the total.
  private static func isRule(_ line: ArraySlice<UInt8>) -> Bool {
    line.starts(with: "---------  ".utf8)
      && line.allSatisfy { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: " ") }
  }

  /// Dates as several versions of unzip show them; `0` is any digit.
  private static let dates = ["0000-00-00 00:00  ", "00-00-0000 00:00  ", "00-00-00 00:00  "].map {
    Array($0.utf8)
  }

  /// Parses `SIZE  DATE TIME   NAME`; a `^` before the name means that its case was changed.
  private static func parse(
    _ line: ArraySlice<UInt8>, into entry: inout ListedEntry
  ) -> String? {
    var rest = line.drop { $0 == UInt8(ascii: " ") }
    let digits = rest.prefix { $0.isDigit }
    rest = rest[digits.endIndex...].drop { $0 == UInt8(ascii: " ") }
    guard let size = Int64(wholeNumber: digits),
      let date = Self.dates.first(where: { rest.fits($0) }), rest.count > date.count + 1
    else { return "it has no size, date, time and name, as 'unzip -l' has them" }
    entry.path.removeAll(keepingCapacity: true)
    entry.path.append(contentsOf: rest.dropFirst(date.count + 1))
    let isFolder = entry.path.last == .slash
    entry.facts = ListedFacts(kind: isFolder ? .directory : .regular, size: size, modified: nil)
    return nil
  }

  private static func isTitle(_ line: ArraySlice<UInt8>) -> Bool {
    line.starts(with: "Archive:  ".utf8)
  }

  private static func isWarning(_ line: ArraySlice<UInt8>) -> Bool {
    line.starts(with: "warning [".utf8) && line.suffix(16).elementsEqual("zipfile is empty".utf8)
  }

  static func begins(_ lines: [ArraySlice<UInt8>], areAll: Bool) -> Bool {
    let lines = lines.map { $0.last == 0x0D ? $0.dropLast() : $0 }
    guard let first = lines.first, isTitle(first) else { return false }
    if areAll, lines.dropFirst().allSatisfy(isWarning) { return true }
    guard let rule = lines.firstIndex(where: isRule), rule > 0 else { return false }
    let words = lines[rule - 1].split(separator: UInt8(ascii: " "))
    return words.elementsEqual(["Length", "Date", "Time", "Name"]) { $0.elementsEqual($1.utf8) }
  }
}
