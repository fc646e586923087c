/// A digest that only who has the key can make (RFC 2104), by SHA-256.
package struct HMAC: Sendable {
  // The digests of the two padded keys: for each digest they are continued, not made again.
  private let inner: SHA256
  private let outer: SHA256

  /// Digests under a key of any length; one of fewer than 32 bytes is weaker than the digest.
  package init(key: [UInt8]) {
    var key = key.count > SHA256.block ? SHA256.digest(key) : key
    key += [UInt8](repeating: 0, count: SHA256.block - key.count)
    var (inner, outer) = (SHA256(), SHA256())
    inner.add(key.map { $0 ^ 0x36 })
    outer.add(key.map { $0 ^ 0x5C })
    (self.inner, self.outer) = (inner, outer)
  }

  /// The digest of some bytes: 32 bytes.
  ///
  /// - Complexity: O(bytes).
  package func digest(_ bytes: [UInt8]) -> [UInt8] {
    var (inner, outer) = (inner, outer)
    inner.add(bytes)
    outer.add(inner.finish())
    return outer.finish()
  }
}
