/// Units of sizes, as in `10M`, `100MB` and `10GiB`.
package enum SizeUnit {
  package static let list =
    "k, M, G, T or KiB, MiB, GiB, TiB (powers of 1024), kB, MB, GB, TB (powers of 1000)"

  /// Parses a size such as `512`, `10M` or `1.5GB`, rounded down to whole bytes; nil if it is
  /// malformed or too large.
  package static func bytes(parsing text: ArraySlice<UInt8>) -> Int64? {
    var number = text
    let unit = take(from: &number)
    let whole = number.prefix { $0 != UInt8(ascii: ".") }
    let decimals = number.dropFirst(whole.count + 1)
    guard whole.count == number.count || !decimals.isEmpty, decimals.count <= 15,
      let bytes = Int64(wholeNumber: whole)
    else { return nil }
    var sum = Int128(bytes) * Int128(unit)
    if !decimals.isEmpty {
      guard let part = Int64(wholeNumber: decimals) else { return nil }
      sum += Int128(part) * Int128(unit) / decimals.reduce(1) { power, _ in power * 10 }
    }
    return Int64(exactly: sum)
  }

  /// Removes the unit from the end of a size.
  ///
  /// `k`, `M`, `G` and `T`, alone or with `iB`, are powers of 1024; with `B` they are powers of 1000.
  /// `c` and `B` are bytes. All letters may be small or capital.
  package static func take(from text: inout ArraySlice<UInt8>) -> Int64 {
    var rest = text
    var base: Int64 = 1024
    if rest.last.map({ $0 | 0x20 }) == UInt8(ascii: "c") {
      text = rest.dropLast()
      return 1
    }
    if rest.last.map({ $0 | 0x20 }) == UInt8(ascii: "b") {
      rest = rest.dropLast()
      if rest.last.map({ $0 | 0x20 }) == UInt8(ascii: "i") {
        rest = rest.dropLast()
        // `iB` without a letter, as in `10iB`, is not a unit.
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
