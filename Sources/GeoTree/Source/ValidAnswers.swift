import GeoCore
import GeoSystem

// A client's source may answer with too few, too many or missing facts. What is made of its answers
// relies on their counts, so they are corrected where they come in.

extension FolderListing {
  /// Drops what doesn't fit the names: sub-folders left out that don't exist, and handles and contents
  /// of another number of sub-folders.
  package mutating func dropInvalid() {
    if !handles.isEmpty, handles.count != folders.count { handles = [] }
    if !contents.isEmpty, contents.count != folders.count { contents = [] }
    if leftOut.isEmpty { return }
    let range = 0..<folders.count
    let isValid =
      leftOut.allSatisfy { range.contains($0.index) }
      && zip(leftOut, leftOut.dropFirst()).allSatisfy { $0.index < $1.index }
    if isValid { return }
    var reasons: [Int: ExclusionReason?] = [:]
    for entry in leftOut where range.contains(entry.index) { reasons[entry.index] = entry.reason }
    leftOut = reasons.keys.sorted().map { LeftOutEntry(index: $0, reason: reasons[$0] ?? nil) }
  }
}

extension FolderReader {
  /// Makes the facts of some files before they are read. Files that their names and kinds leave out
  /// are hidden.
  /// `facts` are replaced by one for each name, whatever the source gives.
  package func prepareFacts(
    of names: NameTable, _ range: Range<Int>, into facts: inout [EntryFacts]
  ) {
    facts.removeAll(keepingCapacity: true)
    for index in range { facts.append(EntryFacts(kind: names.records[index].kind)) }
    leaveOut(names, range, in: &facts)
    if facts.count != range.count {
      facts = range.map { EntryFacts(kind: names.records[$0].kind) }
    }
  }

  /// Reads the facts of some files, one for each name whatever the source gives.
  /// Storage may be empty unless it is asked for.
  package func readValidFacts(
    of names: NameTable, _ range: Range<Int>, into facts: inout [EntryFacts],
    storage: inout [FileStorage], failures: inout [FactFailure], asksForStorage: Bool
  ) {
    readFacts(of: names, range, into: &facts, storage: &storage, failures: &failures)
    if facts.count != range.count {
      facts.removeLast(max(0, facts.count - range.count))
      for index in range.dropFirst(facts.count) {
        facts.append(EntryFacts(kind: names.records[index].kind))
      }
    }
    // No file is smaller than nothing.
    for position in facts.indices where facts[position].size < 0 { facts[position].size = 0 }
    if storage.count != range.count, asksForStorage || !storage.isEmpty {
      storage.removeLast(max(0, storage.count - range.count))
      let missing = range.count - storage.count
      storage.append(contentsOf: repeatElement(.unknown, count: missing))
    }
    if !failures.allSatisfy({ range.contains($0.index) }) {
      failures.removeAll { !range.contains($0.index) }
    }
  }
}
