/// Reads lists of paths, one a line.
struct LineParser: ListParser {
  private var reader: RecordReader

  init(_ input: ListInput, _ source: ListSource) {
    reader = RecordReader(
      input, separator: source.format.separator(zero: source.isZeroSeparated))
  }

  mutating func next(
    into entry: inout ListedEntry, faults: inout [ListFault]
  ) throws(ListError) -> Bool {
    while true {
      switch try reader.advance() {
      case .end: return false
      case .tooLong:
        faults.append(ListFault(position: reader.count, reason: RecordReader.tooLong))
      case .record:
        entry.path.removeAll(keepingCapacity: true)
        entry.path.append(contentsOf: reader.buffer[reader.record])
        entry.facts = ListedFacts(flags: .unsure)
        entry.position = reader.count
        return true
      }
    }
  }
}

extension RecordReader {
  /// What is wrong with a record that is too long.
  static let tooLong = "it is longer than \(longest >> 20) MiB"
}
