import GeoCore

/// How the records of a list are to be understood.
protocol RecordSyntax {
  /// Makes an entry of a record.
  ///
  /// - Parameters:
  ///   - record: Its bytes.
  ///   - isTerminated: Whether what separates it from the next stands after it.
  ///   - entry: Gets the path and the facts.
  /// - Returns: What is wrong with it; nil if nothing.
  static func parse(
    _ record: ArraySlice<UInt8>, isTerminated: Bool, into entry: inout ListedEntry
  ) -> String?
}

/// Reads lists that have an entry a record.
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

/// A path a record.
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

/// Splits a list at its line ends, or at whatever stands after each entry.
struct RecordReader {
  /// The longest record, in bytes; it is longer than any path that can be made.
  static let longest = 16 << 20

  /// How a record came out.
  enum Outcome { case record, tooLong, end }

  private let input: ListInput
  private let separator: UInt8
  private let longest: Int
  private var offset: Int64 = 0
  /// Where the next record begins in the buffer.
  private var start = 0

  /// What holds the record.
  private(set) var buffer: [UInt8] = []
  /// Where in the buffer the record is, without what separates it from the next.
  private(set) var record = 0..<0
  /// Whether a separator stands after it; only the last one may lack it.
  private(set) var isTerminated = false
  /// How many records there were.
  private(set) var count: UInt64 = 0

  init(_ input: ListInput, separator: UInt8, longest: Int = Self.longest) {
    self.input = input
    self.separator = separator
    self.longest = longest
  }

  /// Goes to the next record.
  mutating func advance() throws(ListError) -> Outcome {
    var searched = start
    var isTooLong = false
    while true {
      if let end = find(from: searched) {
        isTerminated = true
        return take(upTo: end, skipping: 1, isTooLong: isTooLong)
      }
      if buffer.count - start > longest {
        isTooLong = true
        start = buffer.count
      }
      // What is used up makes room for more.
      buffer.removeSubrange(..<start)
      start = 0
      searched = buffer.count
      if try !input.readBlock(at: offset, appendingTo: &buffer) {
        if buffer.isEmpty, !isTooLong { return .end }
        isTerminated = false
        return take(upTo: buffer.count, skipping: 0, isTooLong: isTooLong)
      }
      offset += Int64(buffer.count - searched)
    }
  }

  private mutating func take(upTo end: Int, skipping: Int, isTooLong: Bool) -> Outcome {
    record = start..<end
    start = end + skipping
    count += 1
    return isTooLong ? .tooLong : .record
  }

  /// Where the next separator is, eight bytes at a time.
  private func find(from start: Int) -> Int? {
    let bytes = buffer.span
    let ones: UInt64 = 0x0101_0101_0101_0101
    let pattern = UInt64(separator) &* ones
    var index = start
    while index + 8 <= bytes.count {
      let word = bytes.loadWord(at: index) ^ pattern
      // The lowest byte that is 0 sets its highest bit (Hacker's Delight, 6-1).
      let zeros = (word &- ones) & ~word & 0x8080_8080_8080_8080
      if zeros != 0 { return index + zeros.trailingZeroBitCount / 8 }
      index += 8
    }
    while index < bytes.count {
      if bytes[index] == separator { return index }
      index += 1
    }
    return nil
  }
}

/// What `find -printf '%s %T@ %y %p\0'` prints.
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
  /// The kind that find's `%y` stands for.
  fileprivate init?(findLetter: UInt8) {
    switch findLetter {
    case UInt8(ascii: "f"): self = .regular
    case UInt8(ascii: "d"): self = .directory
    case UInt8(ascii: "l"): self = .symlink
    case UInt8(ascii: "p"): self = .fifo
    case UInt8(ascii: "s"): self = .socket
    case UInt8(ascii: "b"): self = .block
    case UInt8(ascii: "c"): self = .character
    // A door, or what find can't tell.
    case UInt8(ascii: "D"), UInt8(ascii: "U"): self = .unknown
    default: return nil
    }
  }
}

extension ArraySlice<UInt8> {
  fileprivate mutating func takeSpace() -> Bool { popFirst() == UInt8(ascii: " ") }

  /// Decimal digits, at least one, as a number below 2^63.
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

  /// Seconds with a fraction, rounded down.
  ///
  /// What stands before the point is the seconds rounded down even before 1970: find prints the two
  /// parts of the time one after the other, and its −2.5 is half a second after −2.
  fileprivate mutating func takeSeconds() -> Int64? {
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

/// What a list says of an entry beyond its path.
struct ListedFacts: BitwiseCopyable, Sendable, Equatable {
  /// What is known, and how surely.
  struct Flags: OptionSet, BitwiseCopyable, Sendable {
    let rawValue: UInt8

    /// The size is known.
    static let sized = Flags(rawValue: 1)
    /// The time of change is known.
    static let dated = Flags(rawValue: 2)
    /// Whoever made the list could not read the entry.
    static let unreadable = Flags(rawValue: 4)
    /// The kind isn't said: it is a folder if something is below it.
    static let unsure = Flags(rawValue: 8)
    /// A folder in which whoever made the list did not look.
    static let unlisted = Flags(rawValue: 16)
    /// The list says different things of the entry.
    static let disputed = Flags(rawValue: 32)
  }

  var size: Int64 = 0
  var modified: Int64 = 0
  var kind = EntryKind.regular
  var flags: Flags = []

  /// The same as if nothing else were said.
  var undisputed: ListedFacts {
    var facts = self
    facts.flags.remove(.disputed)
    return facts
  }

  /// What a visitor is shown of a file.
  ///
  /// - Parameter withMetadata: Whether sizes and times are wanted.
  func entryFacts(withMetadata: Bool) -> EntryFacts {
    if !flags.isDisjoint(with: [.unreadable, .disputed]) {
      return EntryFacts(status: .unreadable, kind: kind)
    }
    if !withMetadata || !flags.contains(.sized) { return EntryFacts(status: .unasked, kind: kind) }
    return EntryFacts(
      size: size, modified: modified, status: flags.contains(.dated) ? .known : .sized, kind: kind)
  }
}

/// An entry as it stands in a list.
struct ListedEntry {
  /// The bytes of the path, as they are written.
  var path: [UInt8] = []
  /// How many bytes at the beginning of the path are known to be as they were when this was set to
  /// their number. Deep in an export it is nearly all of them, and nobody has to look at them again.
  var kept = 0
  var facts = ListedFacts()
  /// Which line it is, or which byte of an export, counted from 1.
  var position: UInt64 = 0
}

/// An entry that can't be used.
struct ListFault: Equatable {
  /// Which line it is, or which byte of an export, counted from 1.
  let position: UInt64
  let reason: String
}

/// What a parser came to.
enum ListStep {
  /// An entry that can be used.
  case entry
  /// Something that can't be used, which is among the faults.
  case fault
  case end
}

/// Reads the entries of a list one after the other.
protocol ListParser {
  init(_ input: ListInput, _ source: ListSource)

  /// Reads the next entry.
  ///
  /// - Parameters:
  ///   - entry: Becomes the entry, if it can be used. It has to be the one of the last time: its
  ///     memory is used again.
  ///   - faults: Gets what can't be used, also what keeps the list from ending as it should.
  mutating func next(
    into entry: inout ListedEntry, faults: inout [ListFault]
  ) throws(ListError) -> ListStep
}
