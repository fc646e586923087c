import Testing

@testable import GeoPage

/// The vectors of FIPS 180-4 and RFC 4648, and lengths around a block.
@Suite struct SHA256Tests {
  static let vectors: [(text: String, digest: String)] = [
    ("", "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="),
    ("abc", "ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0="),
    (
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
      "JI1qYdIGOLjlwCaTDD5gOaM85Flk/yFn9uzt1BnbBsE="
    ),
  ]

  @Test(arguments: vectors)
  func digests(_ vector: (text: String, digest: String)) {
    #expect(Base64.encode(SHA256.digest(Array(vector.text.utf8))) == vector.digest)
  }

  @Test func digestsOfAllLengthsDiffer() {
    let digests = (0...130).map { SHA256.digest([UInt8](repeating: 97, count: $0)) }
    #expect(Set(digests).count == digests.count)
    #expect(digests.allSatisfy { $0.count == 32 })
  }

  @Test(arguments: [
    ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="),
    ("fooba", "Zm9vYmE="), ("foobar", "Zm9vYmFy"),
  ])
  func encodes(_ text: String, _ encoded: String) {
    #expect(Base64.encode(Array(text.utf8)) == encoded)
  }
}
