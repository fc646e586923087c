import GeoPath

/// Reads all runs of sorted entries as one.
struct MergeCursor: EntryCursor {
  private var merge: RunMerge<RunCursor>

  init(_ entries: SortedEntries) {
    var runs = [RunCursor(arena: entries.arena, keys: entries.keys)]
    if let scratch = entries.scratch {
      runs += entries.runs.map { RunCursor(scratch, $0) }
    }
    merge = RunMerge(runs)
  }

  mutating func advance() throws(ListError) -> Bool { try merge.advance() }

  var rank: UInt32 { merge.first.rank }

  var facts: ListedFacts { merge.first.facts }

  var position: UInt64 { merge.first.position }

  func isNamed(_ name: [UInt8]) -> Bool { merge.first.isNamed(name) }

  func copyName(to name: inout [UInt8]) { merge.first.copyName(to: &name) }
}
