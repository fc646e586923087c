import GeoCore

/// Parses the output of `tar -tv`, of GNU tar and of bsdtar.
///
/// Times have no zone, so they are unknown.
struct TarParser: ListingParser {
  private var reader: RecordReader

  init(_ input: ListInput, _ source: ListSource) {
    reader = RecordReader(input, separator: UInt8(ascii: "\n"))
  }

  mutating func next(
    into entry: inout ListedEntry, faults: inout [ListFault]
  ) throws(ListError) -> ListStep {
    while true {
      let reason: String?
      switch try reader.advance() {
      case .end: return .end
      case .tooLong: reason = "it is longer than \(RecordReader.longest >> 20) MiB"
      case .record:
        let record = reader.buffer[reader.record]
        // The name of the whole archive.
        if record.starts(with: "V---------".utf8) { continue }
        reason =
          reader.isTerminated
          ? TarLine.parse(record, into: &entry) : "no line end follows: it was cut off"
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

  /// Whether a list begins like the output of `tar -tv`.
  static func begins(_ lines: [ArraySlice<UInt8>]) -> Bool {
    guard let line = lines.first(where: { !$0.starts(with: "V---------".utf8) }) else {
      return false
    }
    return TarLine.isMode(line) && TarLine.columns(of: line) != nil
  }
}

/// A line of `tar -tv`.
private enum TarLine {
  /// Whether a line begins with a mode such as `-rw-r--r--`.
  static func isMode(_ line: ArraySlice<UInt8>) -> Bool {
    guard line.count > 10, let letter = line.first, EntryKind(modeLetter: letter) != nil else {
      return false
    }
    return line.dropFirst().prefix(9).allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "-"), UInt8(ascii: "r"), UInt8(ascii: "w"), UInt8(ascii: "x"),
        UInt8(ascii: "s"), UInt8(ascii: "S"), UInt8(ascii: "t"), UInt8(ascii: "T"):
        true
      default: false
      }
    }
  }

  /// The size, if it is one and not a device number, and the name with a link's target.
  ///
  /// GNU tar has `2026-01-31 12:00` or with seconds before the name, bsdtar `Jan 31 12:00` or
  /// `Jan 31  2025`; both have the size before that. Users may have spaces in their names.
  static func columns(
    of line: ArraySlice<UInt8>
  ) -> (size: ArraySlice<UInt8>, name: ArraySlice<UInt8>)? {
    var index = line.startIndex + 11
    while index < line.endIndex {
      if line[index - 1] == UInt8(ascii: " "), let end = endOfTime(line[index...]) {
        let before = line[..<(index - 1)]
        let space = before.lastIndex(of: UInt8(ascii: " "))
        let size = before.suffix(from: space.map { $0 + 1 } ?? before.startIndex)
        if let first = size.first, first.isDigit,
          size.allSatisfy({ $0.isDigit || $0 == UInt8(ascii: ",") })
        {
          return (size, line[end...])
        }
      }
      index += 1
    }
    return nil
  }

  /// The end of a time and of the space after it; nil if the text does not begin with a time.
  private static func endOfTime(_ text: ArraySlice<UInt8>) -> Int? {
    if text.fits(date) {
      var rest = text.dropFirst(16)
      if rest.fits(seconds) { rest = rest.dropFirst(3) }
      if rest.first == UInt8(ascii: ".") { rest = rest.dropFirst().drop { $0.isDigit } }
      return rest.first == UInt8(ascii: " ") ? rest.startIndex + 1 : nil
    }
    guard text.count > 13, let first = text.first, first.isCapital,
      months.contains(where: { text.prefix(3).elementsEqual($0.utf8) })
    else {
      return nil
    }
    let rest = text.dropFirst(3)
    return times.contains { rest.fits($0) } ? rest.startIndex + 10 : nil
  }

  /// What GNU tar shows; `0` is any digit.
  private static let date = Array("0000-00-00 00:00".utf8)
  private static let seconds = Array(":00".utf8)
  /// What bsdtar shows after the month; `0` is any digit.
  private static let times = [" 00 00:00 ", "  0 00:00 ", " 00  0000 ", "  0  0000 "].map {
    Array($0.utf8)
  }
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  static func parse(_ line: ArraySlice<UInt8>, into entry: inout ListedEntry) -> String? {
    guard isMode(line), var kind = EntryKind(modeLetter: line[line.startIndex]) else {
      return "it does not begin with a mode, as 'tar -tv' has it"
    }
    guard let columns = columns(of: line) else {
      return "no size and time follow the mode, as 'tar -tv' has them"
    }
    var name = columns.name
    var size = Int64(wholeNumber: columns.size)
    let isFurtherName = line.first == UInt8(ascii: "h")
    if kind == .symlink || isFurtherName {
      switch name.place(of: kind == .symlink ? " -> " : " link to ") {
      case .none: return "no target follows the name of the link"
      case .several: return "its name or its target has an arrow in it, so both are unknown"
      case .one(let range):
        // The size of a further name of a file is at its first name only.
        size = nil
        if kind == .symlink {
          var target: [UInt8] = []
          if name[range.upperBound...].appendUnescaped(to: &target) { size = Int64(target.count) }
        }
        name = name[..<range.lowerBound]
      }
    }
    entry.path.removeAll(keepingCapacity: true)
    if !name.appendUnescaped(to: &entry.path) {
      return "its name has an escape that is unknown: '\(TerminalText.escaped(Array(name)))'"
    }
    if entry.path.last == .slash { kind = .directory }
    entry.facts = ListedFacts(kind: kind, size: size, modified: nil)
    return nil
  }
}

/// Parses the output of `unzip -l`.
///
/// Times have no zone, so they are unknown. Names are as unzip shows them: it writes control
/// characters as `^J`, which a name may also have itself.
struct UnzipParser: ListingParser {
  private enum Stage { case head, entries, total, end }

  private var reader: RecordReader
  private var stage = Stage.head

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
        let line = reader.buffer[reader.record]
        switch stage {
        case .head:
          if Self.isRule(line) { stage = .entries }
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

  /// Whether a list begins like the output of `unzip -l`.
  static func begins(_ lines: [ArraySlice<UInt8>]) -> Bool {
    guard let first = lines.first, first.starts(with: "Archive: ".utf8),
      let rule = lines.firstIndex(where: isRule), rule > 0
    else { return false }
    let words = lines[rule - 1].split(separator: UInt8(ascii: " "))
    return words.elementsEqual(["Length", "Date", "Time", "Name"]) { $0.elementsEqual($1.utf8) }
  }
}

extension ArraySlice<UInt8> {
  /// Whether it begins as a pattern, in which `0` is any digit.
  fileprivate func fits(_ pattern: [UInt8]) -> Bool {
    if count < pattern.count { return false }
    for index in pattern.indices {
      let (byte, wanted) = (self[startIndex + index], pattern[index])
      if wanted == UInt8(ascii: "0") ? !byte.isDigit : byte != wanted { return false }
    }
    return true
  }
}

extension UInt8 {
  fileprivate var isCapital: Bool { UInt8(ascii: "A")...UInt8(ascii: "Z") ~= self }

  fileprivate var isDigit: Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= self }
}
