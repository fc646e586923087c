import GeoCore
import TestSupport
import Testing

/// Vectors of FIPS 180-4 and RFC 4231, and lengths around a block.
@Suite struct DigestTests {
  private func hex(_ bytes: [UInt8]) -> String {
    bytes.map { String(UInt16($0) | 0x100, radix: 16).dropFirst() }.joined()
  }

  @Test(arguments: [
    ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
    ),
  ])
  func digests(_ text: String, _ digest: String) {
    #expect(hex(SHA256.digest(Array(text.utf8))) == digest)
  }

  @Test func partsHaveTheDigestOfTheWhole() {
    var random = SeededGenerator(seed: 18)
    let bytes = (0..<300).map { _ in UInt8.random(in: 0...255, using: &random) }
    for length in 0...bytes.count {
      let whole = SHA256.digest(Array(bytes[..<length]))
      let cut = Int.random(in: 0...length, using: &random)
      var parts = SHA256()
      parts.add(Array(bytes[..<cut]))
      parts.add(Array(bytes[cut..<length]))
      #expect(parts.finish() == whole, "\(length) bytes, cut at \(cut)")
    }
  }

  /// Keys shorter and longer than a block.
  @Test(arguments: [
    (
      [UInt8](repeating: 0x0b, count: 20), "Hi There",
      "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
    ),
    (
      Array("Jefe".utf8), "what do ya want for nothing?",
      "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
    ),
    (
      [UInt8](repeating: 0xaa, count: 131),
      "Test Using Larger Than Block-Size Key - Hash Key First",
      "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
    ),
  ])
  func signs(_ key: [UInt8], _ text: String, _ digest: String) {
    let hmac = HMAC(key: key)
    #expect(hex(hmac.digest(Array(text.utf8))) == digest)
    #expect(hex(hmac.digest(Array(text.utf8))) == digest, "a key serves many digests")
  }
}
