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
