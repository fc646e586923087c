/// A sorted sequence of records that a ``RunMerge`` merges with others.
@usableFromInline package protocol SortedRun {
  associatedtype Failure: Error

  /// Moves to the next record, at the beginning to the first; false at the end.
  mutating func advance() throws(Failure) -> Bool

  /// Whether the current record comes before that of another run; no two are equal.
  func precedes(_ other: Self) -> Bool
}

/// Merges sorted runs with a heap, as in an external merge sort.
///
/// It is called for every record, so it has to be specialised in the module that uses it: all its
/// members are inlinable.
@usableFromInline package struct RunMerge<Run: SortedRun> {
  @usableFromInline var runs: [Run]
  /// Indices of runs as a binary heap: each comes before its children.
  @usableFromInline var heap: [Int] = []
  @usableFromInline var hasBegun = false

  @inlinable
  package init(_ runs: [Run]) { self.runs = runs }

  /// The run with the current record; valid if ``advance()`` has returned true.
  @inlinable @inline(__always)
  package var first: Run { _read { yield runs[heap[0]] } }

  /// Passes the run with the current record by reference: reading ``first`` may copy it with all
  /// that it refers to.
  @inlinable @inline(__always)
  package mutating func withFirst<Result, Failure: Error>(
    _ body: (inout Run) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try body(&runs[heap[0]])
  }

  /// Moves to the next record, at the beginning to the first; false at the end. O(log runs).
  @inlinable
  package mutating func advance() throws(Run.Failure) -> Bool {
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

  @inlinable
  mutating func sink(_ start: Int) {
    var index = start
    while true {
      var smallest = index
      for child in (2 * index + 1)..<(2 * index + 3) where child < heap.count {
        if runs[heap[child]].precedes(runs[heap[smallest]]) { smallest = child }
      }
      if smallest == index { return }
      heap.swapAt(index, smallest)
      index = smallest
    }
  }
}
