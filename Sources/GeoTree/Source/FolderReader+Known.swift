import GeoCore
import GeoSystem

/// What sources share that have the facts of their files at hand.
extension FolderReader {
  /// Tells what is known of some files, as ``readFacts(of:_:into:storage:failures:)`` has to: one after the
  /// other, in the order of their names.
  ///
  /// - Parameters:
  ///   - asksForStorage: Whether storage is asked for; nothing is known of it.
  ///   - unreadable: Why files can't be read whose facts say so; nil if there are none.
  ///   - known: Tells what is known of the file of an index and a name, with facts as the listing gave them;
  ///     false if there is no such file.
  package func tell(
    of names: NameTable, _ range: Range<Int>, into facts: inout [EntryFacts],
    storage: inout [FileStorage], failures: inout [FileSystem.Failure], asksForStorage: Bool,
    unreadable: String? = nil, _ known: (Int, Span<UInt8>, inout EntryFacts) -> Bool
  ) {
    storage.removeAll(keepingCapacity: true)
    if asksForStorage {
      storage.append(contentsOf: repeatElement(.unknown, count: range.count))
    }
    for (position, index) in range.enumerated() where facts[position].status != .hidden {
      let name = names.bytes.span.extracting(names.records[index].range)
      if known(index, name, &facts[position]) {
        if let unreadable, facts[position].status == .unreadable {
          failures.append(
            FileSystem.Failure(index: index, reason: .inputOutput, words: unreadable))
        }
        continue
      }
      facts[position].status = .vanished
      failures.append(FileSystem.Failure(index: index, reason: .noEntry))
    }
  }
}
