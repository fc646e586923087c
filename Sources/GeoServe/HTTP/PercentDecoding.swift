/// What percent-encoded bytes of an address stand for.
enum PercentDecoding {
  /// The bytes; nil if a `%` is not followed by two digits, or a zero byte comes out.
  static func decode(_ text: some Sequence<UInt8>, plusIsBlank: Bool = false) -> [UInt8]? {
    var result: [UInt8] = []
    var iterator = text.makeIterator()
    while let byte = iterator.next() {
      switch byte {
      case UInt8(ascii: "%"):
        guard let high = iterator.next().flatMap(digit), let low = iterator.next().flatMap(digit),
          high << 4 | low != 0
        else { return nil }
        result.append(high << 4 | low)
      case UInt8(ascii: "+") where plusIsBlank: result.append(0x20)
      default: result.append(byte)
      }
    }
    return result
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}

extension HTTPRequest {
  /// The value of a parameter of the query, decoded; nil if it isn't given once, or can't be
  /// decoded.
  func parameter(_ name: StaticString) -> [UInt8]? {
    guard let query else { return nil }
    var found: [UInt8]?
    for pair in query.split(separator: UInt8(ascii: "&")) {
      let parts = pair.split(
        separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
      guard let key = parts.first, Array(key).elementsEqual(name) else { continue }
      if found != nil { return nil }
      guard let value = PercentDecoding.decode(parts.count > 1 ? parts[1] : [], plusIsBlank: true)
      else { return nil }
      found = value
    }
    return found
  }

  /// A parameter as text.
  func text(_ name: StaticString) -> String? {
    parameter(name).map { String(decoding: $0, as: UTF8.self) }
  }
}
