import GeoCore

/// Parses the output of `unzip -l`.
///
/// Times have no zone, so they are unknown. Names are as unzip shows them: it writes control
/// characters as `^J`, which a name may also have itself.
struct UnzipSyntax: RecordSyntax {
  private enum Stage { case head, entries, total, end }

  private var stage = Stage.head
  private var isFirst = true
  /// Whether the lines are those of an empty archive so far.
  private var isEmpty = false

  mutating func parse(
    _ record: ArraySlice<UInt8>, isTerminated: Bool, into entry: inout ListedEntry
  ) -> RecordContent {
    let line = record.withoutReturn
    switch stage {
    case .head:
      if Self.isRule(line) { stage = .entries }
      isEmpty = isFirst ? Self.isTitle(line) : isEmpty && Self.isWarning(line)
      isFirst = false
      return .nothing
    case .entries where Self.isRule(line): stage = .total
    case .entries: return Self.parse(line, into: &entry)
    case .total: stage = .end
    case .end where line.isEmpty: break
    case .end: return .fault("it is after the total: list one archive at a time")
    }
    return .nothing
  }

  mutating func faultAtEnd() -> String? {
    defer { stage = .end }
    switch stage {
    case .head: return isEmpty ? nil : "no header as 'unzip -l' has it"
    case .entries, .total: return "the total is missing: it was cut off"
    case .end: return nil
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
  ) -> RecordContent {
    var rest = line.drop { $0 == UInt8(ascii: " ") }
    let digits = rest.prefix { $0.isDigit }
    rest = rest[digits.endIndex...].drop { $0 == UInt8(ascii: " ") }
    guard let size = Int64(wholeNumber: digits),
      let date = Self.dates.first(where: { rest.fits($0) }), rest.count > date.count + 1
    else { return .fault("it has no size, date, time and name, as 'unzip -l' has them") }
    entry.replacePath(from: 0, by: rest.dropFirst(date.count + 1))
    let kind = entry.path.last == .slash ? EntryKind.directory : .regular
    entry.facts = ListedFacts(kind: kind, size: size, modified: nil)
    return .entry
  }

  private static func isTitle(_ line: ArraySlice<UInt8>) -> Bool {
    line.starts(with: "Archive:  ".utf8)
  }

  private static func isWarning(_ line: ArraySlice<UInt8>) -> Bool {
    line.starts(with: "warning [".utf8) && line.suffix(16).elementsEqual("zipfile is empty".utf8)
  }

  static func begins(_ lines: [ArraySlice<UInt8>], areAll: Bool) -> Bool {
    let lines = lines.map(\.withoutReturn)
    guard let first = lines.first, isTitle(first) else { return false }
    if areAll, lines.dropFirst().allSatisfy(isWarning) { return true }
    guard let rule = lines.firstIndex(where: isRule), rule > 0 else { return false }
    let words = lines[rule - 1].split(separator: UInt8(ascii: " "))
    return words.elementsEqual(["Length", "Date", "Time", "Name"]) { $0.elementsEqual($1.utf8) }
  }
}
