import GeoCore
import GeoTree

/// The words of a search, and the score of a name.
package struct NameMatch: Sendable {
  enum Word: Sendable {
    /// A text that a name must contain, in lower case; not empty.
    case text([UInt8])
    case glob(NameGlob)

    /// Reads a word; an invalid glob is a text.
    init(_ word: [UInt8]) {
      if NameGlob.isMeant(by: word), let glob = try? NameGlob(word) {
        self = .glob(glob)
      } else {
        self = .text(word)
      }
    }

    /// - Parameter path: In lower case; its names are tested one by one.
    func fits(path: [UInt8]) -> Bool {
      switch self {
      case .text(let term): NameMatch.occurs(term, in: path)
      case .glob(let glob):
        path.components.contains { glob.matches(path.span.extracting($0.indices)) }
      }
    }
  }

  let word: Word
  /// The words that the name or the path above must match.
  let others: [Word]

  package static let longestQuery = 256

  /// - Parameter query: Words separated by blanks or slashes, in which ASCII case is ignored. A
  ///   word with `*`, `?` or `[` is a glob that a whole name must match.
  /// - Returns: nil without a word, or if the query is longer than ``longestQuery``.
  package init?(_ query: [UInt8]) {
    if query.count > Self.longestQuery { return nil }
    let words = Self.words(of: query.lowercased)
    guard let term = words.last else { return nil }
    word = Word(Array(term))
    others = words.dropLast().map { Word(Array($0)) }
  }

  /// Like ``init(_:)``, but throws for an invalid glob and for a long query.
  package init?(checking query: [UInt8]) throws {
    for word in Self.words(of: query) where NameGlob.isMeant(by: word) {
      _ = try NameGlob(word)
    }
    if query.count > Self.longestQuery {
      throw Failure.usage(
        "words to search for have \(Self.longestQuery) bytes at most, not \(query.count)")
    }
    self.init(query)
  }

  private static func words(of query: [UInt8]) -> [ArraySlice<UInt8>] {
    query.split { $0 == 0x20 || $0 == .slash }
  }

  /// The score of a name: 100 if it equals the word or matches the glob, 90 if it does up to its
  /// extension, 80 if it begins with the word, 60 if a word in it does, 40 if it contains it.
  /// Folders get 5 more, deep nodes and long names less.
  ///
  /// - Parameters:
  ///   - name: In lower case.
  ///   - left: The words of ``others`` that the path above doesn't match.
  func score(_ name: [UInt8], left: [Word], depth: Int, isFile: Bool) -> Int? {
    let score: Int
    switch word {
    case .glob(let glob): score = glob.matches(name.span) ? 100 : 0
    case .text(let term): score = Self.fit(term, in: name)
    }
    if score == 0 { return nil }
    for other in left where !other.fits(path: name) { return nil }
    return score - min(depth, 20) + (isFile ? 0 : 5)
  }

  private static func fit(_ term: [UInt8], in name: [UInt8]) -> Int {
    guard let place = Self.first(term, in: name[...]) else { return 0 }
    var score: Int
    if name.count == term.count {
      score = 100
    } else if place == 0, name[term.count] == UInt8(ascii: "."),
      !name[(term.count + 1)...].contains(UInt8(ascii: "."))
    {
      score = 90
    } else if place == 0 {
      score = 80
    } else {
      score = 40
      var next: Int? = place
      while let start = next {
        if !Self.isWordByte(name[start - 1]) { score = 60 }
        next = Self.first(term, in: name[(start + 1)...])
      }
    }
    return score - min((name.count - term.count) / 8, 10)
  }

  static func best(atDepth depth: Int) -> Int { 105 - min(depth, 20) }

  private static func isWordByte(_ byte: UInt8) -> Bool {
    byte >= 0x80 || (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte)
  }

  static func occurs(_ term: [UInt8], in text: [UInt8]) -> Bool {
    first(term, in: text[...]) != nil
  }

  private static func first(_ term: [UInt8], in text: ArraySlice<UInt8>) -> Int? {
    guard text.count >= term.count else { return nil }
    for start in text.startIndex...(text.endIndex - term.count)
    where text[start] == term[0] && text[start..<(start + term.count)].elementsEqual(term) {
      return start
    }
    return nil
  }

  func mayFit(_ name: Span<UInt8>) -> Bool {
    switch word {
    case .text(let term): Self.mayOccur(term, in: name)
    case .glob(let glob): glob.matches(name)
    }
  }

  private static func mayOccur(_ term: [UInt8], in name: Span<UInt8>) -> Bool {
    if name.count < term.count { return false }
    let first = term[0]
    for start in 0...(name.count - term.count) {
      let byte = name[start]
      guard byte == first || ((0x41...0x5A).contains(byte) && byte | 0x20 == first) else {
        continue
      }
      var step = 1
      while step < term.count {
        let other = name[start + step]
        let small = (0x41...0x5A).contains(other) ? other | 0x20 : other
        if small != term[step] { break }
        step += 1
      }
      if step == term.count { return true }
    }
    return false
  }
}
