import GeoCore

/// The units of sizes as people write them: `10M`, `100MB`, `1.5GiB`.
public enum SizeUnit {
  /// What there is, for messages.
  package static let list =
    "k, M, G, T or KiB, MiB, GiB, TiB (powers of 1024), kB, MB, GB, TB (powers of 1000)"

  /// Takes the unit off the end of a size.
  ///
  /// `k`, `M`, `G` and `T`, of either case, are powers of 1024, and so are they with `iB`; with `B` they are powers
  /// of 1000. `c` and `B` are bytes.
  ///
  /// - Returns: How many bytes it stands for; 1 if there is none.
  package static func take(from text: inout ArraySlice<UInt8>) -> Int64 {
    var rest = text
    var base: Int64 = 1024
    if rest.last == UInt8(ascii: "c") {
      text = rest.dropLast()
      return 1
    }
    if rest.last == UInt8(ascii: "B") {
      rest = rest.dropLast()
      if rest.last == UInt8(ascii: "i") {
        rest = rest.dropLast()
        // Of `10iB` nothing is a unit.
        guard let last = rest.last, power(of: last) != nil else { return 1 }
      } else {
        base = 1000
      }
    }
    var bytes: Int64 = 1
    if let last = rest.last, let power = power(of: last) {
      for _ in 0..<power { bytes *= base }
      rest = rest.dropLast()
    }
    text = rest
    return bytes
  }

  private static func power(of letter: UInt8) -> Int? {
    ["k", "m", "g", "t"].firstIndex { $0.utf8.first == letter | 0x20 }.map { $0 + 1 }
  }
}
