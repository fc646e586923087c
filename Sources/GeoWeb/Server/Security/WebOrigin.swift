/// Where a page comes from: a scheme, a host and a port (RFC 6454), as browsers compare them.
public struct WebOrigin: Hashable, Sendable {
  /// The origin as browsers write it: in small letters, without the port that the scheme has anyway.
  package let text: [UInt8]

  /// Reads an origin such as `https://example.org`; nil if it isn't one of HTTP.
  ///
  /// Capitals, the scheme's own port and a slash at the end make no difference.
  public init?(parsing text: [UInt8]) {
    var rest = text.lowercased[...]
    var ownPort = 80
    if rest.starts(with: "https://".utf8) {
      ownPort = 443
    } else if !rest.starts(with: "http://".utf8) {
      return nil
    }
    let scheme = rest.prefix { $0 != UInt8(ascii: "/") }
    rest = rest.dropFirst(scheme.count + 2)
    if rest.last == UInt8(ascii: "/") { rest.removeLast() }
    let host = Self.host(of: rest)
    var origin = scheme + "//".utf8 + host
    let port = rest.dropFirst(host.count)
    if host.isEmpty { return nil }
    if !port.isEmpty {
      let digits = port.dropFirst()
      guard port.first == UInt8(ascii: ":"), (1...5).contains(digits.count),
        digits.allSatisfy({ (0x30...0x39).contains($0) })
      else { return nil }
      let number = digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
      guard (1...0xFFFF).contains(number) else { return nil }
      if number != ownPort { origin += Array(":\(number)".utf8) }
    }
    self.text = Array(origin)
  }

  /// The host at the beginning of a text: a name, an address, or an address in brackets; nothing if
  /// there is none.
  private static func host(of text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    let isHex = { (byte: UInt8) in (0x30...0x39).contains(byte) || (0x61...0x66).contains(byte) }
    if text.first == UInt8(ascii: "[") {
      let inner = text.dropFirst().prefix { isHex($0) || $0 == 0x3A || $0 == 0x2E }
      let end = inner.endIndex
      guard !inner.isEmpty, end < text.endIndex, text[end] == UInt8(ascii: "]") else { return [] }
      return text[...end]
    }
    return text.prefix {
      (0x30...0x39).contains($0) || (0x61...0x7A).contains($0) || [0x2D, 0x2E, 0x5F].contains($0)
    }
  }
}
