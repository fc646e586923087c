/// A set of bytes, as a bit map.
struct ByteSet: Sendable, Equatable, BitwiseCopyable {
  private var words = SIMD4<UInt64>(repeating: 0)

  init() {}

  init(_ bytes: some Sequence<UInt8>) {
    for byte in bytes { insert(byte) }
  }

  func contains(_ byte: UInt8) -> Bool { words[Int(byte >> 6)] >> UInt64(byte & 63) & 1 != 0 }
  mutating func insert(_ byte: UInt8) { words[Int(byte >> 6)] |= 1 << UInt64(byte & 63) }
  mutating func remove(_ byte: UInt8) { words[Int(byte >> 6)] &= ~(1 << UInt64(byte & 63)) }
  mutating func formUnion(_ other: ByteSet) { words |= other.words }
  mutating func invert() { words = ~words }

  /// Adds the other case of its ASCII letters. Returns whether it contains any.
  @discardableResult
  mutating func foldCase() -> Bool {
    // All letters are in one word; a capital is 32 bits below its small letter.
    let letters: UInt64 = 0x07FF_FFFE
    let found = (words[1] | words[1] >> 32) & letters
    words[1] |= found | found << 32
    return found != 0
  }

  /// The bytes of a POSIX character class in ASCII, as in git: `space` has only four bytes.
  init?(className: some Sequence<UInt8>) {
    let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
    let upper = UInt8(ascii: "A")...UInt8(ascii: "Z")
    let lower = UInt8(ascii: "a")...UInt8(ascii: "z")
    let graphic: ClosedRange<UInt8> = 0x21...0x7E
    self.init()
    switch String(decoding: Array(className), as: UTF8.self) {
    case "alnum":
      self = ByteSet(digits)
      formUnion(ByteSet(upper))
      formUnion(ByteSet(lower))
    case "alpha":
      self = ByteSet(upper)
      formUnion(ByteSet(lower))
    case "blank": self = ByteSet([0x20, 0x09])
    case "cntrl":
      self = ByteSet(0..<0x20)
      insert(0x7F)
    case "digit": self = ByteSet(digits)
    case "graph": self = ByteSet(graphic)
    case "lower": self = ByteSet(lower)
    case "print": self = ByteSet(0x20...0x7E)
    case "punct":
      self = ByteSet(
        graphic.lazy.filter {
          !digits.contains($0) && !upper.contains($0) && !lower.contains($0)
        })
    case "space": self = ByteSet([0x20, 0x09, 0x0A, 0x0D])
    case "upper": self = ByteSet(upper)
    case "xdigit":
      self = ByteSet(digits)
      formUnion(ByteSet(UInt8(ascii: "a")...UInt8(ascii: "f")))
      formUnion(ByteSet(UInt8(ascii: "A")...UInt8(ascii: "F")))
    default: return nil
    }
  }
}
