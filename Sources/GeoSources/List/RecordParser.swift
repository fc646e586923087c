import GeoCore

protocol RecordSyntax {
  /// A separator follows a record that is terminated. Returns why the record is malformed.
  static func parse(
    _ record: ArraySlice<UInt8>, isTerminated: Bool, into entry: inout ListedEntry
  ) -> String?
}

/// Parses lists with one entry per record.
struct RecordParser<Syntax: RecordSyntax>: ListParser {
  private var reader: RecordReader

  init(_ input: ListInput, _ source: ListSource) {
    reader = RecordReader(
      input, separator: source.format.separator(zero: source.isZeroSeparated))
  }

  mutating func next(
    into entry: inout ListedEntry, faults: inout [ListFault]
  ) throws(ListError) -> ListStep {
    let reason: String?
    switch try reader.advance() {
    case .end: return .end
    case .tooLong: reason = "it is longer than \(RecordReader.longest >> 20) MiB"
    case .record:
      reason = Syntax.parse(
        reader.buffer[reader.record], isTerminated: reader.isTerminated, into: &entry)
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

/// Records that are paths.
enum LineSyntax: RecordSyntax {
  static func parse(
    _ record: ArraySlice<UInt8>, isTerminated: Bool, into entry: inout ListedEntry
  ) -> String? {
    entry.path.removeAll(keepingCapacity: true)
    entry.path.append(contentsOf: record)
    entry.facts = ListedFacts(flags: .unsure)
    return nil
  }
}

/// Records of `find -printf '%s %T@ %y %p\0'`.
enum FindSyntax: RecordSyntax {
  static func parse(
    _ record: ArraySlice<UInt8>, isTerminated: Bool, into entry: inout ListedEntry
  ) -> String? {
    if !isTerminated {
      return "no zero byte ends it: it was cut off, or the list was not made with '\\0'"
    }
    var rest = record
    guard let size = rest.takeWholeNumber(), rest.takeSpace() else {
      return "it does not begin with a size in bytes, as '%s %T@ %y %p' has it"
    }
    guard let modified = rest.takeSeconds(), rest.takeSpace() else {
      return "no time in seconds follows the size, as '%s %T@ %y %p' has it"
    }
    guard let letter = rest.popFirst(), let kind = EntryKind(findLetter: letter), rest.takeSpace()
    else { return "no type such as f or d follows the time, as '%s %T@ %y %p' has it" }
    entry.facts = ListedFacts(size: size, modified: modified, kind: kind, flags: [.sized, .dated])
    entry.path.removeAll(keepingCapacity: true)
    entry.path.append(contentsOf: rest)
    return nil
  }
}

extension EntryKind {
  fileprivate init?(findLetter: UInt8) {
    switch findLetter {
    case UInt8(ascii: "f"): self = .regular
    case UInt8(ascii: "d"): self = .directory
    case UInt8(ascii: "l"): self = .symlink
    case UInt8(ascii: "p"): self = .fifo
    case UInt8(ascii: "s"): self = .socket
    case UInt8(ascii: "b"): self = .block
    case UInt8(ascii: "c"): self = .character
    // A door, or unknown to find.
    case UInt8(ascii: "D"), UInt8(ascii: "U"): self = .unknown
    default: return nil
    }
  }
}

extension ArraySlice<UInt8> {
  fileprivate mutating func takeSpace() -> Bool { popFirst() == UInt8(ascii: " ") }

  /// At least one digit, below 2^63.
  fileprivate mutating func takeWholeNumber() -> Int64? {
    var number: Int64 = 0
    var digits = 0
    while let byte = first, UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte {
      let (tens, overflow) = number.multipliedReportingOverflow(by: 10)
      let (sum, carry) = tens.addingReportingOverflow(Int64(byte - UInt8(ascii: "0")))
      if overflow || carry { return nil }
      number = sum
      digits += 1
      removeFirst()
    }
    return digits > 0 ? number : nil
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
      let fraction = prefix { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
      if fraction.isEmpty { return nil }
      removeFirst(fraction.count)
    }
    return isNegative ? -number : number
  }
}

struct ListedEntry {
  /// As written in the list.
  var path: [UInt8] = []
  /// The length of the path prefix that is unchanged since `kept` was last set to the path's
  /// length. Deep in an export this is nearly the whole path, which need not be compared again.
  var kept = 0
  var facts = ListedFacts()
  /// The number of the line, or the offset of the byte in an export, from 1.
  var position: UInt64 = 0
}

struct ListFault: Equatable {
  /// As of a ``ListedEntry``.
  let position: UInt64
  let reason: String
}

enum ListStep {
  case entry
  /// It was added to the faults.
  case fault
  case end
}

/// Parses the entries of a list in order.
protocol ListParser {
  init(_ input: ListInput, _ source: ListSource)

  /// Pass the same entry each time: its memory is reused, and its path may go on from the one
  /// before. Faults also get the errors at the end of the list.
  mutating func next(
    into entry: inout ListedEntry, faults: inout [ListFault]
  ) throws(ListError) -> ListStep
}
