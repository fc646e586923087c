import Synchronization

/// The words of all layers, each with a number.
package final class LayerWords: Sendable {
  private struct State {
    var words: [[UInt8]] = []
    var numbers: [[UInt8]: Int] = [:]
    var longest = 0
  }

  private let state = Mutex(State())

  package static let maximum = 1 << 16

  package init() {}

  /// The length of the longest word in bytes.
  package var longest: Int { state.withLock { $0.longest } }
  package var count: Int { state.withLock { $0.words.count } }

  package subscript(_ number: Int) -> [UInt8] { state.withLock { $0.words[number] } }

  /// The number of a word, which is added if it is new; nil if there are too many.
  package func number(of word: [UInt8]) -> Int? {
    state.withLock { state in
      if let known = state.numbers[word] { return known }
      let number = state.words.count
      if number == Self.maximum { return nil }
      state.words.append(word)
      state.numbers[word] = number
      state.longest = max(state.longest, word.count)
      return number
    }
  }

  package func precedes(_ a: Int, _ b: Int) -> Bool {
    state.withLock { $0.words[a].lexicographicallyPrecedes($0.words[b]) }
  }
}
