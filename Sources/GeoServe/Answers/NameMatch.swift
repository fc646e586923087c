/// What a search looks for, and how well a name fits.
struct NameMatch: Sendable {
  /// What has to occur in the name, in small letters; not empty.
  let term: [UInt8]
  /// What has to occur in the name or in the path above, in small letters.
  let others: [[UInt8]]

  /// A match of words, the last of which is to be in the name; nil if there is none.
  init?(_ words: [[UInt8]]) {
    guard let term = words.last else { return nil }
    self.term = term
    others = words.dropLast()
  }

  /// How well a name fits: 100 if it is the word, 90 if it is up to the ending, 80 if it begins with
  /// it, 60 if a word in it does, 40 if it holds it; less for what lies deep or is long.
  func score(_ name: [UInt8], left: [[UInt8]], depth: Int) -> Int? {
    guard let place = Self.first(term, in: name[...]) else { return nil }
    for other in left where !Self.occurs(other, in: name) { return nil }
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
    score -= min(depth, 20) + min((name.count - term.count) / 8, 10)
    return score
  }

  private static func isWordByte(_ byte: UInt8) -> Bool {
    byte >= 0x80 || (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte)
  }

  static func occurs(_ term: [UInt8], in text: [UInt8]) -> Bool {
    first(term, in: text[...]) != nil
  }

  /// Where a term begins for the first time.
  private static func first(_ term: [UInt8], in text: ArraySlice<UInt8>) -> Int? {
    guard text.count >= term.count else { return nil }
    for start in text.startIndex...(text.endIndex - term.count)
    where text[start] == term[0] && text[start..<(start + term.count)].elementsEqual(term) {
      return start
    }
    return nil
  }

  /// Whether the term occurs in a name: the first and cheapest look, without a copy.
  func mayOccur(in name: Span<UInt8>) -> Bool {
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
