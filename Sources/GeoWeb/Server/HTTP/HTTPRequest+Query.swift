import GeoFormats

extension HTTPRequest {
  /// The value of a parameter of the query, decoded; nil if it isn't given once, or can't be decoded.
  func parameter(_ name: StaticString) -> [UInt8]? {
    guard let query else { return nil }
    var found: [UInt8]?
    for pair in query.split(separator: UInt8(ascii: "&")) {
      let parts = pair.split(
        separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
      guard let key = parts.first, Array(key).elementsEqual(name) else { continue }
      if found != nil { return nil }
      guard let value = Self.decoded(parts.count > 1 ? parts[1] : [])
      else { return nil }
      found = value
    }
    return found
  }

  /// A value as it was meant: a plus stands for a blank; nil if it can't be decoded.
  private static func decoded(_ value: ArraySlice<UInt8>) -> [UInt8]? {
    PercentText.decoded(value.lazy.map { $0 == UInt8(ascii: "+") ? UInt8(ascii: " ") : $0 })
  }

  /// A parameter as text.
  func text(_ name: StaticString) -> String? {
    parameter(name).map { String(decoding: $0, as: UTF8.self) }
  }
}
