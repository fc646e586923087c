import Foundation
import TestSupport
import Testing

/// SplitMix64: repeatable on every machine.
struct SeededRandom: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}

/// Difficult names: parts of UTF-8 sequences, controls, quotes, separators.
func randomName(using random: inout SeededRandom) -> [UInt8] {
  let pieces: [[UInt8]] = [
    Array("é".utf8), Array("日本".utf8), Array("🗺️".utf8), Array("\u{85}\u{9F}\u{A0}".utf8),
    Array("\u{FFFD}\u{FFFE}\u{FFFF}\u{FEFF}\u{2028}".utf8), Array("]]>&lt;&#10;".utf8),
    [0xC3], [0xE2, 0x82], [0xF0, 0x9F, 0x97], [0xED, 0xA0, 0x80], [0xC0, 0x80], [0xF4, 0x90],
    [0xE0, 0x9F], [0xF0, 0x8F], [0xFF], [0x80], [0x7F], [0x1E], [0x0D, 0x0A], Array("\"\"".utf8),
    Array("\\u0041".utf8), Array("%2F,%".utf8), Array("<a b=\"c\">&'".utf8), [0xF8, 0x88],
  ]
  var name: [UInt8] = []
  let length = Int.random(in: 1...40, using: &random)
  let mode = Int.random(in: 0..<4, using: &random)
  while name.count < length {
    switch mode {
    case 0: name.append(UInt8.random(in: 0x20...0x7E, using: &random))
    case 1: name.append(UInt8.random(in: 0...0xFF, using: &random))
    case 2: name += pieces[Int.random(in: 0..<pieces.count, using: &random)]
    default:
      if Int.random(in: 0..<12, using: &random) == 0 {
        name += pieces[Int.random(in: 0..<pieces.count, using: &random)]
      } else {
        name.append(UInt8.random(in: 0x61...0x7A, using: &random))
      }
    }
  }
  // No file system allows these two bytes in names.
  return name.map { $0 == 0 ? 0x01 : $0 == UInt8(ascii: "/") ? UInt8(ascii: "-") : $0 }
}

/// Checks a property of names, each run with another seed; shrinks and reports failures.
func expectForNames(
  cases: Int = 1500, _ what: Comment, sourceLocation: SourceLocation = #_sourceLocation,
  _ property: ([UInt8]) -> Bool
) {
  for seed in TestScale.seeds(cases) {
    var random = SeededRandom(seed: seed)
    let name = randomName(using: &random)
    if property(name) { continue }
    let small = shrink(name) { !property($0) }
    Issue.record("\(what): seed \(seed), name \(small)", sourceLocation: sourceLocation)
    return
  }
}

/// Shrinks a failing case by removing bytes and replacing others with `a`.
private func shrink(_ name: [UInt8], while fails: ([UInt8]) -> Bool) -> [UInt8] {
  var best = name
  var isSmaller = true
  while isSmaller {
    isSmaller = false
    for index in best.indices.reversed() where best.count > 1 {
      var candidate = best
      candidate.remove(at: index)
      if fails(candidate) {
        best = candidate
        isSmaller = true
      }
    }
    for index in best.indices where best[index] != UInt8(ascii: "a") {
      var candidate = best
      candidate[index] = UInt8(ascii: "a")
      if fails(candidate) {
        best = candidate
        isSmaller = true
      }
    }
  }
  return best
}

/// Names of up to 18 bytes, with every byte at every position.
func forEveryByteAtEveryPlace(_ body: (_ name: [UInt8], _ place: String) -> Void) {
  for length in 1...18 {
    for place in 0..<length {
      for byte in 0...UInt8.max {
        var name = [UInt8](repeating: UInt8(ascii: "n"), count: length)
        name[place] = byte
        body(name, "length \(length), place \(place), byte \(byte)")
      }
    }
  }
}
