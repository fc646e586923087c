/// The files and bytes of each word below a folder.
package struct WordSums: Sendable {
  private struct Amounts {
    var files: Int64 = 0
    var bytes: Int64 = 0
  }

  private var amounts: [Int: Amounts] = [:]
  /// Whether the bytes of any file are unknown.
  package private(set) var hasUnknown = false

  package init() {}

  /// `bytes` is −1 if unknown.
  package mutating func add(_ word: Int, files: Int64, bytes: Int64) {
    amounts[word, default: Amounts()].files += files
    if bytes < 0 {
      hasUnknown = true
    } else {
      let sum = amounts[word, default: Amounts()].bytes.adding(saturating: bytes)
      amounts[word, default: Amounts()].bytes = sum
    }
  }

  /// O(words of the smaller one).
  package mutating func add(_ other: consuming WordSums) {
    let small: [Int: Amounts]
    if other.amounts.count > amounts.count {
      small = amounts
      amounts = other.amounts
    } else {
      small = other.amounts
    }
    for (word, more) in small {
      amounts[word, default: Amounts()].files += more.files
      let sum = amounts[word, default: Amounts()].bytes.adding(saturating: more.bytes)
      amounts[word, default: Amounts()].bytes = sum
    }
    hasUnknown = hasUnknown || other.hasUnknown
  }

  /// The word of most bytes and its share; by files if bytes are unknown or 0. Of equal words, the
  /// first in the order of their bytes.
  package func cell(_ words: LayerWords) -> LayerCell {
    let files = amounts.values.reduce(0) { $0 + $1.files }
    let bytes = amounts.values.reduce(Int64(0)) { $0.adding(saturating: $1.bytes) }
    let countsFiles = hasUnknown || bytes == 0
    let all = countsFiles ? files : bytes
    var top: (word: Int, amount: Int64)?
    for (word, sums) in amounts {
      let amount = countsFiles ? sums.files : sums.bytes
      if let best = top {
        if amount < best.amount { continue }
        if amount == best.amount, !words.precedes(word, best.word) { continue }
      }
      top = (word, amount)
    }
    guard let top else { return .none }
    var cell = LayerCell(word: top.word, share: Double(top.amount) / Double(all))
    cell.count = files
    return cell
  }
}
