import GeoCore

/// What `find -printf '%s %T@ %y %p\0'` prints.
enum FindSyntax: RecordSyntax {
  static func parse(
    _ record: ArraySlice<UInt8>, isTerminated: Bool, into entry: inout ListedEntry
  ) -> String? {
    if !isTerminated {
      return "no zero byte ends it: it was cut off, or the list was not made with '\\0'"
    }
    var rest = record
    guard let size = rest.takeWholeNumber(), rest.takeSpace() else {
      return "it does not begin with a size in bytes, as '%s %T@ %y %p' has it"
    }
    guard let modified = rest.takeSeconds(), rest.takeSpace() else {
      return "no time in seconds follows the size, as '%s %T@ %y %p' has it"
    }
    guard let letter = rest.popFirst(), let kind = EntryKind(findLetter: letter), rest.takeSpace()
    else { return "no type such as f or d follows the time, as '%s %T@ %y %p' has it" }
    entry.facts = ListedFacts(size: size, modified: modified, kind: kind, flags: [.sized, .dated])
    entry.path.removeAll(keepingCapacity: true)
    entry.path.append(contentsOf: rest)
    return nil
  }
}

extension EntryKind {
  /// The kind that find's `%y` stands for.
  fileprivate init?(findLetter: UInt8) {
    switch findLetter {
    case UInt8(ascii: "f"): self = .regular
    case UInt8(ascii: "d"): self = .directory
    case UInt8(ascii: "l"): self = .symlink
    case UInt8(ascii: "p"): self = .fifo
    case UInt8(ascii: "s"): self = .socket
    case UInt8(ascii: "b"): self = .block
    case UInt8(ascii: "c"): self = .character
    // A door, or what find can't tell.
    case UInt8(ascii: "D"), UInt8(ascii: "U"): self = .unknown
    default: return nil
    }
  }
}

extension ArraySlice<UInt8> {
  fileprivate mutating func takeSpace() -> Bool { popFirst() == UInt8(ascii: " ") }

  /// Decimal digits, at least one, as a number below 2^63.
  fileprivate mutating func takeWholeNumber() -> Int64? {
    var number: Int64 = 0
    var digits = 0
    while let byte = first, UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte {
      let (tens, overflow) = number.multipliedReportingOverflow(by: 10)
      let (sum, carry) = tens.addingReportingOverflow(Int64(byte - UInt8(ascii: "0")))
      if overflow || carry { return nil }
      number = sum
      digits += 1
      removeFirst()
    }
    return digits > 0 ? number : nil
  }

  /// Seconds with a fraction, rounded down.
  ///
  /// What stands before the point is the seconds rounded down even before 1970: find prints the two
  /// parts of the time one after the other, and its −2.5 is half a second after −2.
  fileprivate mutating func takeSeconds() -> Int64? {
    let isNegative = first == UInt8(ascii: "-")
    if isNegative { removeFirst() }
    guard let number = takeWholeNumber() else { return nil }
    if first == UInt8(ascii: ".") || first == UInt8(ascii: ",") {
      removeFirst()
      let fraction = prefix { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
      if fraction.isEmpty { return nil }
      removeFirst(fraction.count)
    }
    return isNegative ? -number : number
  }
}
