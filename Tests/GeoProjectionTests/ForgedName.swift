import GeoProjection

/// Names with a chosen hash: every step of XXH64 and SplitMix64 can be inverted.
enum ForgedName {
  /// A name of 16 bytes whose folder gets the given key.
  ///
  /// - Parameters:
  ///   - key: The first number of the name's seed.
  ///   - parent: The seed of the parent folder.
  ///   - salt: Any number; different salts give different names.
  static func name(key: UInt64, in parent: UInt64, salt: UInt64) -> [UInt8] {
    let gamma: UInt64 = 0x9E37_79B9_7F4A_7C15
    var z = undoShift(key, 31) &* inverse(0x94D0_49BB_1331_11EB)
    z = undoShift(z, 27) &* inverse(0xBF58_476D_1CE4_E5B9)
    let seed = undoShift(z, 30) &- gamma
    return name(hash: seed, in: parent, salt: salt)
  }

  /// A name of 16 bytes with the given hash.
  static func name(hash: UInt64, in parent: UInt64, salt: UInt64) -> [UInt8] {
    var end = undoShift(hash, 32) &* inverse(prime3)
    end = undoShift(end, 29) &* inverse(prime2)
    end = undoShift(end, 33)
    let start = rotate((parent &+ prime5 &+ 16) ^ round(salt), 27) &* prime1 &+ prime4
    let second = start ^ rotate((end &- prime4) &* inverse(prime1), 37)
    let word = rotate(second &* inverse(prime1), 33) &* inverse(prime2)
    return bytes(salt) + bytes(word)
  }

  private static func bytes(_ word: UInt64) -> [UInt8] {
    (0..<8).map { UInt8(truncatingIfNeeded: word >> UInt64(8 * $0)) }
  }

  private static func round(_ word: UInt64) -> UInt64 { rotate(word &* prime2, 31) &* prime1 }

  private static func rotate(_ word: UInt64, _ bits: UInt64) -> UInt64 {
    word << bits | word >> (64 - bits)
  }

  /// The x with x ^ x >> bits = word.
  private static func undoShift(_ word: UInt64, _ bits: UInt64) -> UInt64 {
    var x = word
    for _ in 0..<(64 / bits + 1) { x = word ^ x >> bits }
    return x
  }

  /// The inverse of an odd number modulo 2^64, by Newton's iteration.
  private static func inverse(_ odd: UInt64) -> UInt64 {
    var x = odd
    for _ in 0..<6 { x = x &* (2 &- odd &* x) }
    return x
  }

  private static let prime1: UInt64 = 0x9E37_79B1_85EB_CA87
  private static let prime2: UInt64 = 0xC2B2_AE3D_27D4_EB4F
  private static let prime3: UInt64 = 0x1656_67B1_9E37_79F9
  private static let prime4: UInt64 = 0x85EB_CA77_C2B2_AE63
  private static let prime5: UInt64 = 0x27D4_EB2F_1656_67C5
}
