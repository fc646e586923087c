import GeoCore

/// The syntax of a list with an entry for each line or each text that a zero byte ends.
protocol RecordSyntax {
  init()

  /// A separator follows a record that is terminated.
  mutating func parse(
    _ record: ArraySlice<UInt8>, isTerminated: Bool, into entry: inout ListedEntry
  ) -> RecordContent

  mutating func faultAtEnd() -> String?
}

extension RecordSyntax {
  func faultAtEnd() -> String? { nil }
}

enum RecordContent: Equatable {
  case entry
  /// The record is about the list.
  case nothing
  case fault(String)
}

struct RecordParser<Syntax: RecordSyntax>: ListParser {
  private var reader: RecordReader
  private var syntax = Syntax()

  init(_ input: ListInput, _ source: ListSource) {
    reader = RecordReader(
      input, separator: source.format.separator(zero: source.isZeroSeparated))
  }

  mutating func next(
    into entry: inout ListedEntry, faults: inout [ListFault]
  ) throws(ListError) -> ListStep {
    while true {
      let content: RecordContent
      switch try reader.advance() {
      case .end:
        if let reason = syntax.faultAtEnd() {
          faults.append(ListFault(position: reader.count + 1, reason: reason))
        }
        return .end
      case .tooLong: content = .fault("it is longer than \(RecordReader.longest >> 20) MiB")
      case .record:
        content = syntax.parse(
          reader.buffer[reader.record], isTerminated: reader.isTerminated, into: &entry)
      }
      switch content {
      case .nothing: continue
      case .fault(let reason):
        faults.append(ListFault(position: reader.count, reason: reason))
        return .fault
      case .entry:
        entry.position = reader.count
        return .entry
      }
    }
  }
}

struct LineSyntax: RecordSyntax {
  mutating func parse(
    _ record: ArraySlice<UInt8>, isTerminated: Bool, into entry: inout ListedEntry
  ) -> RecordContent {
    entry.replacePath(from: 0, by: record)
    entry.facts = ListedFacts(flags: .unsure)
    return .entry
  }
}

/// Records of `find -printf '%s %T@ %y %p\0'`.
struct FindSyntax: RecordSyntax {
  mutating func parse(
    _ record: ArraySlice<UInt8>, isTerminated: Bool, into entry: inout ListedEntry
  ) -> RecordContent {
    if !isTerminated {
      return .fault("no zero byte ends it: it was cut off, or the list was not made with '\\0'")
    }
    var rest = record
    guard let size = rest.takeWholeNumber(), rest.takeSpace() else {
      return .fault("it does not begin with a size in bytes, as '%s %T@ %y %p' has it")
    }
    guard let modified = rest.takeSeconds(), rest.takeSpace() else {
      return .fault("no time in seconds follows the size, as '%s %T@ %y %p' has it")
    }
    guard let letter = rest.popFirst(), let kind = EntryKind(findLetter: letter), rest.takeSpace()
    else {
      return .fault("no type such as f or d follows the time, as '%s %T@ %y %p' has it")
    }
    entry.facts = ListedFacts(size: size, modified: modified, kind: kind, flags: [.sized, .dated])
    entry.replacePath(from: 0, by: rest)
    return .entry
  }
}

extension EntryKind {
  fileprivate init?(findLetter letter: UInt8) {
    switch letter {
    case UInt8(ascii: "f"): self = .regular
    // A door, or unknown to find.
    case UInt8(ascii: "D"), UInt8(ascii: "U"): self = .unknown
    case UInt8(ascii: "-"), UInt8(ascii: "h"), UInt8(ascii: "C"): return nil
    default: self.init(modeLetter: letter)
    }
  }
}

extension ArraySlice<UInt8> {
  fileprivate mutating func takeSpace() -> Bool { popFirst() == UInt8(ascii: " ") }

  /// At least one digit, below 2^63.
  fileprivate mutating func takeWholeNumber() -> Int64? {
    let digits = prefix { $0.isDigit }
    self = self[digits.endIndex...]
    return Int64(wholeNumber: digits)
  }

  /// Takes seconds with a fraction, rounded down.
  ///
  /// The digits before the point are the seconds rounded down even before 1970: find prints seconds
  /// and nanoseconds separately, so its −2.5 is half a second after −2.
  mutating func takeSeconds() -> Int64? {
    let isNegative = first == UInt8(ascii: "-")
    if isNegative { removeFirst() }
    guard let number = takeWholeNumber() else { return nil }
    if first == UInt8(ascii: ".") || first == UInt8(ascii: ",") {
      removeFirst()
      let fraction = prefix { $0.isDigit }
      if fraction.isEmpty { return nil }
      removeFirst(fraction.count)
    }
    return isNegative ? -number : number
  }
}
