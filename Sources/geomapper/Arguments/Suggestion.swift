/// The word that was probably meant, if one is near enough: it begins with what was typed, or at
/// most a third of the letters were mistyped.
func nearest(to typed: [UInt8], among words: [String]) -> String? {
  // A word of any length costs its length for each candidate: nobody mistypes that long.
  if typed.isEmpty || typed.count > 64 { return nil }
  let lowered = typed.map { UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0 ? $0 | 0x20 : $0 }
  let scored = words.map { (word: $0, distance: editDistance(lowered, Array($0.utf8))) }
  if let best = scored.min(by: { $0.distance < $1.distance }),
    best.distance <= max(1, min(lowered.count, best.word.utf8.count) / 3)
  {
    return best.word
  }
  let longer = words.filter { lowered.count > 1 && $0.utf8.starts(with: lowered) }
  return longer.count == 1 ? longer[0] : nil
}

/// How many letters have to be added, dropped, replaced or exchanged with their neighbour.
///
/// The optimal string alignment distance, by dynamic programming over two words' prefixes.
///
/// - Complexity: O(n · m).
func editDistance(_ a: [UInt8], _ b: [UInt8]) -> Int {
  var before: [Int] = []
  var previous = Array(0...b.count)
  for i in a.indices {
    var row = [i + 1]
    for j in b.indices {
      var best = min(previous[j + 1], row[j]) + 1
      best = min(best, previous[j] + (a[i] == b[j] ? 0 : 1))
      if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { best = min(best, before[j - 1] + 1) }
      row.append(best)
    }
    before = previous
    previous = row
  }
  return previous[b.count]
}
