/// The folders with the largest files, found from the bounds that totals keep.
///
/// Each folder comes once, in the order of the bound of its own files. Only parts of the tree that
/// may have a file above a limit are visited.
package struct LargestFolders {
  /// A folder with its own files, or with everything below it.
  private struct Candidate {
    let bound: Int64
    let folder: Int
    let isWhole: Bool

    /// Own files come before a whole folder with the same bound, then folders by number.
    func precedes(_ other: Candidate) -> Bool {
      if bound != other.bound { return bound > other.bound }
      if isWhole != other.isWhole { return !isWhole }
      return folder < other.folder
    }
  }

  private let totals: TreeTotals
  /// A binary heap, the first candidate on top.
  private var heap: [Candidate] = []

  /// `totals` need details.
  package init(in totals: TreeTotals, below folders: [Int]) {
    self.totals = totals
    if totals.classes == 0 { return }
    for folder in folders where totals.isThere(folder) {
      push(Candidate(bound: totals.peaks[folder].largest, folder: folder, isWhole: true))
    }
  }

  /// The next folder whose own files may exceed a limit, in bytes; nil at the end.
  package mutating func next(above limit: Int64) -> Int? {
    while let top = heap.first, top.bound > limit {
      removeTop()
      if !top.isWhole { return top.folder }
      let own = totals.ownPeaks[top.folder].largest
      push(Candidate(bound: own, folder: top.folder, isWhole: false))
      for child in totals.subfolders(of: top.folder) where totals.peaks[child].largest > limit {
        push(Candidate(bound: totals.peaks[child].largest, folder: child, isWhole: true))
      }
    }
    return nil
  }

  private mutating func push(_ candidate: Candidate) {
    var place = heap.count
    heap.append(candidate)
    while place > 0, candidate.precedes(heap[(place - 1) / 2]) {
      heap[place] = heap[(place - 1) / 2]
      place = (place - 1) / 2
    }
    heap[place] = candidate
  }

  private mutating func removeTop() {
    let last = heap.removeLast()
    if heap.isEmpty { return }
    var place = 0
    while true {
      var child = 2 * place + 1
      if child >= heap.count { break }
      if child + 1 < heap.count, heap[child + 1].precedes(heap[child]) { child += 1 }
      if !heap[child].precedes(last) { break }
      heap[place] = heap[child]
      place = child
    }
    heap[place] = last
  }
}
