import Testing

@testable import GeoCore

/// The vectors of RFC 4648.
@Suite struct BaseTests {
  @Test(arguments: [
    ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="),
    ("fooba", "Zm9vYmE="), ("foobar", "Zm9vYmFy"),
  ])
  func encodes(_ text: String, _ encoded: String) {
    #expect(Base64.encode(Array(text.utf8)) == encoded)
  }

  @Test func encodesTwoSignsForAByte() {
    #expect(Base16.encode([]) == "")
    #expect(Base16.encode("foobar".utf8) == "666f6f626172")
    #expect(Base16.encode([0x00, 0x0A, 0xA0, 0xFF]) == "000aa0ff")
  }
}
