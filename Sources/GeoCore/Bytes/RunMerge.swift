/// A sorted sequence that a ``RunMerge`` reads with others as one.
public protocol SortedRun {
  associatedtype Failure: Error

  /// Goes to the next record, at the beginning to the first; false at the end.
  mutating func advance() throws(Failure) -> Bool

  /// Whether the record at hand stands before that of another run; no two are alike.
  func stands(before other: Self) -> Bool
}

/// Reads sorted runs as one, by a heap of them (the merge of an external merge sort).
///
/// It is made for each kind of run in the module that uses it, since it is called for every record; the compiler does
/// that with what is public only.
public struct RunMerge<Run: SortedRun> {
  @usableFromInline var runs: [Run]
  /// Numbers of runs; each stands before the two that follow it at twice its index.
  @usableFromInline var heap: [Int] = []
  @usableFromInline var hasBegun = false

  /// A merge of runs of which none has begun.
  @inlinable
  public init(_ runs: [Run]) { self.runs = runs }

  /// The run with the record at hand; there is one after ``advance()`` has said so.
  @inlinable @inline(__always)
  public var first: Run { _read { yield runs[heap[0]] } }

  /// Lends the run with the record at hand in its place: reading ``first`` may copy it, with all that it refers to.
  @inlinable @inline(__always)
  public mutating func withFirst<Result>(_ body: (inout Run) -> Result) -> Result {
    body(&runs[heap[0]])
  }

  /// Goes to the next record, at the beginning to the first.
  ///
  /// - Returns: Whether there is one.
  /// - Complexity: O(log runs).
  @inlinable
  public mutating func advance() throws(Run.Failure) -> Bool {
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
      var least = index
      for child in (2 * index + 1)..<(2 * index + 3) where child < heap.count {
        if runs[heap[child]].stands(before: runs[heap[least]]) { least = child }
      }
      if least == index { return }
      heap.swapAt(index, least)
      index = least
    }
  }
}
