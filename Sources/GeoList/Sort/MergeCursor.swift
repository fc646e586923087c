import GeoPath

/// Reads all runs of sorted entries as one, by a heap of the runs.
struct MergeCursor: EntryCursor {
  private var runs: [RunCursor]
  /// Numbers of runs; each stands before the two that follow it at twice its index.
  private var heap: [Int] = []
  private var hasBegun = false

  init(_ entries: SortedEntries) {
    runs = [RunCursor(arena: entries.arena, keys: entries.keys)]
    if let scratch = entries.scratch {
      runs += entries.runs.map { RunCursor(scratch, $0) }
    }
  }

  mutating func advance() throws(ListError) -> Bool {
    if !hasBegun {
      hasBegun = true
      for run in runs.indices where try runs[run].advance() { heap.append(run) }
      for index in heap.indices.reversed() { sink(index) }
      return !heap.isEmpty
    }
    guard let first = heap.first else { return false }
    if try !runs[first].advance() {
      heap.swapAt(0, heap.count - 1)
      heap.removeLast()
    }
    sink(0)
    return !heap.isEmpty
  }

  private mutating func sink(_ start: Int) {
    var index = start
    while true {
      var least = index
      for child in (2 * index + 1)..<(2 * index + 3) where child < heap.count {
        if runs[heap[child]].stands(before: runs[heap[least]]) { least = child }
      }
      if least == index { return }
      heap.swapAt(index, least)
      index = least
    }
  }

  /// Where the record at hand is; there is one.
  private var run: Int { heap[0] }

  var rank: UInt32 { runs[run].rank }

  var facts: ListedFacts { runs[run].facts }

  var position: UInt64 { runs[run].position }

  func isNamed(_ name: [UInt8]) -> Bool { runs[run].isNamed(name) }

  func copyName(to name: inout [UInt8]) { runs[run].copyName(to: &name) }
}
