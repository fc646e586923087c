/// The files and bytes of each word below a folder.
package struct WordSums: Sendable {
  private struct Amounts {
    var files: Int64 = 0
    var bytes: Int64 = 0

    mutating func add(files: Int64, bytes: Int64) {
      self.files += files
      self.bytes = self.bytes.adding(saturating: bytes)
    }
  }

  private var amounts: [Int: Amounts] = [:]
  package private(set) var hasUnknown = false

  package init() {}

  /// `bytes` is −1 if unknown.
  package mutating func add(_ word: Int, files: Int64, bytes: Int64) {
    amounts[word, default: Amounts()].add(files: files, bytes: max(0, bytes))
    hasUnknown = hasUnknown || bytes < 0
  }

  /// O(words of the smaller one).
  package mutating func add(_ other: consuming WordSums) {
    if other.amounts.count > amounts.count { swap(&amounts, &other.amounts) }
    for (word, more) in other.amounts {
      amounts[word, default: Amounts()].add(files: more.files, bytes: more.bytes)
    }
    hasUnknown = hasUnknown || other.hasUnknown
  }

  /// The word of most bytes and its share; by files if bytes are unknown or 0. Of equal words, the
  /// first in the order of their bytes.
  package func cell(_ words: LayerWords) -> LayerCell {
    let files = amounts.values.reduce(0) { $0 + $1.files }
    let bytes = amounts.values.reduce(Int64(0)) { $0.adding(saturating: $1.bytes) }
    let countsFiles = hasUnknown || bytes == 0
    func amount(_ sums: Amounts) -> Int64 { countsFiles ? sums.files : sums.bytes }
    let top = amounts.max { a, b in
      let (less, more) = (amount(a.value), amount(b.value))
      return less == more ? words.precedes(b.key, a.key) : less < more
    }
    guard let top else { return .none }
    let share = Double(amount(top.value)) / Double(countsFiles ? files : bytes)
    var cell = LayerCell(word: top.key, share: share)
    cell.count = files
    return cell
  }
}
